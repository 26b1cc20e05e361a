package import Core

extension Learnable {
    /// A subject in the Lecture Shop (R41, R42). Stream `learnable/offer/OFFER`; `student` is the author.
    package enum Offer: Thing {
        package static let noun = "offer"

        package enum Reason: String, Choice {
            case author
            case subjectDeleted = "subject-deleted"
            case startedOver = "started-over"
            case accountDeleted = "account-deleted"
        }

        /// A subject was offered in the shop, under its title of that moment (R42).
        package struct Published: StudentEvent {
            package static let type = "learnable.offer.published"
            package static let version: UInt16 = 2
            package static let streams = ["offer"]
            package static let sentence = "A subject was offered in the shop."
            package static let rules = [42]
            package internal(set) var student = StudentID.none
            package internal(set) var offer: Own<OfferID> = .none
            package internal(set) var subject = SubjectID.none
            package internal(set) var title: Personal<Title> = nil
            package internal(set) var chapters = 0
            package internal(set) var topics = 0
            package internal(set) var price = Money()
            package internal(set) var summary: Personal<Body> = nil

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("student", &student)
                coder.own("offer", &offer)
                coder.field("subject", &subject)
                coder.personal("title", &title, inClear: version < 2)
                coder.field("chapters", &chapters)
                coder.field("topics", &topics)
                coder.field("price", &price)
                coder.personal("summary", &summary, inClear: version < 2)
            }
        }

        /// The offer left the shop (R42); copies stay (R41).
        package struct Unpublished: StudentEvent {
            package static let type = "learnable.offer.unpublished"
            package static let streams = ["offer"]
            package static let sentence = "An offer was taken out of the shop."
            package static let rules = [41, 42]
            package internal(set) var student = StudentID.none
            package internal(set) var offer: Own<OfferID> = .none
            package internal(set) var reason = Reason.author

            package init() {}
        }

        /// A student acquired a copy of the offer (R41).
        package struct Acquired: StudentEvent {
            package static let type = "learnable.offer.acquired"
            package static let streams = ["offer"]
            package static let sentence = "An offer was acquired."
            package static let rules = [41]
            package internal(set) var student = StudentID.none
            package internal(set) var offer: Own<OfferID> = .none
            package internal(set) var buyer = StudentID.none
            package internal(set) var subject = SubjectID.none
            package internal(set) var price = Money()
            package internal(set) var payment: PaymentID?
            package internal(set) var authorAmount = 0

            package init() {}
        }
    }
}

extension Learnable {
    /// Whole minor units of a currency.
    package struct Money: Record {
        package internal(set) var amount = 0
        package internal(set) var currency = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.number("amount", &amount)
            coder.field("currency", &currency)
        }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Money? {
            let money = input.record(json) { nested in
                var value = Money()
                value.fields(&nested)
                return value
            }
            if let money,
                money.currency.utf8.count != 3
                    || !money.currency.utf8.allSatisfy({ (65...90).contains($0) })
            {
                input.fail("expected a currency of three letters A-Z")
                return nil
            }
            return money
        }
    }
}
