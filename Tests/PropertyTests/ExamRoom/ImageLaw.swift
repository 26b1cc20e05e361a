import Core
import ExamRoomEvents
import TestSupport
import Testing

/// Which image every question has, and where the last reference to one goes (R11).
struct ImageLaw {
    private struct Image {
        let bytes: JSON
        let format: JSON
    }

    /// By `exam#question`; what is removed or deleted keeps its image for when it comes back.
    private var images: [String: String] = [:]
    private var removed: Set<String> = []
    private var deleted: Set<String> = []
    private var known: [String: Image] = [:]

    /// How many questions of exams that are there refer to each image.
    private var references: [String: Int] {
        var counts: [String: Int] = [:]
        for (place, hash) in images where !removed.contains(place) {
            let exam = String(place.prefix { $0 != "#" })
            if !deleted.contains(exam) { counts[hash, default: 0] += 1 }
        }
        return counts
    }

    static func broken(by room: LivedRoom) throws -> String? {
        var law = ImageLaw()
        var due: [String] = []
        for event in room.events {
            if event.type == "examroom.image.orphaned" {
                guard let hash = due.first else { return "orphaned too much: \(event.text)" }
                due.removeFirst()
                let bytes = law.known[hash]?.bytes
                if event.text("hash") != hash || event.data["bytes"] != bytes {
                    return "expected \(hash) to be orphaned: \(event.text)"
                }
                continue
            }
            if let hash = due.first { return "\(hash) is not orphaned before \(event.text)" }
            let before = law.references
            law.take(event)
            let after = law.references
            due = before.keys.filter { after[$0] == nil }.sorted()
        }
        if let hash = due.first { return "\(hash) is not orphaned at the end" }
        let view = try room.show("images", nil, ["page": "all"])
        let wanted = law.references.sorted { $0.key < $1.key }.map { hash, count in
            JSON.object(of: [
                ("hash", .string(hash)), ("references", .integer(Int64(count))),
                ("bytes", law.known[hash]?.bytes ?? .null),
                ("format", law.known[hash]?.format ?? .null),
            ])
        }
        if view["images"] != .array(wanted) {
            return "images \(view["images"] ?? .null), counted \(JSON.array(wanted))"
        }
        let total = wanted.compactMap { $0["bytes"]?.wholeNumber }.reduce(0, +)
        return view["totalBytes"]?.wholeNumber == total ? nil : "the total is \(total): \(view)"
    }

    private mutating func take(_ event: PastFact) {
        let exam = event.text("exam")
        let place = exam + "#" + event.text("question")
        switch event.type {
        case "examroom.image.attached":
            bring(event.data["image"])
            if !event.lost("image") { images[place] = event.data["image"]?["hash"]?.string }
        case "examroom.image.detached":
            if !event.lost("image") { images[place] = nil }
        case "examroom.exam.duplicated", "examroom.exam.imported":
            for question in event.data["questions"]?.array ?? [] {
                guard let image = question["image"], !image.isNull else { continue }
                bring(image)
                let id = question["question"]?.string ?? ""
                images[exam + "#" + id] = image["hash"]?.string
            }
        case "examroom.question.removed": removed.insert(place)
        case "examroom.question.restored": removed.remove(place)
        case "examroom.exam.deleted": deleted.insert(exam)
        case "examroom.exam.restored": deleted.remove(exam)
        default: break
        }
    }

    private mutating func bring(_ image: JSON?) {
        guard let hash = image?["hash"]?.string else { return }
        known[hash] = Image(bytes: image?["bytes"] ?? .null, format: image?["format"] ?? .null)
    }
}

@Suite struct `Images` {
    @Test(
        "R11: are referred to as often as counted, and orphaned where the last reference went",
        arguments: Life.some + (UInt64(530)..<536).map { .meeting($0) })
    func areCounted(life: Life) {
        life.expect { try ImageLaw.broken(by: $0) }
    }
}
