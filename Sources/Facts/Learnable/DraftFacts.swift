import Core
import Folding
package import LearnableEvents

extension Learnable {
    package enum DraftTimer {
        package static let name = "draft-expiry"
    }
}

extension Learnable.State {
    static func draftRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.fold(Learnable.Draft.Started.self) { $0.started($1, $2) }
        routes.fold(Learnable.Draft.Described.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.description = event.description
                $0.isDescribed = true
                $0.preset = event.preset
            }
        }
        routes.fold(Learnable.Curriculum.Requested.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.requests = event.request
                $0.requestedDescription = event.description
                $0.requestedPreset = event.preset
            }
        }
        routes.fold(Learnable.Curriculum.Proposed.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.proposed = event.request
                $0.title = event.title
                $0.chapters = event.chapters
                $0.proposedDescription = $0.requestedDescription
                $0.proposedPreset = $0.requestedPreset
            }
        }
        routes.fold(Learnable.Tone.Chosen.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.tone = event.tone
                $0.tonePreset = event.preset
            }
        }
        routes.fold(Learnable.Tone.PreviewRequested.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.previewRequests = event.request
                $0.requestedTone = event.tone
                $0.requestedTonePreset = event.preset
                $0.requestedTopic = event.topic
                $0.requestedTopicTitle = event.topicTitle
            }
        }
        routes.fold(Learnable.Tone.PreviewDelivered.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.previewed = event.request
                $0.previewBlocks = event.blocks
                $0.previewTone = $0.requestedTone
                $0.previewTonePreset = $0.requestedTonePreset
                $0.previewTopic = $0.requestedTopic
                $0.previewTopicTitle = $0.requestedTopicTitle
            }
        }
        routes.fold(Learnable.AddOnsChosen.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.addOns.engagementQuestion = event.engagementQuestion
                $0.addOns.endingProject = event.endingProject
                $0.addOns.voice = event.voice
                $0.addOns.reinforcement = event.reinforcement
            }
        }
        routes.fold(Learnable.Draft.Submitted.self) { state, event, metadata in
            state.close(event.draft, .submitted, metadata)
            state.drafts.updateExisting(event.draft) { $0.subject = event.subject }
        }
        routes.fold(Learnable.Draft.Discarded.self) { state, event, metadata in
            state.close(event.draft, .discarded, metadata)
        }
    }

    private func started(_ event: Learnable.Draft.Started, _ metadata: EventMetadata) {
        guard let epoch = students.read(event.student, { $0.epoch }) else { return }
        drafts.update(event.draft) {
            $0.student = event.student
            $0.epoch = epoch
            $0.person = Word(metadata.subject)
            $0.stream = Word(metadata.stream)
            $0.addOns = event.addOns
        }
        change(event.draft, metadata) { _ in }
    }

    /// A change of an open draft: it is the one last changed, and its expiry is put off by what the
    /// policy says at this event (page, Timers).
    private func change(
        _ draft: Learnable.DraftID, _ metadata: EventMetadata,
        _ body: (inout Learnable.DraftRow) -> Void
    ) {
        guard let row = drafts[draft], row.state == .open else { return }
        let days = Int64(policy.draftDays)
        let expiry = days == 0 ? nil : metadata.at + days.multipliedClamping(86_400)
        drafts.updateExisting(draft) {
            body(&$0)
            $0.changedAt = metadata.at
            $0.discards = expiry
        }
        epochs.updateExisting(row.epoch) { epoch in
            epoch.drafts.removeAll { $0 == draft }
            epoch.drafts.append(draft)
        }
        if let expiry {
            timers.set(
                [.init(Learnable.DraftTimer.name, due: expiry, cause: metadata.position)],
                on: metadata.stream)
        } else {
            timers.cancelAll(on: metadata.stream)
        }
    }

    private func close(
        _ draft: Learnable.DraftID, _ state: Learnable.DraftRow.State, _ metadata: EventMetadata
    ) {
        guard let row = drafts[draft] else { return }
        drafts.updateExisting(draft) {
            $0.state = state
            $0.discards = nil
            $0.changedAt = metadata.at
        }
        epochs.updateExisting(row.epoch) { epoch in epoch.drafts.removeAll { $0 == draft } }
        timers.cancelAll(on: metadata.stream)
    }

    /// The draft's epoch ended.
    func cancelExpiry(of draft: Learnable.DraftID) {
        if let stream = drafts.read(draft, { $0.stream.symbol }) { timers.cancelAll(on: stream) }
    }
}
