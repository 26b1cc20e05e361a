package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// A student's data between two fresh starts (R45).
    package struct EpochRow: Record {
        package var student = StudentID.none
        /// Whose key seals what is personal.
        package var person = InternedText.empty
        package var beganAt = Instant.epoch
        // Profile
        package var name: Title?
        package var occupation: Title?
        package var workplace: Title?
        package var bio: Body?
        // Settings
        package var fonts: [Fonts] = []
        package var codeBlock = true
        package var mathLatex = true
        package var wantsDailyQuiz = true
        package var wantsStudy = true
        package var wantsQuickQuiz = false
        package var quickQuizFrequency = Reminders.Frequency.weekly
        // Openings (R25)
        package var opened: Opening?
        package var openDays = DaySet()
        // Things
        /// Open ones, last changed last.
        package var drafts: [DraftID] = []
        /// In order of creation, not deleted.
        package var subjects: [SubjectID] = []
        /// The subjects in order of their last opening or bookmark, the latest last (R40).
        package var recent: [SubjectID] = []
        /// How many were begun; `State.quizLists` has them in that order.
        package var quizzes = 0
        package var dailyQuiz: QuizID?
        package var optionalQuiz: QuizID?
        // Pool
        /// How many were pooled; `State.pools` has them in that order.
        package var pooled = 0
        package var inPool = 0
        /// The days on which questions are due, ascending, with how many are due on each (R20).
        package var dueDays: [DueCount] = []
        // Quizzes and streaks (R32)
        package var completedDailies: [CompletedDaily] = []
        package var lastStreak = 0
        package var longestStreak = 0
        package var skipped = DaySet()
        /// The last missed day of which no due date tells (R32).
        package var missed: LocalDate?
        package var optionalDays = DaySet()
        /// The days on which reminders were raised, by kind.
        package var reminded = [DaySet(), DaySet(), DaySet()]
        // Totals (R36)
        package var generated = 0
        package var completed = 0
        package var answered = 0
        package var correct = 0
        package var studySeconds = 0
        package var studies = 0
        package var notices = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("person", &person)
            coder.field("beganAt", &beganAt)
            coder.kept("name", &name, of: person.symbol)
            coder.kept("occupation", &occupation, of: person.symbol)
            coder.kept("workplace", &workplace, of: person.symbol)
            coder.kept("bio", &bio, of: person.symbol)
            coder.field("fonts", &fonts)
            coder.field("codeBlock", &codeBlock)
            coder.field("mathLatex", &mathLatex)
            coder.field("wantsDailyQuiz", &wantsDailyQuiz)
            coder.field("wantsStudy", &wantsStudy)
            coder.field("wantsQuickQuiz", &wantsQuickQuiz)
            coder.field("quickQuizFrequency", &quickQuizFrequency)
            coder.field("opened", &opened)
            coder.field("openDays", &openDays)
            coder.field("drafts", &drafts)
            coder.field("subjects", &subjects)
            coder.field("recent", &recent)
            coder.field("quizzes", &quizzes)
            coder.field("dailyQuiz", &dailyQuiz)
            coder.field("optionalQuiz", &optionalQuiz)
            coder.field("pooled", &pooled)
            coder.field("inPool", &inPool)
            coder.field("dueDays", &dueDays)
            coder.field("completedDailies", &completedDailies)
            coder.field("lastStreak", &lastStreak)
            coder.field("longestStreak", &longestStreak)
            coder.field("skipped", &skipped)
            coder.field("missed", &missed)
            coder.field("optionalDays", &optionalDays)
            coder.field("reminded", &reminded)
            coder.field("generated", &generated)
            coder.field("completed", &completed)
            coder.field("answered", &answered)
            coder.field("correct", &correct)
            coder.field("studySeconds", &studySeconds)
            coder.field("studies", &studies)
            coder.field("notices", &notices)
        }
    }

    /// How many epochs there were, of all students.
    package struct EpochCount: Record {
        package var count = 0

        package init() {}
    }
}

extension Learnable.State {
    func beginEpoch(of student: Learnable.StudentID, at instant: Instant) -> Ordinal {
        let number = epochCounts.update(.only) { counts in
            counts.count += 1
            return counts.count
        }
        let epoch = Ordinal(number)
        epochs.update(epoch) {
            $0.student = student
            $0.beganAt = instant
        }
        return epoch
    }

    /// Cancels what the epoch had waiting, and clears the profile.
    func leaveEpoch(of student: Learnable.StudentID) {
        guard let number = students.read(student, { $0.epoch }), let epoch = epochs[number] else {
            return
        }
        for draft in epoch.drafts { cancelExpiry(of: draft) }
        for subject in epoch.subjects { subjects[subject].map { spend($0) } }
        epochs.updateExisting(number) {
            $0.name = nil
            $0.occupation = nil
            $0.workplace = nil
            $0.bio = nil
        }
    }

    /// The student's present epoch.
    package func epoch(of student: Learnable.StudentID) -> Learnable.EpochRow? {
        students[student].flatMap { epochs[$0.epoch] }
    }

    package func epoch(of student: Learnable.StudentRow) -> Learnable.EpochRow {
        epochs[student.epoch] ?? Learnable.EpochRow()
    }

    /// Changes the student's present epoch, if the student is there.
    func changeEpoch(
        of student: Learnable.StudentID, _ body: (inout Learnable.EpochRow) -> Void
    ) {
        guard let epoch = students.read(student, { $0.epoch }) else { return }
        epochs.updateExisting(epoch, body)
    }
}
