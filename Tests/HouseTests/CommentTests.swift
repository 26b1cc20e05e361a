import Foundation
import TestSupport
import Testing

extension SourceFile {
    /// What each comment says, without its slashes and the breaks between its lines.
    fileprivate var remarks: [String] {
        var remarks: [String] = []
        var isOpen = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard let start = line.range(of: "//") else {
                isOpen = false
                continue
            }
            let said = line[start.upperBound...].drop { $0 == "/" || $0 == " " }
            let isAlone = line[..<start.lowerBound].allSatisfy(\.isWhitespace)
            if isOpen, isAlone, !said.isEmpty {
                remarks[remarks.count - 1] += " " + said
            } else {
                remarks.append(String(said))
            }
            isOpen = isAlone && !said.isEmpty
        }
        return remarks
    }
}

@Suite struct `The comments of the code` {
    /// `R34.`, `(R16, R20)`, `Learnable R3 to R5`.
    private static func isNumberAlone(_ comment: String) -> Bool {
        let form =
            /\(?((ExamRoom|QuranFlow|Learnable|Tafawoq)? ?R\d+(, |,|-| and | to )?)+\)?[.,;:]? */
        return comment.wholeMatch(of: form) != nil
    }

    @Test func `say the rule that they cite, not its number alone`() throws {
        for file in try SourceFile.everywhere() {
            for comment in file.remarks where comment.utf8.count < 60 {
                #expect(!Self.isNumberAlone(comment), "\(file.path): \(comment)")
            }
        }
    }

    @Test(arguments: ["R34.", "R16, R20", "(R1-R3)", "Learnable R3 and R4."])
    func `that are numbers alone are found`(comment: String) {
        #expect(Self.isNumberAlone(comment))
        #expect(!Self.isNumberAlone(comment + " The deadline."))
    }

    @Test func `name decisions and documents that are there`() throws {
        let places = Places()
        let decisions = Set(Tree.files("ADR", ".md").map { $0.dropFirst("ADR/".count).prefix(4) })
        var count = 0
        for file in try SourceFile.everywhere() {
            let text = file.remarks.joined(separator: "\n")
            for match in text.matches(of: /\bADRs? ((?:(?:,| and|,? ADR)? ?\d{4}\b)+)/) {
                for number in match.output.1.matches(of: /\d{4}/) {
                    count += 1
                    #expect(
                        decisions.contains(number.output), "\(file.path): ADR \(number.output)")
                }
            }
            for match in text.matches(of: /(?:^|[\s(`])([\w.+\/-]+\.(?:md|py|swift|sh))\b/) {
                count += 1
                let name = String(match.output.1)
                let isThere = places.isThere(name, from: ["docs/", "docs/contract/"])
                #expect(isThere, "\(file.path): \(name)")
            }
        }
        #expect(count > 60, "few were found: \(count)")
    }
}
