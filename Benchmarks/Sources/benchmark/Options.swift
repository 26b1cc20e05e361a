/// What the command line asks for.
struct Options {
    enum Task {
        case measure
        case makeJournal(String)
        case playTerm(String)
        case playCohort(String)
        case playPool(String)
        case makePlain(String)
        case writeEvents(journal: String, file: String)
        case serve(journal: String, directory: String)
        case grow(String)
        case probe(String)
        case tree(String)
    }

    static let usage = """
        usage: benchmark [--json] [--events N] [--rounds N] [--keep DIRECTORY]
                         [--only submit,budgets,replay,digest,hall]
                         [--students N] [--hall-events N] [--replay PROGRAM]
               benchmark --make-journal PATH --events N | --copies N [--term N] [--batch N]
               benchmark --play-term PATH --events N
               benchmark --play-cohort PATH --students N [--json]
               benchmark --play-pool PATH [--people N] [--questions N] [--only ask] [--json]
               benchmark --make-plain PATH --events N
               benchmark --write-events JOURNAL FILE --events N
               benchmark --peer JOURNAL DIRECTORY
               benchmark --grow DIRECTORY [--term N] [--batch N]
               benchmark --probe JOURNAL [--term N]
               benchmark --tree JOURNAL
        """

    var task = Task.measure
    var events = 1_000_000
    var rounds = 5
    var students = 100_000
    var hallEvents = 2_000_000
    var people = 10_000
    /// Of each of them.
    var questions = 1000
    var replay: String?
    var directory: String?
    var isJSON = false
    var only: Set<String> = []
    var copies: Int?
    /// Events a frame of a journal made.
    var batch = 500
    var term = MixedJournal.termEvents

    /// Nil if the arguments make no sense.
    init?(_ arguments: ArraySlice<String>) {
        var rest = arguments
        func text() -> String? { rest.popFirst() }
        func number() -> Int? { rest.popFirst().flatMap { Int($0) } }
        func pair() -> (String, String)? {
            guard let first = rest.popFirst(), let second = rest.popFirst() else { return nil }
            return (first, second)
        }
        func take<T>(_ value: T?, _ use: (T) -> Void) -> Bool {
            guard let value else { return false }
            use(value)
            return true
        }
        while let argument = rest.popFirst() {
            let isUnderstood =
                switch argument {
                case "--json": take(true) { isJSON = $0 }
                case "--events": take(number()) { events = $0 }
                case "--rounds": take(number()) { rounds = $0 }
                case "--students": take(number()) { students = $0 }
                case "--hall-events": take(number()) { hallEvents = $0 }
                case "--people": take(number()) { people = max(1, $0) }
                case "--questions": take(number()) { questions = max(1, $0) }
                case "--copies": take(number()) { copies = $0 }
                case "--batch": take(number()) { batch = $0 }
                case "--term": take(number()) { term = $0 }
                case "--keep": take(text()) { directory = $0 }
                case "--replay": take(text()) { replay = $0 }
                case "--only":
                    take(text()) { only.formUnion($0.split(separator: ",").map(String.init)) }
                case "--make-journal": take(text()) { task = .makeJournal($0) }
                case "--play-term": take(text()) { task = .playTerm($0) }
                case "--play-cohort": take(text()) { task = .playCohort($0) }
                case "--play-pool": take(text()) { task = .playPool($0) }
                case "--make-plain": take(text()) { task = .makePlain($0) }
                case "--grow": take(text()) { task = .grow($0) }
                case "--tree": take(text()) { task = .tree($0) }
                case "--probe": take(text()) { task = .probe($0) }
                case "--write-events":
                    take(pair()) { task = .writeEvents(journal: $0.0, file: $0.1) }
                case "--peer": take(pair()) { task = .serve(journal: $0.0, directory: $0.1) }
                default: false
                }
            guard isUnderstood else { return nil }
        }
    }
}
