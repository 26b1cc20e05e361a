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
        var title: Filled = ""
        var category = Resource.Category.essential
        var source: Filled = ""

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try context.checkIsFree(resource, unless: context.state.resources.contains(resource))
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

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try context.find(resource)
            context.record(Resource.Withdrawn(), on: resource)
        }
    }
}
