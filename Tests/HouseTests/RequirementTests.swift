import Commands
import ExamRoomCommands
import Engine
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Foundation
import TestSupport
import Testing

/// What a page's tables define, and which of it the code has.
private struct Defined {
    let page: ContractPage
    let commands: Set<String>
    let events: Set<String>
    let models: Set<String>
    let policies: Set<String>
    let rules: Set<String>
    /// Every word of the page outside the table of requirements.
    let words: Set<String>

    static let requirements = "Where each requirement went"

    init() throws {
        page = try ContractPage("examroom.md")
        commands = Set(
            page.rows("Commands").compactMap { ContractPage.quoted($0[0]).first }
                + ["examroom.policy.adopt"])
        events = Set(page.eventTypes)
        models = Set(
            page.section("Read models").filter { $0.hasPrefix("### ") }
                .compactMap { ContractPage.quoted($0).first } + ["examroom.policy"])
        policies = Set(page.rows("Policy").flatMap { ContractPage.quoted($0[0]) })
        rules = Set(
            try RuleBook.all.first { $0.product == "ExamRoom" }?.rules().map(\.name) ?? [])
        let table = Set(page.section(Self.requirements))
        let text = page.lines.filter { !table.contains($0) }.joined(separator: "\n")
        words = Set(
            text.matches(of: /[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*/).map { String($0.output) })
    }

    /// Why a quoted name of the table names nothing; nil if it does.
    ///
    /// `noun` is that of the name before it: `question.add`, `.revise`.
    func problem(of name: String, noun: inout String) -> String? {
        if name.hasSuffix("…") {
            let start = name.dropLast()
            return policies.contains { $0.hasPrefix(start) } ? nil : "no policy begins so"
        }
        // `method:"biometric"`, `{scheme, salt, digest}`: every word of it.
        guard name.wholeMatch(of: /[a-zA-Z0-9.-]+/) != nil else {
            let unknown = name.matches(of: /[A-Za-z][A-Za-z0-9-]*/).map { String($0.output) }
                .filter { !words.contains($0) }
            return unknown.isEmpty ? nil : "\(unknown) is nowhere else on the page"
        }
        var full = name
        if name.hasPrefix(".") { full = noun + name }
        if !full.hasPrefix("examroom.") { full = "examroom." + full }
        let things = commands.union(events).union(models)
        var parts = full.split(separator: ".").map { String($0) }
        var fields: [String] = []
        while parts.count > 1 {
            let thing = parts.joined(separator: ".")
            if things.contains(thing) {
                noun = parts.count > 2 ? parts[1] : noun
                let unknown = fields.filter { !words.contains($0) }
                return unknown.isEmpty ? nil : "no field \(unknown)"
            }
            fields.append(parts.removeLast())
        }
        if name.contains(".") { return "no command, event or read model" }
        if policies.contains(name) || words.contains(name) { return nil }
        // `time-warning-300` is one of `time-warning-N`.
        if let timer = name.firstMatch(of: /^(.*)-\d+$/), words.contains("\(timer.output.1)-N") {
            return nil
        }
        return "nowhere else on the page"
    }
}

extension ContractPage {
    /// `examroom.exam.withdrawn`, `.archived`: the later ones share the first one's noun.
    var eventTypes: [String] {
        rows("Events").flatMap { row in
            let names = ContractPage.quoted(row[0])
            let noun = names.first.map { $0[..<($0.lastIndex(of: ".") ?? $0.endIndex)] } ?? ""
            return names.map { $0.hasPrefix(".") ? noun + $0 : $0 }
        }
    }

    /// The rows of the table of requirements: the number in the source, and where it went.
    var requirements: [(source: String, place: String)] {
        section(Defined.requirements).filter { $0.hasPrefix("| ") }.compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2, cells[0] != "source", cells[0] != "---" else { return nil }
            return (cells[0], cells[1])
        }
    }
}

@Suite struct `Where each requirement of ExamRoom went` {
    private let defined: Defined

    init() throws { defined = try Defined() }

    @Test func `is said for every one of them, without gaps`() {
        let numbers = defined.page.requirements.compactMap { row -> [Int]? in
            let parts = row.source.split(separator: ".").compactMap { Int($0) }
            return parts.count == 2 ? parts : nil
        }
        let chapters = Dictionary(grouping: numbers) { $0[0] }
        #expect(chapters.keys.sorted() == Array(1...23))
        for (chapter, rows) in chapters {
            #expect(rows.map { $0[1] } == Array(1..<rows.count + 1), "chapter \(chapter)")
        }
    }

    @Test func `names rules and things that the page defines`() {
        for row in defined.page.requirements {
            for rule in RuleBook.all[0].cited(in: row.place, ranges: true) {
                #expect(defined.rules.contains("R\(rule)"), "\(row.source): R\(rule)")
            }
            var noun = ""
            for name in ContractPage.quoted(row.place) {
                let problem = defined.problem(of: name, noun: &noun)
                #expect(problem == nil, "\(row.source): `\(name)`: \(problem ?? "")")
            }
            #expect(!row.place.isEmpty, "\(row.source) went nowhere")
        }
    }

    /// What the page defines is in the code, or on the list of what is still to come.
    @Test func `is there: every command, event, read model and policy of the page`() throws {
        let built = Set(try TemporaryJournal().open().models().map(\.name))
        for (kind, wanted, there, later) in [
            (
                "command", defined.commands, Set(ExamRoom.commands.map(\.name)), Later.commands
            ),
            ("event", defined.events, Set(ExamRoom.payloads.map(\.name)), Later.events),
            ("read model", defined.models, built, Later.models),
            ("policy", defined.policies, Set(ExamRoom.Policy.entries.map(\.name)), [:]),
        ] {
            let listed = Set(later.keys.map { "examroom.\($0)" })
            let missing = wanted.subtracting(there).subtracting(listed)
            #expect(missing.isEmpty, "no such \(kind): \(missing.sorted())")
            let finished = listed.intersection(there)
            #expect(finished.isEmpty, "take off the list: \(finished.sorted())")
            let unknown = listed.subtracting(wanted)
            #expect(unknown.isEmpty, "listed, but on no page: \(unknown.sorted())")
        }
    }
}
