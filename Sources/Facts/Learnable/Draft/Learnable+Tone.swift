import Core
import Folding
import LearnableEvents

extension Learnable.State {
    static func toneRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Tone.Chosen.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.tone = event.tone
                $0.tonePreset = event.preset
            }
        }
        routes.on(Learnable.Tone.PreviewRequested.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.previewRequests = event.request
                $0.requestedTone = event.tone
                $0.requestedTonePreset = event.preset
                $0.requestedTopic = event.topic
                $0.requestedTopicTitle = event.topicTitle
            }
        }
        routes.on(Learnable.Tone.PreviewDelivered.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.previewed = event.request
                $0.previewBlocks = event.blocks
                $0.previewTone = $0.requestedTone
                $0.previewTonePreset = $0.requestedTonePreset
                $0.previewTopic = $0.requestedTopic
                $0.previewTopicTitle = $0.requestedTopicTitle
            }
        }
    }
}
