package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// A question's place in the schedule. Its wordings are in `variants`.
    package struct QuestionRow: Record {
        package var student = StudentID.none
        package var epoch = Ordinal(0)
        package var subject = SubjectID.none
        /// Counted from 0 in order.
        package var topic = 0
        package var place = TopicPlace.empty
        /// Place in the epoch's pool, counted from 0: the order of pooling.
        package var number = Ordinal(0)
        package var level = 1
        package var correctAtLevel = 0
        package var isMastered = false
        package var isDisabled = false
        package var isDeleted = false
        package var due = LocalDate.epoch
        package var variants = 0
        /// Events on the question's stream: the next one's revision (R19).
        package var events = 0
        // Statistics (R23)
        package var asked = 0
        package var correct = 0
        package var history: [Decision] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("epoch", &epoch)
            coder.field("subject", &subject)
            coder.field("topic", &topic)
            coder.field("place", &place)
            coder.field("number", &number)
            coder.field("level", &level)
            coder.field("correctAtLevel", &correctAtLevel)
            coder.field("isMastered", &isMastered)
            coder.field("isDisabled", &isDisabled)
            coder.field("isDeleted", &isDeleted)
            coder.field("due", &due)
            coder.field("variants", &variants)
            coder.field("events", &events)
            coder.field("asked", &asked)
            coder.field("correct", &correct)
            coder.field("history", &history)
        }

        /// What set the due date.
        package struct Decision: Record {
            package enum What: String, Choice {
                case pooled, scheduled, advanced, mastered, enabled
            }

            package var what = What.pooled
            package var correct: Bool?
            package var day = LocalDate.epoch
            package var due = LocalDate.epoch
            package var interval = 0
            package var level = 1

            package init() {}

            init(_ what: What, _ turn: Question.Turn, level: Int, correct: Bool? = nil) {
                self.what = what
                self.correct = correct
                self.level = level
                (day, due, interval) = (turn.day, turn.due, turn.interval)
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("what", &what)
                coder.field("correct", &correct)
                coder.field("day", &day)
                coder.field("due", &due)
                coder.field("interval", &interval)
                coder.field("level", &level)
            }
        }
    }

    /// A question's wordings, in the order given at pooling.
    package struct VariantsRow: Record {
        private var packed = Packed<[Variant]>.empty

        package init() {}

        init(_ packed: Packed<[Variant]>) {
            self.packed = packed
        }

        package var list: [Variant] { packed.value }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("packed", &packed)
        }
    }

    /// The places in an epoch's pool whose questions left it (R20).
    struct PoolGaps: Record {
        /// Places that follow one another.
        struct Run: Record {
            var first = 0
            var count = 0

            mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("first", &first)
                coder.field("count", &count)
            }

            var end: Int { first + count }
        }

        /// Ascending; no two touch.
        private var runs: [Run] = []

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("runs", &runs)
        }

        mutating func add(_ place: Int) {
            var run = Run.with { ($0.first, $0.count) = (place, 1) }
            var next = runs.place { $0.first <= place }
            if next < runs.count, runs[next].first == run.end {
                run.count += runs.remove(at: next).count
            }
            if next > 0, runs[next - 1].end == place {
                next -= 1
                let former = runs.remove(at: next)
                run.first = former.first
                run.count += former.count
            }
            runs.insert(run, at: next)
        }

        /// Where in a pool of `total` places those stand that are left, of these only the ones at `range`.
        func places(_ range: Range<Int>, of total: Int) -> [Range<Int>] {
            var found: [Range<Int>] = []
            var start = 0
            var passed = 0
            for gap in runs + [.with { $0.first = total }] where passed < range.upperBound {
                let low = start + max(range.lowerBound - passed, 0)
                let high = min(start + range.upperBound - passed, gap.first)
                if low < high { found.append(low..<high) }
                passed += gap.first - start
                start = gap.end
            }
            return found
        }
    }

    /// The recurring questions of an epoch that are due on one day, in order of pooling: the index that
    /// is read for "what is due", never the pool (R20, R28).
    package struct DueRow: Record {
        package struct Entry: Record {
            package var number = Ordinal(0)
            package var question = QuestionID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("number", &number)
                coder.field("question", &question)
            }
        }

        package var entries: [Entry] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("entries", &entries)
        }
    }

    package struct QuizRow: Record {
        package enum State: String, Choice {
            case open, completed, lapsed, abandoned
        }

        package var student = StudentID.none
        package var epoch = Ordinal(0)
        package var person = Word.empty
        package var kind = Quiz.Kind.daily
        package var day = LocalDate.epoch
        package var statistics = Quiz.Statistics.eachAnswer
        package var state = State.open
        package var streak: Int?
        package var pages: [QuizPage] = []
        /// Of the pages, in their order.
        package var answers: [AnyString?] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("epoch", &epoch)
            coder.field("person", &person)
            coder.field("kind", &kind)
            coder.field("day", &day)
            coder.field("statistics", &statistics)
            coder.field("state", &state)
            coder.field("streak", &streak)
            coder.field("pages", &pages)
            let hasAny = answers.contains { $0 != nil }
            var texts: [AnyString?]? = hasAny ? answers : nil
            coder.kept("answers", &texts, of: person.symbol)
            answers = texts ?? Array(repeating: nil, count: pages.count)
        }

        package var judged: Int { pages.count { $0.isJudged } }
        package var right: Int { pages.count { $0.correct == true } }

        package func index(of question: QuestionID) -> Int? {
            pages.firstIndex { $0.page.question == question }
        }
    }

    package struct QuizPage: Record {
        package var page = Quiz.Page()
        package var isAnswered = false
        package var choice: Int?
        /// Nil until it is judged.
        package var correct: Bool?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("page", &page)
            coder.field("isAnswered", &isAnswered)
            coder.field("choice", &choice)
            coder.field("correct", &correct)
        }

        package var isJudged: Bool { correct != nil }
    }
}
