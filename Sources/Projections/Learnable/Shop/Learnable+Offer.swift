import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    enum ShopSort: String, Choice {
        case newest, title, price, popular
    }

    /// What do others offer? (R43)
    static let shopView = ReadModel<State>(
        "learnable.shop", "What do others offer?", arguments: ["page", "q", "sort"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let sort = try request.choice("sort", ShopSort.self) ?? .newest
        let offers = state.openOffers(matching: request.arguments["q"] ?? "", by: sort)
        output.object { output in
            output.array("offers", offers[page.range(of: offers.count)]) { output, entry in
                output.object { output in
                    output.member("acquired", entry.row.acquired)
                    output.object("author") { output in
                        let author = state.author(entry.row)
                        output.member("name", author?.name)
                        output.member("student", entry.row.student)
                        output.member(
                            "verified", state.isVerified(entry.row.student, at: request.now))
                    }
                    output.member("chapters", entry.row.chapterTopics.count)
                    output.member("offer", entry.id)
                    output.member("price", entry.row.price)
                    output.member("subject", entry.row.subject)
                    output.member("summary", entry.words.summary)
                    output.member("title", entry.words.title)
                    output.member("topics", entry.row.topics)
                }
            }
            page.write(total: offers.count, to: &output)
        }
        return true
    }

    /// What does one offer offer? Also one that is no longer open (R42).
    static let offerView = ReadModel<State>(
        "learnable.offer", "What does one offer offer?", key: "offer",
        keys: { state in state.offers.keys.map { state.names.text($0) } },
        basis: .on(
            .stream("offer").each("student", Grounds.student)
                .each("subject", .stream("subject")), Grounds.policy)
    ) { state, request, output in
        guard let offer: OfferID = state.id(request.key), let row = state.offers[offer] else {
            return false
        }
        state.writeOffer(offer, row, at: request.now, to: &output)
        return true
    }
}

extension Learnable.State {
    typealias OfferEntry = (
        id: Learnable.OfferID, row: Learnable.OfferRow, words: Learnable.OfferWords,
        name: CollationKey
    )

    /// The open offers whose title or summary contains the text, sorted (R43).
    fileprivate func openOffers(
        matching text: String, by sort: Learnable.ShopSort
    ) -> [OfferEntry] {
        let wanted = SearchText(text)
        var found: [OfferEntry] = []
        offers.forEach { id, row in
            guard row.closed == nil, let words = words(of: id) else { return }
            guard
                [words.title?.text, words.summary?.text].contains(where: {
                    wanted.isPart(of: $0 ?? "")
                })
            else { return }
            found.append((id, row, words, CollationKey(words.title?.text ?? "")))
        }
        return found.sorted { left, right in
            let (first, second) = (left.row, right.row)
            switch sort {
            case .newest: break
            case .title:
                return isBefore((left.name, left.id), (right.name, right.id))
            case .price:
                if first.price.currency != second.price.currency {
                    return first.price.currency.precedes(second.price.currency)
                }
                if first.price.amount != second.price.amount {
                    return first.price.amount < second.price.amount
                }
            case .popular:
                if first.acquired != second.acquired { return first.acquired > second.acquired }
            }
            return first.position > second.position
        }
    }

    /// The author's profile, while the account exists.
    fileprivate func author(_ offer: Learnable.OfferRow) -> Learnable.EpochRow? {
        guard let row = students[offer.student], row.isActive else { return nil }
        return epochs[row.epoch]
    }

    func writeOffer(
        _ offer: Learnable.OfferID, _ row: Learnable.OfferRow, at now: Instant,
        to output: inout JSONOutput
    ) {
        let author = author(row)
        let words = words(of: offer)
        output.object { output in
            output.member("acquired", row.acquired)
            output.object("author") { output in
                output.member("bio", author?.bio)
                output.member("name", author?.name)
                output.member("occupation", author?.occupation)
                output.member("student", row.student)
                output.member("verified", author != nil && isVerified(row.student, at: now))
                output.member("workplace", author?.workplace)
            }
            output.member("chapters", words?.chapters)
            output.member("offer", offer)
            output.member("price", row.price)
            output.member("publishedAt", row.publishedAt)
            output.member("reason", row.closed)
            output.member("state", row.closed == nil ? "open" : "unpublished")
            output.member("subject", row.subject)
            output.member("summary", words?.summary)
            output.member("title", words?.title)
        }
    }
}
