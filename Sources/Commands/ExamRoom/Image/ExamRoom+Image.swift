import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Attaches an image to a question, replacing the former one (6.3, 18.1).
    struct AttachImage: Command {
        static let type = "examroom.image.attach"
        var exam = ExamID.none
        var question = QuestionID.none
        var hash = ImageHash.none
        var format = ""
        var bytes = 0
        var originalBytes: Int?

        func problem(_ names: Names) -> String? {
            names.isHash(hash) ? nil : "expected \"hash\" as 64 lower-case hex digits"
        }

        func senders(in state: State) -> Senders { .admin }

        var file: Image.File { Image.File(hash: hash, format: format, bytes: bytes) }

        func decide(in context: Context) throws(Rejection) {
            let former = try context.findEditable(question, of: exam).image
            try file.check(against: context.state.policy)
            if former?.hash == hash { throw .nothingToChange }
            context.record(
                Image.Attached(
                    exam: exam, question: question,
                    image: file,
                    originalBytes: originalBytes, replaced: former?.hash),
                on: exam)
            context.recordOrphans(among: [former].compactMap(\.self))
        }
    }

    /// Detaches the image from a question (R11).
    struct DetachImage: QuestionCommand {
        static let type = "examroom.image.detach"
        var exam = ExamID.none
        var question = QuestionID.none

        func decide(in context: Context) throws(Rejection) {
            guard let present = try context.findEditable(question, of: exam).image else {
                throw .noImage
            }
            context.record(
                Image.Detached(exam: exam, question: question, hash: present.hash),
                on: exam)
            context.recordOrphans(among: [present])
        }
    }
}

extension ExamRoom.Image.File {
    /// The format and the size are accepted (6.6, 6.7).
    func check(against policy: ExamRoom.Policy) throws(ExamRoom.Rejection) {
        if !policy.imageFormats.contains(where: { $0.isExactly(format) }) {
            throw .imageFormatUnsupported
        }
        if bytes == 0 { throw .imageEmpty }
        if bytes > policy.maxImageBytes { throw .imageTooLarge }
    }

    /// The file breaks no code, and its hash has the right form.
    func isAccepted(in state: ExamRoom.State) -> Bool {
        do throws(ExamRoom.Rejection) {
            try check(against: state.policy)
        } catch {
            return false
        }
        return state.names.isHash(hash)
    }
}

extension DecisionContext<ExamRoom> {
    /// Records as orphaned those of the images that no question refers to any more, in order of hash (R11).
    func recordOrphans(among images: [ExamRoom.Image.File]) {
        let orphans = Set(images.map(\.hash)).filter {
            state.images[$0].map { $0.references == 0 } ?? false
        }
        for hash in orphans.sorted(by: { names.text($0).precedes(names.text($1)) }) {
            record(
                ExamRoom.Image.Orphaned(hash: hash, bytes: state.images[hash]?.bytes ?? 0),
                on: hash)
        }
    }
}

extension Names {
    /// 64 lower-case hex digits.
    func isHash(_ hash: ExamRoom.ImageHash) -> Bool {
        let text = text(hash)
        return text.utf8.count == 64 && Hex.bytes(text) != nil
    }
}
