import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Merges the commands that a device accepted while it was away (8.2, 8.3). The order of merges does not
    /// change the outcome (R47).
    struct MergeDevice: Command {
        static let type = "examroom.device.merge"
        var device = DeviceID.none
        var batch = BatchID.none
        var seen = Position.zero
        var commands: [InnerCommand] = []

        func senders(in state: State) -> Senders {
            .accountOrService(carrying: commands.compactMap { Actor($0.by, names: state.names) })
        }

        func decide(in context: Context) throws(Rejection) {
            let decisions = try check(in: context)
            let merge = Merge(context, device: device, seen: seen)
            var report = Report()
            for (command, decision) in zip(commands, decisions) {
                take(command, decision, merge, &report)
            }
            merge.settleStarts()
            merge.holdLate()
            merge.reconcile()  // R46: then conflicts, the report, notifications
            let conflicts = merge.recordConflicts()
            context.record(
                Batch.Merged(
                    device: device,
                    batch: batch,
                    seen: seen,
                    accepted: report.accepted,
                    repeated: report.repeated,
                    refused: report.refused,
                    conflicts: conflicts), on: device)
        }

        /// What became of the commands, each in the order of the batch.
        private struct Report {
            var accepted: [String] = []
            var repeated: [String] = []
            var refused: [Batch.Refusal] = []
        }

        /// The codes of the row; gives what decides each command.
        private func check(in context: Context) throws(Rejection) -> [any Command] {
            try context.checkIsFree(
                batch, unless: context.state.batches.contains(.init(device, batch)))
            if seen >= context.nextPosition { throw .seenUnknown }
            if zip(commands, commands.dropFirst()).contains(where: { $0.at > $1.at }) {
                throw .batchOutOfOrder
            }
            if commands.contains(where: { $0.at > context.at }) { throw .batchFromFuture }
            let decisions = commands.compactMap { $0.decision(context.names) }
            guard decisions.count == commands.count else { throw .notMergeable }
            return decisions
        }

        /// Decides one command, unless it was accepted before (R39).
        private func take(
            _ command: InnerCommand, _ decision: any Command, _ merge: Merge,
            _ report: inout Report
        ) {
            let context = merge.context
            let digest = command.digest
            switch context.known(command: command.id, digest) {
            case .unknown: break
            case .same: return report.repeated.append(command.id)
            case .other:
                return report.refused.append(.init(id: command.id, code: "id-reused"))
            }
            guard let actor = Actor(command.by, names: context.names) else { return }
            var origin = Origin()
            origin.at = command.at
            origin.device = InternedText(device.symbol)
            origin.command = command.id
            origin.batch = InternedText(batch.symbol)
            do throws(Rejection) {
                let accepted = MergedCommand(id: command.id, digest: digest, device: device.symbol)
                try context.merge(accepted, from: origin, by: actor) { () throws(Rejection) in
                    try decision.checkSender(in: context)
                    try decision.merge(merge, in: context)
                }
                report.accepted.append(command.id)
            } catch {
                report.refused.append(.init(id: command.id, code: error.rawValue))
                // R5: what is forbidden, and a refused sign-in, are recorded with the merge, as its own.
                if error == .forbidden {
                    context.recordForbidden(command.command, by: actor)
                } else if let signIn = decision as? StartSession {
                    context.recordViolation(
                        error, of: StartSession.type, by: signIn.account, ip: signIn.ip,
                        toldAt: merge.at)
                }
            }
        }
    }
}
