// SPDX-License-Identifier: MIT

/// The intended differences between the test suites of other routers and our patterns.
///
/// All other rows must match.
enum URLConformancePolicy {
    /// The reason why a row cannot be expressed.
    enum Unsayable: String {
        case partial = "two parameters in a segment, or a tail that begins in the middle of one"
        case middle = "an optional or repeated part that is not last"
        case expression = "a regular expression"
        case option = "an option of the other router"
        case sign = "a '?' or '#' in a path, which begins the query or fragment"
        case foreign = "a function that is no matching"
    }

    /// An intended difference.
    enum Difference: String {
        case slash = "a slash at the end, doubled or missing at the start makes no difference"
        case letters = "literals are case-sensitive, the other router's are not"
        case host = "the host of a custom scheme is the first segment, and not optional"
        case oneSource = "a pattern reads each parameter from one part of the URL"
        case shape = "two patterns of one shape are an error, whatever the names are"
        case shortest = "of two parameters in a segment the first has the shortest text"
        case rank = "the two have different ranks, so they do not conflict"
        case escape = "a value is escaped where the other router refuses it"
        case empty = "a parameter has one character at least"
        case trailing = "a tail holds the segments, not the slashes around them"
    }
}
