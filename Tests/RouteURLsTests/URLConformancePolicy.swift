// SPDX-License-Identifier: MIT

/// What other routers' suites expect that our patterns cannot say, or mean otherwise.
///
/// A row that is none of these has to hold.
enum URLConformancePolicy {
    /// Why a row cannot be said.
    enum Unsayable: String {
        case partial = "two parameters in a segment, or a tail that begins in the middle of one"
        case middle = "an optional or repeated part that is not last"
        case expression = "a regular expression"
        case option = "an option of the other router"
        case sign = "a '?' or '#' in a path, which begins the query or fragment"
        case foreign = "a function that is no matching"
    }

    /// Where we differ on purpose.
    enum Difference: String {
        case slash = "a slash at the end, doubled or missing at the start tells nothing apart"
        case letters = "literals are case-sensitive, the other router's are not"
        case host = "the host of a custom scheme is the first segment, and not optional"
        case pathWins = "a parameter of the path wins over one of the query"
        case shape = "two patterns of one shape are an error, whatever the names are"
        case rank = "rank tells the two apart, so they are no conflict"
        case escape = "a value is escaped where the other router refuses it"
        case empty = "a parameter has one character at least"
        case trailing = "a tail holds the segments, not the slashes around them"
    }
}
