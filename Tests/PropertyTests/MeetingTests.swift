import Engine
import Core
import ExamRoomEvents
import TestSupport
import Testing

/// Devices that meet (ExamRoom R38-R47).
@Suite struct `Devices that meet` {
    @Test(
        "ExamRoom R47: all end with the same read models, in whichever order and grouping they meet",
        arguments: UInt64(500)..<524)
    func order(seed: UInt64) {
        let devices = 2 + Int(seed % 3)
        let history = MeetingHistory.commands(seed: seed, devices: devices)
        let failure = Law.failure(seed: seed, history) { commands in
            var meeting = Meeting(commands, devices: devices, seed: seed)
            return try meeting.failure()
        }
        if let failure { Issue.record(Comment(rawValue: failure)) }
    }
}

@Suite struct `Random meetings` {
    @Test func `make every kind of conflict, and all that a merge can record`() throws {
        var types: Set<String> = []
        var kinds: Set<String> = []
        var codes: Set<String> = []
        var losses = 0
        var repeated = 0
        for seed in UInt64(500)..<516 {
            var meeting = Meeting(
                MeetingHistory.commands(seed: seed, devices: 3), devices: 3, seed: seed)
            _ = try meeting.failure()
            for fact in try meeting.hub?.allEvents() ?? [] {
                types.insert(fact.type)
                if fact.type == "examroom.conflict.detected" { kinds.insert(fact.text("kind")) }
                if fact.data["origin"]?["superseded"]?.array?.isEmpty == false { losses += 1 }
                guard fact.type == "examroom.batch.merged" else { continue }
                repeated += fact.data["repeated"]?.array?.count ?? 0
                for refusal in fact.data["refused"]?.array ?? [] {
                    codes.insert(refusal["code"]?.string ?? "")
                }
            }
        }
        #expect(
            kinds == [
                "profile", "preference", "policy", "exam", "question", "seat", "edit-delete",
                "attempt-limit", "blocked-attempt", "late-answers", "start-outside",
            ])
        let wanted = [
            "attempt.reconciled", "exam.restored", "question.restored", "points.adjusted",
            "attempt.held", "answer.held",
        ]
        for type in wanted { #expect(types.contains("examroom.\(type)"), "\(type)") }
        #expect(losses > 50)
        #expect(repeated > 50)
        #expect(codes.contains("attempt-closed"), "met only \(codes.sorted())")
    }
}

/// One journal for each device and one for a hub that does nothing itself.
private struct Meeting {
    private let commands: [TestCommand]
    private let devices: [String]
    private var random: SplitMix64
    /// What the hub knows after the last meeting.
    private(set) var hub: EventEngine?

    init(_ commands: [TestCommand], devices: Int, seed: UInt64) {
        self.commands = commands
        self.devices = (1...devices).map { "D-\($0)" }
        random = SplitMix64(seed: seed ^ 0x5EED)
    }

    private struct Place {
        /// Empty for the hub.
        let device: String
        let journal: TemporaryJournal
        let engine: EventEngine
        /// The last position that everybody held when they parted.
        var shared: Int64 = 0
        var batches = 0
    }

    /// Lets all live through the commands and meet; why they differ, if they do.
    mutating func failure() throws -> String? {
        var rounds: [[TestCommand]] = [[]]
        var meetings: [Instant] = []
        for command in commands {
            if command.command == MeetingHistory.meet {
                meetings.append(command.at ?? .epoch)
                rounds.append([])
            } else {
                rounds[rounds.count - 1].append(command)
            }
        }
        let stage = commands.filter { $0.device == nil && $0.command != MeetingHistory.meet }
        var places = try ([""] + devices).map { device in
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            try engine.run(stage)
            return Place(device: device, journal: journal, engine: engine)
        }
        for (round, next) in meetings.enumerated() {
            var done: [String: [TestCommand]] = [:]
            for index in places.indices {
                places[index].shared = Int64(try places[index].engine.allEvents().count)
                let own = rounds[round].filter {
                    $0.device == places[index].device && !places[index].device.isEmpty
                }
                let outcomes = try places[index].engine.run(own)
                done[places[index].device] = zip(own, outcomes)
                    .filter { $1.status == .accepted }.map(\.0)
            }
            for index in places.indices {
                let at = next + Int64(-3600 * 20)
                if let problem = try merge(done, into: &places[index], at: at) { return problem }
                try places[index].engine.run([
                    TestCommand("end-\(round)", "clock.advance", at: next, by: "system")
                ])
            }
            hub = places[0].engine
            if let found = try difference(places, after: round) { return found }
        }
        return nil
    }

    /// Merges what the others did: in any order, cut anywhere, some of it twice.
    private mutating func merge(
        _ done: [String: [TestCommand]], into place: inout Place, at: Instant
    ) throws -> String? {
        var left = done
        left[place.device] = nil
        left[""] = nil
        var at = at
        while let device = left.keys.sorted().randomElement(using: &random) {
            let all = done[device] ?? []
            let rest = left[device] ?? []
            let count = Int(random.next() % UInt64(rest.count + 1))
            let isLast = count == rest.count || random.next() % 3 == 0
            var batch = isLast ? rest : Array(rest.prefix(count))
            left[device] = isLast ? nil : Array(rest.dropFirst(count))
            if random.next() % 4 == 0 {  // once more what came before
                batch = Array(all.prefix(all.count - rest.count)) + batch
            }
            place.batches += 1
            at = at + Int64(random.next() % 900)
            let merge = TestCommand(
                "merge-\(place.device)-\(place.batches)-\(at)", "examroom.device.merge", at: at,
                by: "service:hub",
                [
                    ("device", .string(device)), ("batch", .string("B-\(place.batches)")),
                    ("seen", .integer(place.shared)),
                    ("commands", .array(batch.map(\.inner))),
                ])
            let outcome = try place.engine.run([merge])[0]
            if outcome.status != .accepted { return "not merged: \(outcome.document.text)" }
        }
        return nil
    }

    // MARK: Comparing

    private func difference(_ places: [Place], after round: Int) throws -> String? {
        let hub = try Merged.documents(of: places[0].engine)
        for place in places.dropFirst() {
            let own = try Merged.documents(of: place.engine)
            if let found = Documents.difference(hub, own) {
                return "after round \(round + 1), the hub and \(place.device): \(found)"
            }
        }
        return nil
    }
}
