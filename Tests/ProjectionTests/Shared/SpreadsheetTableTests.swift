import Core
import Foundation
import Projections
import TestSupport
import Testing

@Suite struct `A table for a spreadsheet` {
    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"), ("\r=1", "'\r'=1"), ("\u{FF1D}1", "'\u{FF1D}1"),
        (" =1", "' =1"), ("\"=1", "'\"=1"), ("\u{FEFF}=1", "'\u{FEFF}=1"),
        ("a;=1", "a;'=1"), ("a\t=1", "a\t'=1"), ("a;\"=1", "a;'\"=1"), ("a\n-1", "a\n'-1"),
        ("c-17", "c-17"), ("a=b", "a=b"), ("a@b.org", "a@b.org"), ("", ""), ("'", "'"),
        ("examroom/exam/EX-1", "examroom/exam/EX-1"),
    ])
    func `puts an apostrophe before what could begin a formula`(text: String, cell: String) {
        #expect(SpreadsheetTable.harmless(text) == cell)
    }

    @Test func `leaves numbers numbers, and quotes as RFC 4180 says`() {
        var table = SpreadsheetTable()
        table.row([.number(42), .text("a,b"), .text("\"=x\""), .empty, .text("-5")])
        let expected = "42,\"a,b\",\"'\"\"=x\"\"\",,'-5\r\n"
        #expect(String(decoding: table.bytes, as: UTF8.self) == expected)
    }

    private static let alphabet: [Character] = [
        "=", "+", "-", "@", "\t", "\r", "\n", ",", ";", "|", "\"", "'", " ", "a", "1",
        "\u{FF1D}", "\u{FF0B}", "\u{200B}", "\u{A0}", "é",
    ]

    private func texts(_ random: inout SplitMix64) -> [String] {
        func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        return (0..<5).map { _ in
            String((0..<below(9)).map { _ in Self.alphabet[below(Self.alphabet.count)] })
        }
    }

    /// Signs that begin a formula once blanks and quotes are out of the way.
    private func isFormula(_ cell: some StringProtocol) -> Bool {
        let blanks: Set<Unicode.Scalar> = [" ", "\"", "\u{200B}", "\u{A0}"]
        guard let first = cell.unicodeScalars.first(where: { !blanks.contains($0) }) else {
            return false
        }
        return "=+-@\u{FF1D}\u{FF0B}".unicodeScalars.contains(first)
    }

    @Test(arguments: UInt64(0)..<200)
    func `has no cell that begins a formula, whatever separates cells`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let texts = texts(&random)
            var table = SpreadsheetTable()
            table.row([.number(1)] + texts.map { .text($0) })
            let read = CSVReading.rows(table.bytes)
            #expect(read == [["1"] + texts.map { SpreadsheetTable.harmless($0) }])
            for cell in read.joined() { #expect(!isFormula(cell), "\(cell.debugDescription)") }
            // As a program reads it that takes something else for the separator.
            let line = String(decoding: table.bytes, as: UTF8.self)
            for separators in [";", "\t", "|", "\r\n", ";\t|\r\n"] {
                let scalars = Set(separators.unicodeScalars)
                for cell in line.unicodeScalars.split(whereSeparator: { scalars.contains($0) }) {
                    #expect(!isFormula(String(cell)), "\(line.debugDescription)")
                }
            }
        }
    }
}

/// RFC 4180, read back.
enum CSVReading {
    static func rows(_ bytes: [UInt8]) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var index = 0
        func byte(_ offset: Int) -> UInt8? {
            index + offset < bytes.count ? bytes[index + offset] : nil
        }
        while let here = byte(0) {
            switch (here, isQuoted) {
            case (UInt8(ascii: "\""), true):
                if byte(1) == here {
                    cell.append(here)
                    index += 1
                } else {
                    isQuoted = false
                }
            case (UInt8(ascii: "\""), false): isQuoted = true
            case (UInt8(ascii: ","), false):
                row.append(String(decoding: cell, as: UTF8.self))
                cell = []
            case (UInt8(ascii: "\r"), false):
                index += 1
                rows.append(row + [String(decoding: cell, as: UTF8.self)])
                (row, cell) = ([], [])
            default: cell.append(here)
            }
            index += 1
        }
        return rows
    }
}
