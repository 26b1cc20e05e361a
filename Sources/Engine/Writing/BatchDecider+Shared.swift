import Commands
import Core

/// What the engine itself refuses of the commands of no product, in the words in which products do.
extension BatchDecider {
    /// `forbidden` where the actor is not of these kinds.
    func refusal(
        of command: CommandEnvelope, by actor: Actor, unlessOf senders: Senders
    ) -> Decision? {
        let holds = senders.admit(actor)
        log?.note("sender", saw: [("by", command.by)], code: "forbidden", holds: holds)
        if holds { return nil }
        let asked = Particular.reserved(command: command.command, for: senders, by: command.by)
        return .rejected(
            code: "forbidden", message: asked.ending("The actor may not do this.")
        ) { _ in [] }
    }

    /// `not-found` for a person of a product that there is not.
    func noAccount(_ subject: String) -> Decision {
        log?.note("found", saw: [("account", subject)], code: "not-found", holds: false)
        let account = Particular.thing(kind: "account", id: subject)
        return .rejected(
            code: "not-found",
            message: account.ending("A thing that the command names does not exist.")
        ) { _ in [] }
    }
}
