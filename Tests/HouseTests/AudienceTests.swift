import Core
import ExamRoomEvents
import ExamRoomProjections
import LearnableEvents
import LearnableProjections
import Projections
import QuranFlowEvents
import QuranFlowProjections
import TafawoqEvents
import TafawoqProjections
import TestSupport
import Testing

/// A product's table in code, beside what it must have a line for.
struct Seen: CustomTestStringConvertible {
    let page: String
    /// The lines that code makes for the page.
    let lines: [String]
    /// Every read model and every event type.
    let names: [String]

    var testDescription: String { page }

    static let all = [
        Seen(
            page: "shared.md", lines: SharedAudience.lines,
            names: SharedReadModel.all.map(\.name) + [AccountErased.type]),
        Seen(
            page: "examroom.md", lines: ExamRoom.audience.lines,
            names: ExamRoom.readModels.map(\.name) + ExamRoom.payloads.map(\.name)),
        Seen(
            page: "quranflow.md", lines: QuranFlow.audience.lines,
            names: QuranFlow.readModels.map(\.name) + QuranFlow.payloads.map(\.name)),
        Seen(
            page: "learnable.md", lines: Learnable.audience.lines,
            names: Learnable.readModels.map(\.name) + Learnable.payloads.map(\.name)),
        Seen(
            page: "tafawoq.md", lines: Tafawoq.audience.lines,
            names: Tafawoq.readModels.map(\.name) + Tafawoq.payloads.map(\.name)),
    ]

    /// What a line is about.
    static func name(of line: some StringProtocol) -> String {
        ContractPage.quoted(line).first ?? ""
    }
}

@Suite struct `Who may see what` {
    @Test(arguments: Seen.all)
    func `has a line for each read model and each event type, and for nothing else`(seen: Seen) {
        let named = seen.lines.map { Seen.name(of: $0) }
        #expect(
            Set(seen.names).subtracting(named).sorted() == [], "add a line to the product's table")
        #expect(
            Set(named).subtracting(seen.names).sorted() == [], "there is no such thing any more")
        #expect(Set(named).count == named.count, "one line each")
    }

    @Test(arguments: Seen.all)
    func `stands on the page as in code`(seen: Seen) throws {
        let page = try ContractPage(seen.page).section("Who may see what").filter {
            $0.hasPrefix("| `")
        }.map { String($0) }
        for line in seen.lines where !page.contains(line) {
            Issue.record("\(seen.page) lacks the line\n\(line)")
        }
        for line in page where !seen.lines.contains(line) {
            Issue.record("\(seen.page) has a line that code has not\n\(line)")
        }
    }
}
