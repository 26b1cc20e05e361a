import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What did lectures bring? (R41)
    static let earningsView = ReadModel<State>(
        "learnable.earnings", "What did lectures bring?", key: "student", arguments: ["page"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        guard let (student, row) = state.student(request.key) else { return false }
        let sales = Array(state.sales.elements(of: student, count: row.sales).reversed())
        var totals: [String: (amount: Int, authorAmount: Int, sales: Int)] = [:]
        for sale in sales {
            var total = totals[sale.price.currency] ?? (0, 0, 0)
            total.amount = total.amount.addingClamping(sale.price.amount)
            total.authorAmount = total.authorAmount.addingClamping(sale.authorAmount)
            total.sales += 1
            totals[sale.price.currency] = total
        }
        output.object { output in
            page.write(total: sales.count, to: &output)
            output.array("sales", sales[page.range(of: sales.count)]) { output, sale in
                sale.writeEntry(to: &output)
            }
            output.array("totals", totals.sorted { $0.key.precedes($1.key) }) { output, total in
                output.object { output in
                    output.member("amount", total.value.amount)
                    output.member("authorAmount", total.value.authorAmount)
                    output.member("currency", total.key)
                    output.member("sales", total.value.sales)
                }
            }
        }
        return true
    }
}

extension Learnable.Sale {
    func writeEntry(to output: inout JSONOutput) {
        output.object { output in
            output.member("amount", price.amount)
            output.member("at", at)
            output.member("authorAmount", authorAmount)
            output.member("buyer", buyer)
            output.member("currency", price.currency)
            output.member("offer", offer)
        }
    }
}
