// SPDX-License-Identifier: MIT

extension Event {
    /// The first line of an event stream on disk, which names the format of the stream.
    ///
    /// A program may add keys to this line, such as the name of a test; readers ignore unknown
    /// keys.
    public static let jsonHeader = #"{"schema":"luaroute.events/1"}"#

    /// The name of the schema of an event stream on disk.
    package static let schema = "luaroute.events/1"

    /// The event as one line of JSON, without a line break.
    ///
    /// The keys have a fixed order: `seq time navigation parent generation location kind`, then the
    /// fields of the event. Invalid UTF-8 becomes U+FFFD; infinities and NaN become null. Screens,
    /// functions and host objects become strings that name their kind.
    public var json: String {
        var writer = JSONWriter()
        writer.begin("{")
        writer.member("seq", .integer(Int64(sequence)))
        writer.member("time", .number(time))
        if let navigation { writer.member("navigation", .integer(Int64(navigation))) }
        if let parent { writer.member("parent", .integer(Int64(parent))) }
        writer.member("generation", .integer(Int64(generation)))
        if let location { writer.member("location", .string(ByteString(location.description))) }
        writer.member("kind", .string(ByteString(kind.rawValue)))
        for (name, value) in fields { writer.member(name, value) }
        writer.end("}")
        return writer.text
    }
}
