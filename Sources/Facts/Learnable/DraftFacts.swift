import Core
import Folding
package import LearnableEvents

extension Learnable {
    package enum DraftTimer {
        package static let name = "draft-expiry"
    }
}

extension Learnable.Academy {
    static func draftRoutes(_ routes: inout Routes<Learnable.Academy>) {
        routes.fold(Learnable.Draft.Started.self) { $0.started($1, $2) }
        routes.fold(Learnable.Draft.Described.self) { academy, fact, event in
            academy.change(fact.draft, event) {
                $0.description = fact.description
                $0.isDescribed = true
                $0.preset = fact.preset
            }
        }
        routes.fold(Learnable.Curriculum.Requested.self) { academy, fact, event in
            academy.change(fact.draft, event) {
                $0.requests = fact.request
                $0.requestedDescription = fact.description
                $0.requestedPreset = fact.preset
            }
        }
        routes.fold(Learnable.Curriculum.Proposed.self) { academy, fact, event in
            academy.change(fact.draft, event) {
                $0.proposed = fact.request
                $0.title = fact.title
                $0.chapters = fact.chapters
                $0.proposedDescription = $0.requestedDescription
                $0.proposedPreset = $0.requestedPreset
            }
        }
        routes.fold(Learnable.Tone.Chosen.self) { academy, fact, event in
            academy.change(fact.draft, event) {
                $0.tone = fact.tone
                $0.tonePreset = fact.preset
            }
        }
        routes.fold(Learnable.Tone.PreviewRequested.self) { academy, fact, event in
            academy.change(fact.draft, event) {
                $0.previewRequests = fact.request
                $0.requestedTone = fact.tone
                $0.requestedTonePreset = fact.preset
                $0.requestedTopic = fact.topic
                $0.requestedTopicTitle = fact.topicTitle
            }
        }
        routes.fold(Learnable.Tone.PreviewDelivered.self) { academy, fact, event in
            academy.change(fact.draft, event) {
                $0.previewed = fact.request
                $0.previewBlocks = fact.blocks
                $0.previewTone = $0.requestedTone
                $0.previewTonePreset = $0.requestedTonePreset
                $0.previewTopic = $0.requestedTopic
                $0.previewTopicTitle = $0.requestedTopicTitle
            }
        }
        routes.fold(Learnable.AddOnsChosen.self) { academy, fact, event in
            academy.change(fact.draft, event) {
                $0.addOns.engagementQuestion = fact.engagementQuestion
                $0.addOns.endingProject = fact.endingProject
                $0.addOns.voice = fact.voice
                $0.addOns.reinforcement = fact.reinforcement
            }
        }
        routes.fold(Learnable.Draft.Submitted.self) { academy, fact, event in
            academy.close(fact.draft, .submitted, event)
            academy.drafts.updateExisting(fact.draft) { $0.subject = fact.subject }
        }
        routes.fold(Learnable.Draft.Discarded.self) { academy, fact, event in
            academy.close(fact.draft, .discarded, event)
        }
    }

    private func started(_ fact: Learnable.Draft.Started, _ event: Circumstances) {
        guard let epoch = students.read(fact.student, { $0.epoch }) else { return }
        drafts.update(fact.draft) {
            $0.student = fact.student
            $0.epoch = epoch
            $0.person = Word(event.subject)
            $0.stream = Word(event.stream)
            $0.addOns = fact.addOns
        }
        change(fact.draft, event) { _ in }
    }

    /// A change of an open draft: it is the one last changed, and its expiry is put off by what the
    /// policy says at this event (page, Timers).
    private func change(
        _ draft: Learnable.DraftID, _ event: Circumstances,
        _ body: (inout Learnable.DraftRow) -> Void
    ) {
        guard let row = drafts[draft], row.state == .open else { return }
        let days = Int64(policy.draftDays)
        let expiry = days == 0 ? nil : event.at + days.multipliedClamping(86_400)
        drafts.updateExisting(draft) {
            body(&$0)
            $0.changedAt = event.at
            $0.discards = expiry
        }
        epochs.updateExisting(row.epoch) { epoch in
            epoch.drafts.removeAll { $0 == draft }
            epoch.drafts.append(draft)
        }
        if let expiry {
            timers.set(
                [.init(Learnable.DraftTimer.name, due: expiry, cause: event.position)],
                on: event.stream)
        } else {
            timers.cancelAll(on: event.stream)
        }
    }

    private func close(
        _ draft: Learnable.DraftID, _ state: Learnable.DraftRow.State, _ event: Circumstances
    ) {
        guard let row = drafts[draft] else { return }
        drafts.updateExisting(draft) {
            $0.state = state
            $0.discards = nil
            $0.changedAt = event.at
        }
        epochs.updateExisting(row.epoch) { epoch in epoch.drafts.removeAll { $0 == draft } }
        timers.cancelAll(on: event.stream)
    }

    /// The draft's epoch ended.
    func cancelExpiry(of draft: Learnable.DraftID) {
        if let stream = drafts.read(draft, { $0.stream.symbol }) { timers.cancelAll(on: stream) }
    }
}
