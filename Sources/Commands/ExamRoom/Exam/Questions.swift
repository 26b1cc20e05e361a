package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Adds a question at the end of the exam (R8).
    package struct AddQuestion: Command {
        package static let type = "examroom.question.add"
        var exam = ExamID.none
        var question = QuestionID.none
        var prompt = ""
        var options: [Question.Choice] = []
        var points: Int?
        var explanation: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
            coder.field("prompt", &prompt)
            coder.field("options", &options)
            coder.optional("points", &points)
            coder.optional("explanation", &explanation)
        }

        package func who(in room: Room) -> Who { .admin }

        var content: Question.Content {
            var content = Question.Content()
            content.prompt = prompt
            content.options = options
            content.points = points ?? 1
            content.explanation = explanation
            return content
        }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            let row = try room.editableExam(exam)
            try content.check(against: room.policy)
            if row.questions >= room.policy.maxQuestions { throw .tooManyQuestions }
            if room.banks[exam]?.hasUsed(question) == true { throw .alreadyExists }  // R1
            scene.record(
                Question.Added(exam: exam, question: question, content: content),
                on: scene.examStream(exam))
        }
    }

    /// Changes a question; attempts already started keep the paper they began with (R9).
    package struct ReviseQuestion: Command {
        package static let type = "examroom.question.revise"

        var exam = ExamID.none
        var question = QuestionID.none
        var changes = GivenContent()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
            coder.field("changes", &changes)
        }

        package func problem(_ names: Names) -> String? {
            changes == GivenContent() ? "expected \"changes\" with at least one field" : nil
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            _ = try room.exam(exam)
            let present = try room.question(question, of: exam).content
            _ = try room.editableExam(exam)
            var content = present
            changes.apply(to: &content)
            try content.check(against: room.policy)
            var different: [String] = []
            if content.explanation != present.explanation { different.append("explanation") }
            if content.options != present.options { different.append("options") }
            if content.points != present.points { different.append("points") }
            if !content.prompt.isExactly(present.prompt) { different.append("prompt") }
            if different.isEmpty { throw .nothingToChange }
            scene.record(
                Question.Revised(
                    exam: exam, question: question, content: content, names: different),
                on: scene.examStream(exam))
        }
    }

    /// Takes a question out of the exam.
    package struct RemoveQuestion: Command {
        package static let type = "examroom.question.remove"
        var exam = ExamID.none
        var question = QuestionID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            let row = try room.exam(exam)
            let removed = try room.question(question, of: exam)
            _ = try room.editableExam(exam)
            if row.isPublished, row.questions == 1 { throw .lastQuestion }
            scene.remove(question, of: exam, removed)
        }
    }

    /// Gives a question its image, in place of a former one (6.3, 18.1).
    package struct AttachImage: Command {
        package static let type = "examroom.image.attach"
        var exam = ExamID.none
        var question = QuestionID.none
        var hash = ImageHash.none
        var format = ""
        var bytes = 0
        var originalBytes: Int?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
            coder.field("hash", &hash)
            coder.field("format", &format)
            coder.field("bytes", &bytes)
            coder.optional("originalBytes", &originalBytes)
        }

        package func problem(_ names: Names) -> String? {
            names.isHash(hash) ? nil : "expected \"hash\" as 64 lower-case hex digits"
        }

        package func who(in room: Room) -> Who { .admin }

        var file: Image.File { Image.File(hash: hash, format: format, bytes: bytes) }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            _ = try room.exam(exam)
            let former = try room.question(question, of: exam).image
            _ = try room.editableExam(exam)
            try file.check(against: room.policy)
            if former?.hash == hash { throw .nothingToChange }
            scene.record(
                Image.Attached(
                    exam: exam, question: question,
                    image: file,
                    originalBytes: originalBytes, replaced: former?.hash),
                on: scene.examStream(exam))
            scene.recordOrphans(among: [former].compactMap(\.self))
        }
    }

    /// Takes the image off a question.
    package struct DetachImage: Command {
        package static let type = "examroom.image.detach"
        var exam = ExamID.none
        var question = QuestionID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            _ = try room.exam(exam)
            let present = try room.question(question, of: exam).image
            _ = try room.editableExam(exam)
            guard let present else { throw .noImage }
            scene.record(
                Image.Detached(exam: exam, question: question, hash: present.hash),
                on: scene.examStream(exam))
            scene.recordOrphans(among: [present])
        }
    }
}

extension Scene<ExamRoom.Room> {
    /// R11: an image that loses its last reference with the question is orphaned.
    func remove(
        _ question: ExamRoom.QuestionID, of exam: ExamRoom.ExamID, _ row: ExamRoom.BankQuestion
    ) {
        record(
            ExamRoom.Question.Removed(exam: exam, question: question), on: examStream(exam))
        recordOrphans(among: [row.image].compactMap(\.self))
    }
}

extension ExamRoom.Image.File {
    /// 6.6, 6.7.
    func check(against policy: ExamRoom.Policy) throws(ExamRoom.Rejection) {
        if !policy.imageFormats.contains(where: { $0.isExactly(format) }) {
            throw .imageFormatUnsupported
        }
        if bytes == 0 { throw .imageEmpty }
        if bytes > policy.maxImageBytes { throw .imageTooLarge }
    }
}

extension Scene<ExamRoom.Room> {
    /// R11: those of the images that have lost their last reference, in order of hash.
    func recordOrphans(among images: [ExamRoom.Image.File]) {
        let orphans = Set(images.map(\.hash)).filter {
            state.images[$0].map { $0.references == 0 } ?? false
        }
        for hash in orphans.sorted(by: { names.text($0).precedes(names.text($1)) }) {
            record(
                ExamRoom.Image.Orphaned(hash: hash, bytes: state.images[hash]?.bytes ?? 0),
                on: "examroom/image/\(names.text(hash))")
        }
    }
}
