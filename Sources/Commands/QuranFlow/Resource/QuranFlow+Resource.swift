import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Publishes something to read or keep.
    struct PublishResource: Command {
        static let type = "quranflow.resource.publish"
        var resource = ResourceID.none
        var title = ""
        var category = Resource.Category.essential
        var source = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("resource", &resource)
            coder.filled("title", &title)
            coder.field("category", &category)
            coder.filled("source", &source)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            if context.state.resources.contains(resource) {
                throw context.alreadyExists(resource)
            }
            context.record(
                Resource.Published(
                    title: title,
                    category: category,
                    source: source), on: resource)
        }
    }

    /// Takes a resource off the list.
    struct WithdrawResource: Command {
        static let type = "quranflow.resource.withdraw"
        var resource = ResourceID.none

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("resource", &resource)
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try context.find(resource)
            context.record(Resource.Withdrawn(), on: resource)
        }
    }
}
