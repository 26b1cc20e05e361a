package import Core
package import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// What there is of everything that is few, in order of publication.
    package struct CatalogueRow: Record {
        package var semesters: [SemesterID] = []
        package var orientation: [VideoID] = []
        package var resources: [ResourceID] = []
        package var electives: [ElectiveID] = []
        package var housewarmings: [SessionID] = []
        /// Sessions with a recording.
        package var recorded: [SessionID] = []
        /// UTC days on which sessions, and slots, start; ascending.
        package var sessionDays: [Ordinal] = []
        package var slotDays: [Ordinal] = []
        /// Hours since 1970 in which placements fall due that somebody waits for; ascending.
        package var waitingHours: [Ordinal] = []
        /// The lengths of the chains.
        package var students = 0
        package var help = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("semesters", &semesters)
            coder.field("orientation", &orientation)
            coder.field("resources", &resources)
            coder.field("electives", &electives)
            coder.field("housewarmings", &housewarmings)
            coder.field("recorded", &recorded)
            coder.field("sessionDays", &sessionDays)
            coder.field("slotDays", &slotDays)
            coder.field("waitingHours", &waitingHours)
            coder.field("students", &students)
            coder.field("help", &help)
        }
    }

    package struct SemesterRow: Record {
        package var name = ""
        package var startsOn = LocalDate.epoch
        package var timeZone = Word.empty
        package var weekStarts: [Instant] = []
        package var enrollmentOpensAt: Instant?
        /// The length of its cohort.
        package var enrollments = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("name", &name)
            coder.field("startsOn", &startsOn)
            coder.field("timeZone", &timeZone)
            coder.field("weekStarts", &weekStarts)
            coder.field("enrollmentOpensAt", &enrollmentOpensAt)
            coder.field("enrollments", &enrollments)
        }

        package var weeks: Int { weekStarts.count - 1 }
        package var startsAt: Instant { weekStarts.first ?? .epoch }

        /// R6.
        package func isOver(at instant: Instant) -> Bool {
            weekStarts.last.map { instant >= $0 } ?? true
        }

        /// R12.
        package func isEnrollmentOpen(at instant: Instant) -> Bool {
            enrollmentOpensAt.map { instant >= $0 } ?? true
        }
    }

    package struct LessonRow: Record {
        package var topic = ""
        package var objectives: [String] = []
        package var videos: [Lesson.Video] = []
        package var passage = Passage()
        package var notes: String?
        package var revisions = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("topic", &topic)
            coder.field("objectives", &objectives)
            coder.field("videos", &videos)
            coder.field("passage", &passage)
            coder.field("notes", &notes)
            coder.field("revisions", &revisions)
        }

        package var seconds: Int { videos.reduce(0) { $0.addingClamping($1.seconds) } }
    }

    package struct EOCDefinitionRow: Record {
        package var description = ""
        package var passage = Passage()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("description", &description)
            coder.field("passage", &passage)
        }
    }

    /// A video that is in use (R1).
    package struct VideoRow: Record {
        package var kind = Video.Kind.lesson
        package var title = ""
        package var seconds = 0
        /// Of a lesson's.
        package var level = 0
        package var week = 0
        /// Of a session's.
        package var session: SessionID?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("kind", &kind)
            coder.field("title", &title)
            coder.field("seconds", &seconds)
            coder.field("level", &level)
            coder.field("week", &week)
            coder.field("session", &session)
        }
    }

    package struct ResourceRow: Record {
        package var title = ""
        package var category = Resource.Category.essential
        package var source = ""
        package var isWithdrawn = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("title", &title)
            coder.field("category", &category)
            coder.field("source", &source)
            coder.field("isWithdrawn", &isWithdrawn)
        }
    }

    package struct AnnouncementRow: Record {
        package var title = ""
        package var text = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("title", &title)
            coder.field("text", &text)
        }
    }

    package struct ElectiveRow: Record {
        package var title = ""
        package var description = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("title", &title)
            coder.field("description", &description)
        }
    }
}

