package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// What was studied in an epoch (R33, R35).
    package struct StudyRow: Record {
        package struct Day: Record {
            package var day = LocalDate.epoch
            package var seconds = 0

            package init() {}
        }

        package struct Span: Record {
            package var from = Instant.epoch
            package var to = Instant.epoch

            package init() {}
        }

        /// Ascending.
        package private(set) var days: [Day] = []
        /// Ascending; spans that touch are one.
        package private(set) var spans: [Span] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("days", &days)
            coder.field("spans", &spans)
        }

        package func seconds(on day: LocalDate) -> Int {
            let index = days.insertionIndex { $0.day < day }
            return index < days.count && days[index].day == day ? days[index].seconds : 0
        }

        package mutating func add(_ seconds: Int, on day: LocalDate) {
            let index = days.insertionIndex { $0.day < day }
            if index < days.count, days[index].day == day {
                days[index].seconds = days[index].seconds.addingClamping(seconds)
            } else {
                days.insert(.with { ($0.day, $0.seconds) = (day, seconds) }, at: index)
            }
        }

        /// Whether a span overlaps one recorded before; touching is no overlap (R35).
        package func overlaps(_ from: Instant, _ to: Instant) -> Bool {
            let index = spans.insertionIndex { $0.to <= from }
            return index < spans.count && spans[index].from < to
        }

        package mutating func add(_ from: Instant, _ to: Instant) {
            var span = Span.with { ($0.from, $0.to) = (from, to) }
            var index = spans.insertionIndex { $0.to < from }
            while index < spans.count, spans[index].from <= to {
                span.from = min(span.from, spans[index].from)
                span.to = max(span.to, spans[index].to)
                spans.remove(at: index)
            }
            index = spans.insertionIndex { $0.to < span.from }
            spans.insert(span, at: index)
        }
    }

    /// A span of study as it was recorded, for the download.
    package struct StudyEntry: Record {
        package var activity = Study.Activity.lecture
        package var subject: SubjectID?
        package var from = Instant.epoch
        package var to = Instant.epoch
        package var seconds = 0
        package var days: [Study.DayShare] = []

        package init() {}
    }
}

extension Learnable.State {
    static func studyRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Study.Recorded.self) { state, event, _ in state.recorded(event) }
    }

    private func recorded(_ event: Learnable.Study.Recorded) {
        guard let epoch = students.read(event.student, { $0.epoch }) else { return }
        studies.update(epoch) { row in
            for share in event.days { row.add(share.seconds, on: share.day) }
            row.add(event.from, event.to)
        }
        let index = epochs.update(epoch) { row in
            row.studySeconds = row.studySeconds.addingClamping(event.seconds)
            row.studies += 1
            return row.studies - 1
        }
        studyEntries.append(
            .with {
                $0.activity = event.activity
                $0.subject = event.subject
                $0.from = event.from
                $0.to = event.to
                $0.seconds = event.seconds
                $0.days = event.days
            }, to: epoch, at: index)
    }
}
