import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Offers an elective to the students in Advanced.
    struct OfferElective: Command {
        static let type = "quranflow.elective.offer"
        var elective = ElectiveID.none
        var title: Filled = ""
        var description: Filled = ""

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try context.checkIsFree(elective, unless: context.state.electives.contains(elective))
            context.record(
                Elective.Offered(
                    title: title,
                    description: description), on: elective)
        }
    }

    /// A student's command about one elective.
    protocol ElectiveCommand: Command {
        var student: StudentID { get set }
        var elective: ElectiveID { get set }
    }

    /// Chooses an elective in Advanced.
    struct ChooseElective: ElectiveCommand {
        static let type = "quranflow.elective.choose"
        var student = StudentID.none
        var elective = ElectiveID.none

        func decide(in context: Context) throws(Rejection) {
            if try chosen(in: context).contains(elective) { throw .alreadyChosen }
            context.record(
                Elective.Chosen(
                    elective: elective), on: student)
        }
    }

    /// Gives up an elective that was chosen.
    struct DropElective: ElectiveCommand {
        static let type = "quranflow.elective.drop"
        var student = StudentID.none
        var elective = ElectiveID.none

        func decide(in context: Context) throws(Rejection) {
            if try !chosen(in: context).contains(elective) { throw .notChosen }
            context.record(
                Elective.Dropped(
                    elective: elective), on: student)
        }
    }
}

extension QuranFlow.ElectiveCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.field("elective", &elective)
    }

    func senders(in state: QuranFlow.State) -> Senders { .student(student) }

    /// The electives that the student has chosen. Student and elective exist, and the student is in Advanced.
    fileprivate func chosen(
        in context: QuranFlow.Context
    ) throws(QuranFlow.Rejection) -> [QuranFlow.ElectiveID] {
        let row = try context.find(student)
        try context.find(elective)
        if !row.isAdvanced { throw .notAdvanced }
        return row.electives
    }
}