extension QuranFlow.State {
    package var catalogue: QuranFlow.CatalogueRow { catalogues[.only] ?? .init() }

    func catalogue<R>(_ body: (inout QuranFlow.CatalogueRow) -> R) -> R {
        catalogues.update(.only, body)
    }

    static func catalogueRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Semester.Scheduled.self) { $0.scheduled($1, $2) }
        routes.on(QuranFlow.Lesson.Published.self) { state, event, _ in
            var row = QuranFlow.LessonRow()
            row.topic = event.topic
            row.objectives = event.objectives
            row.videos = event.videos
            row.passage = event.passage
            row.notes = event.notes
            state.publish(row, level: event.level, week: event.week)
        }
        routes.on(QuranFlow.Lesson.Revised.self) { state, event, _ in
            let key = QuranFlow.LessonKey(level: event.level, week: event.week)
            guard let former = state.lessons[key] else { return }
            var row = QuranFlow.LessonRow()
            row.topic = event.topic
            row.objectives = event.objectives
            row.videos = event.videos
            row.passage = event.passage
            row.notes = event.notes
            row.revisions = former.revisions + 1
            for video in former.videos { state.videos.remove(video.video) }
            state.publish(row, level: event.level, week: event.week)
        }
        routes.on(QuranFlow.Level.EOCDefined.self) { state, event, _ in
            state.eocs.update(Ordinal(event.level)) {
                $0.description = event.description
                $0.passage = event.passage
            }
        }
        routes.on(QuranFlow.Orientation.Published.self) { state, event, metadata in
            let video: QuranFlow.VideoID = state.thing(of: metadata)
            state.videos.update(video) {
                $0.kind = .orientation
                $0.title = event.title
                $0.seconds = event.seconds
            }
            state.catalogue { $0.orientation.append(video) }
        }
        routes.on(QuranFlow.Resource.Published.self) { state, event, metadata in
            let resource: QuranFlow.ResourceID = state.thing(of: metadata)
            state.resources.update(resource) {
                $0.title = event.title
                $0.category = event.category
                $0.source = event.source
            }
            state.catalogue { $0.resources.append(resource) }
        }
        routes.on(QuranFlow.Resource.Withdrawn.self) { state, _, metadata in
            state.resources.updateExisting(state.thing(of: metadata)) { $0.isWithdrawn = true }
        }
        routes.on(QuranFlow.Announcement.Posted.self) { state, event, metadata in
            state.announcements.update(state.thing(of: metadata)) {
                $0.title = event.title
                $0.text = event.text
            }
        }
        routes.on(QuranFlow.Elective.Offered.self) { state, event, metadata in
            let elective: QuranFlow.ElectiveID = state.thing(of: metadata)
            state.electives.update(elective) {
                $0.title = event.title
                $0.description = event.description
            }
            state.catalogue { $0.electives.append(elective) }
        }
    }

    private func scheduled(_ event: QuranFlow.Semester.Scheduled, _ metadata: EventMetadata) {
        let semester: QuranFlow.SemesterID = thing(of: metadata)
        semesters.update(semester) {
            $0.name = event.name
            $0.startsOn = event.startsOn
            $0.timeZone = event.timeZone
            $0.weekStarts = event.weekStarts
            $0.enrollmentOpensAt = event.enrollmentOpensAt
        }
        catalogue { $0.semesters.append(semester) }
        if let opensAt = event.enrollmentOpensAt, opensAt > metadata.at {
            timers.set(
                QuranFlow.TimerName.enrollmentOpen, on: metadata.stream, due: opensAt,
                cause: metadata.position)
        }
    }

    private func publish(_ row: QuranFlow.LessonRow, level: Int, week: Int) {
        for video in row.videos {
            videos.update(video.video) {
                $0.kind = .lesson
                $0.title = video.title
                $0.seconds = video.seconds
                $0.level = level
                $0.week = week
            }
        }
        lessons.insert(row, at: .init(level: level, week: week))
    }

    package func lesson(level: Int, week: Int) -> QuranFlow.LessonRow? {
        lessons[.init(level: level, week: week)]
    }
}
