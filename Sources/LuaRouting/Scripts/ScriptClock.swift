// SPDX-License-Identifier: MIT

internal import SystemGaps

/// The functions of `os` for scripts, based on the router's clock and UTC.
///
/// The functions follow the Lua manual (§6.9), except that all machines use the same time zone.
enum ScriptClock {
    /// Returns the number of seconds since 1970 for a date with `year`, `month`, `day` and
    /// optionally `hour`, `min` and `sec`.
    ///
    /// - Throws: `script` for a field that is missing or not an integer.
    static func time(_ date: InfoTable) throws(RouteError) -> Int64 {
        var parts = tm()
        parts.tm_year = try field("year", of: date) - 1900
        parts.tm_mon = try field("month", of: date) - 1
        parts.tm_mday = try field("day", of: date)
        parts.tm_hour = try field("hour", of: date, else: 12)
        parts.tm_min = try field("min", of: date, else: 0)
        parts.tm_sec = try field("sec", of: date, else: 0)
        return Int64(timegm(&parts))
    }

    private static func field(
        _ name: String,
        of date: InfoTable,
        else usual: Int32? = nil
    ) throws(RouteError) -> Int32 {
        let value = date[name]
        if value.isNil, let usual { return usual }
        guard let integer = value.integer, (-999_999...999_999).contains(integer) else {
            throw .badDate(name, value)
        }
        return Int32(integer)
    }

    /// Formats a time as text, or as a table for the format `*t`.
    ///
    /// - Throws: `script` for an unknown conversion.
    static func date(_ format: String, _ time: Int64) throws(RouteError) -> Value {
        var seconds = time_t(time)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { throw .badTime(time) }
        guard format.utf8.count <= 1_024 else { throw .formatTooLong() }
        let format = format.first == "!" ? String(format.dropFirst()) : format
        if format.hasPrefix("*t") { return .table(table(parts)) }
        var text = ""
        var rest = format[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                text.append(character)
                continue
            }
            guard let conversion = rest.popFirst(), conversions.contains(conversion) else {
                throw .badConversion(format)
            }
            text += conversion == "%" ? "%" : formatted("%\(conversion)", &parts)
        }
        return Value(text)
    }

    /// The conversions of C99 without a modifier, except for those that print a time zone.
    private static let conversions: Set<Character> = Set("aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyY%")

    private static func formatted(_ conversion: String, _ parts: inout tm) -> String {
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = bytes.withUnsafeMutableBytes { buffer in
            strftime(
                buffer.bindMemory(to: CChar.self).baseAddress,
                buffer.count,
                conversion,
                &parts
            )
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func table(_ parts: tm) -> InfoTable {
        func value(_ number: Int32, plus offset: Int64 = 0) -> Value {
            .integer(Int64(number) + offset)
        }
        return [
            "year": value(parts.tm_year, plus: 1900), "month": value(parts.tm_mon, plus: 1),
            "day": value(parts.tm_mday), "hour": value(parts.tm_hour), "min": value(parts.tm_min),
            "sec": value(parts.tm_sec), "wday": value(parts.tm_wday, plus: 1),
            "yday": value(parts.tm_yday, plus: 1), "isdst": false,
        ]
    }
}
