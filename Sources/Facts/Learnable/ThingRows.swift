package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    package struct SubjectRow: Record {
        package enum State: String, Choice {
            case generating, failed, ready
        }

        package enum Origin: String, Choice {
            case made, acquired
        }

        package var student = StudentID.none
        package var epoch = Ordinal(0)
        package var origin = Origin.made
        package var state = State.generating
        package var isArchived = false
        package var isDeleted = false
        package var title = Title.empty
        package var chapters: [Chapter] = []
        package var addOns = AddOns()
        package var attempt = 1
        package var delivered = 0
        package var failure: Body?
        /// The subject whose topics are read: for a copy its source (R41).
        package var content = SubjectID.none
        package var offer: OfferID?
        package var completed = 0
        /// The topic opened last, counted from 0 in order.
        package var current: Int?
        package var openedDay: LocalDate?
        package var openedAt: Instant?
        package var openOffer: OfferID?
        /// Questions in the pool.
        package var inPool = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("epoch", &epoch)
            coder.field("origin", &origin)
            coder.field("state", &state)
            coder.field("isArchived", &isArchived)
            coder.field("isDeleted", &isDeleted)
            coder.field("title", &title)
            coder.field("chapters", &chapters)
            coder.field("addOns", &addOns)
            coder.field("attempt", &attempt)
            coder.field("delivered", &delivered)
            coder.field("failure", &failure)
            coder.field("content", &content)
            coder.field("offer", &offer)
            coder.field("completed", &completed)
            coder.field("current", &current)
            coder.field("openedDay", &openedDay)
            coder.field("openedAt", &openedAt)
            coder.field("openOffer", &openOffer)
            coder.field("inPool", &inPool)
        }

        package var topics: Int { chapters.reduce(0) { $0 + $1.topics.count } }

        /// The place in order of a topic, counted from 0; nil for one that the subject lacks.
        package func index(of place: TopicPlace) -> Int? {
            guard chapters.indices.contains(place.chapter - 1),
                chapters[place.chapter - 1].topics.indices.contains(place.number - 1)
            else { return nil }
            return chapters[..<(place.chapter - 1)].reduce(place.number - 1) {
                $0 + $1.topics.count
            }
        }

        package func place(of index: Int) -> TopicPlace {
            var number = index
            for (chapter, content) in chapters.enumerated() {
                if number < content.topics.count {
                    return TopicPlace(chapter: chapter + 1, number: number + 1)
                }
                number -= content.topics.count
            }
            return .empty
        }

        package func topicTitle(of index: Int) -> Title {
            let place = place(of: index)
            guard place.chapter > 0 else { return .empty }
            return chapters[place.chapter - 1].topics[place.number - 1]
        }

        package func isLastOfChapter(_ place: TopicPlace) -> Bool {
            chapters.indices.contains(place.chapter - 1)
                && place.number == chapters[place.chapter - 1].topics.count
        }
    }

    /// What was delivered of a topic; a copy reads its source's.
    package struct TopicContent: Record {
        package var blocks = Blocks.empty
        package var engagement: Form?
        package var project: Body?
        package var voice: Voice?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("blocks", &blocks)
            coder.field("engagement", &engagement)
            coder.field("project", &project)
            coder.field("voice", &voice)
        }
    }

    /// How a student stands with a topic of a subject.
    package struct TopicRow: Record {
        package var person = Word.empty
        package var isCompleted = false
        package var bookmark: Int?
        // Engagement (R16)
        package var isAnotherRequested = false
        package var another: Form?
        /// Of question 1, then 2.
        package var replies: [Reply] = []
        package var replyTexts: [AnyString?] = []
        package var feedbacks: [Body?] = []
        // Chat (R17): messages not erased, and replies to them
        package var chat: [ChatEntry] = []
        package var chatBlocks: [Blocks?] = []
        // Pool
        package var isPooled = false
        package var questions: [QuestionID] = []
        package var inPool = 0
        package var mastered = 0
        package var generated = 0
        /// Questions answered correctly at least once.
        package var everCorrect = 0
        package var asked = 0
        package var correct = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("person", &person)
            coder.field("isCompleted", &isCompleted)
            coder.field("bookmark", &bookmark)
            coder.field("isAnotherRequested", &isAnotherRequested)
            coder.field("another", &another)
            coder.field("replies", &replies)
            var texts: [AnyString?]? = replyTexts.isEmpty ? nil : replyTexts
            coder.kept("replyTexts", &texts, of: person.symbol)
            replyTexts = texts ?? []
            var remarks: [Body?]? = feedbacks.isEmpty ? nil : feedbacks
            coder.kept("feedbacks", &remarks, of: person.symbol)
            feedbacks = remarks ?? []
            coder.field("chat", &chat)
            var blocks: [Blocks?]? = chatBlocks.isEmpty ? nil : chatBlocks
            coder.kept("chatBlocks", &blocks, of: person.symbol)
            chatBlocks = blocks ?? []
            coder.field("isPooled", &isPooled)
            coder.field("questions", &questions)
            coder.field("inPool", &inPool)
            coder.field("mastered", &mastered)
            coder.field("generated", &generated)
            coder.field("everCorrect", &everCorrect)
            coder.field("asked", &asked)
            coder.field("correct", &correct)
        }
    }

    /// An answer to an engagement question.
    package struct Reply: Record {
        package var format = Format.multipleChoice
        package var choice: Int?
        package var correct: Bool?
        package var isAssessed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("format", &format)
            coder.field("choice", &choice)
            coder.field("correct", &correct)
            coder.field("isAssessed", &isAssessed)
        }
    }

    package struct ChatEntry: Record {
        package enum Sender: String, Choice {
            case student, assistant
        }

        package var at = Instant.epoch
        package var position = Position.zero
        package var from = Sender.student
        package var message = MessageID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("at", &at)
            coder.field("position", &position)
            coder.field("from", &from)
            coder.field("message", &message)
        }
    }

    /// A message that was ever sent.
    package struct MessageRow: Record {
        /// The topic, counted from 0 in order.
        package var topic = 0
        package var isErased = false
        package var isReplied = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("topic", &topic)
            coder.field("isErased", &isErased)
            coder.field("isReplied", &isReplied)
        }
    }

    package struct OfferRow: Record {
        package var student = StudentID.none
        /// The author's epoch at that time.
        package var epoch = Ordinal(0)
        package var subject = SubjectID.none
        package var content = SubjectID.none
        package var title = Title.empty
        package var chapters: [Chapter] = []
        package var addOns = AddOns()
        package var price = Money()
        package var summary = Body.empty
        package var publishedAt = Instant.epoch
        package var position = Position.zero
        package var closed: Offer.Reason?
        package var acquired = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("epoch", &epoch)
            coder.field("subject", &subject)
            coder.field("content", &content)
            coder.field("title", &title)
            coder.field("chapters", &chapters)
            coder.field("addOns", &addOns)
            coder.field("price", &price)
            coder.field("summary", &summary)
            coder.field("publishedAt", &publishedAt)
            coder.field("position", &position)
            coder.field("closed", &closed)
            coder.field("acquired", &acquired)
        }

        package var topics: Int { chapters.reduce(0) { $0 + $1.topics.count } }
    }

    package struct PromotionRow: Record {
        package var message = Body.empty
        package var target = Body.empty
        package var audience = Promotion.Audience.all
        package var from = Instant.epoch
        package var until = Instant.epoch
        package var isWithdrawn = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("message", &message)
            coder.field("target", &target)
            coder.field("audience", &audience)
            coder.field("from", &from)
            coder.field("until", &until)
            coder.field("isWithdrawn", &isWithdrawn)
        }
    }

    /// One entry of a student's notifications.
    package struct NoticeRow: Record {
        package var at = Instant.epoch
        package var day = LocalDate.epoch
        package var facts = KeptJSON.empty
        package var notification = Notification.Kind.trialEnding
        package var target = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("at", &at)
            coder.field("day", &day)
            coder.field("facts", &facts)
            coder.field("notification", &notification)
            coder.field("target", &target)
        }
    }

    /// A span of study as it was recorded.
    package struct StudyEntry: Record {
        package var activity = Study.Activity.lecture
        package var subject: SubjectID?
        package var from = Instant.epoch
        package var to = Instant.epoch
        package var seconds = 0
        package var days: [Study.DayShare] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("activity", &activity)
            coder.field("subject", &subject)
            coder.field("from", &from)
            coder.field("to", &to)
            coder.field("seconds", &seconds)
            coder.field("days", &days)
        }
    }
}
