import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Publishes a version of a legal text; the policy says which one is in force (R50).
    struct PublishLegal: Command {
        static let type = "tafawoq.legal.publish"
        var document = Legal.Kind.terms
        var version = ""
        var text = ""
        var textAr = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("document", &document)
            coder.text("version", &version, of: 1...64)
            coder.text("text", &text, of: 1...Bounds.text.upperBound)
            coder.text("textAr", &textAr, of: 1...Bounds.text.upperBound)
        }

        func senders(in state: State) -> Senders { .admin }

        func concerned(in state: State) -> StudentID? { nil }

        func decide(in context: Context) throws(Rejection) {
            // What somebody accepted stays what it was.
            if context.state.published(document).version(version) != nil {
                throw context.alreadyExists(document.rawValue, version)
            }
            context.record(
                Legal.Published(
                    document: document, version: version, text: text, textAr: textAr),
                on: "tafawoq/legal/\(document.rawValue)")
        }
    }

    /// Accepts a version of a legal text (R50).
    struct AcceptLegal: StudentCommand {
        static let type = "tafawoq.legal.accept"
        var student = StudentID.none
        var document = Legal.Kind.terms
        var version = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("document", &document)
            coder.text("version", &version, of: 1...64)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            let isInForce = context.policy.legalVersion(of: document).isExactly(version)
            if !isInForce, context.state.published(document).version(version) == nil {
                throw context.notFound(document.rawValue, version)
            }
            if row.accepted(document)?.isExactly(version) == true { throw .alreadyAccepted }
            context.record(
                Legal.Accepted(student: student, document: document, version: version),
                on: context.accountStream(of: student))
        }
    }
}
