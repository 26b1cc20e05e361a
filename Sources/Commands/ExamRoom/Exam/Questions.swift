import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Adds a question at the end of the exam (R8).
    struct AddQuestion: Command {
        static let type = "examroom.question.add"
        var exam = ExamID.none
        var question = QuestionID.none
        var prompt = ""
        var options: [Question.Choice] = []
        var points: Int?
        var explanation: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
            coder.field("prompt", &prompt)
            coder.field("options", &options)
            coder.optional("points", &points)
            coder.optional("explanation", &explanation)
        }

        func senders(in state: State) -> Senders { .admin }

        var content: Question.Content {
            var content = Question.Content()
            content.prompt = prompt
            content.options = options
            content.points = points ?? 1
            content.explanation = explanation
            return content
        }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try state.editableExam(exam)
            try content.check(against: state.policy)
            if row.questions >= state.policy.maxQuestions { throw .tooManyQuestions }
            if state.banks[exam]?.hasUsed(question) == true { throw .alreadyExists }  // R1
            context.record(
                Question.Added(exam: exam, question: question, content: content),
                on: context.examStream(exam))
        }
    }

    /// Changes a question; attempts already started keep the paper they began with (R9).
    struct ReviseQuestion: Command {
        static let type = "examroom.question.revise"

        var exam = ExamID.none
        var question = QuestionID.none
        var changes = GivenContent()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
            coder.field("changes", &changes)
        }

        func problem(_ names: Names) -> String? {
            changes == GivenContent() ? "expected \"changes\" with at least one field" : nil
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            _ = try state.exam(exam)
            let present = try state.question(question, of: exam).content
            _ = try state.editableExam(exam)
            var content = present
            changes.apply(to: &content)
            try content.check(against: state.policy)
            var different: [String] = []
            if content.explanation != present.explanation { different.append("explanation") }
            if content.options != present.options { different.append("options") }
            if content.points != present.points { different.append("points") }
            if !content.prompt.isExactly(present.prompt) { different.append("prompt") }
            if different.isEmpty { throw .nothingToChange }
            context.record(
                Question.Revised(
                    exam: exam, question: question, content: content, names: different),
                on: context.examStream(exam))
        }
    }

    /// Takes a question out of the exam.
    struct RemoveQuestion: Command {
        static let type = "examroom.question.remove"
        var exam = ExamID.none
        var question = QuestionID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try state.exam(exam)
            let removed = try state.question(question, of: exam)
            _ = try state.editableExam(exam)
            if row.isPublished, row.questions == 1 { throw .lastQuestion }
            context.remove(question, of: exam, removed)
        }
    }

    /// Gives a question its image, in place of a former one (6.3, 18.1).
    struct AttachImage: Command {
        static let type = "examroom.image.attach"
        var exam = ExamID.none
        var question = QuestionID.none
        var hash = ImageHash.none
        var format = ""
        var bytes = 0
        var originalBytes: Int?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
            coder.field("hash", &hash)
            coder.field("format", &format)
            coder.field("bytes", &bytes)
            coder.optional("originalBytes", &originalBytes)
        }

        func problem(_ names: Names) -> String? {
            names.isHash(hash) ? nil : "expected \"hash\" as 64 lower-case hex digits"
        }

        func senders(in state: State) -> Senders { .admin }

        var file: Image.File { Image.File(hash: hash, format: format, bytes: bytes) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            _ = try state.exam(exam)
            let former = try state.question(question, of: exam).image
            _ = try state.editableExam(exam)
            try file.check(against: state.policy)
            if former?.hash == hash { throw .nothingToChange }
            context.record(
                Image.Attached(
                    exam: exam, question: question,
                    image: file,
                    originalBytes: originalBytes, replaced: former?.hash),
                on: context.examStream(exam))
            context.recordOrphans(among: [former].compactMap(\.self))
        }
    }

    /// Takes the image off a question.
    struct DetachImage: Command {
        static let type = "examroom.image.detach"
        var exam = ExamID.none
        var question = QuestionID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            _ = try state.exam(exam)
            let present = try state.question(question, of: exam).image
            _ = try state.editableExam(exam)
            guard let present else { throw .noImage }
            context.record(
                Image.Detached(exam: exam, question: question, hash: present.hash),
                on: context.examStream(exam))
            context.recordOrphans(among: [present])
        }
    }
}

extension DecisionContext<ExamRoom> {
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

extension DecisionContext<ExamRoom> {
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
