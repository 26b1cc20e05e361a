// Written by Scripts/records.py from the fields that the records declare (ADR 0003).
// swift-format-ignore-file
import Core
import LearnableEvents

extension Learnable.AcquireOffer { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("offer", &offer); coder.field("student", &student); coder.field("subject", &subject); coder.optional("payment", &payment) } }
extension Learnable.ActivateSubscription { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("plan", &plan); coder.field("paidUntil", &paidUntil); coder.field("payment", &payment) } }
extension Learnable.AnnouncePromotion { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("promotion", &promotion); coder.field("message", &message); coder.field("target", &target); coder.field("audience", &audience); coder.field("from", &from); coder.field("until", &until) } }
extension Learnable.AskAnother { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("subject", &subject); coder.field("topic", &topic); coder.field("question", &question) } }
extension Learnable.AssessEngagement { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("subject", &subject); coder.field("topic", &topic); coder.field("number", &number); coder.field("correct", &correct); coder.field("feedback", &feedback) } }
extension Learnable.BeginQuiz { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("quiz", &quiz); coder.field("kind", &kind) } }
extension Learnable.ChooseAddOns { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("draft", &draft); coder.optional("engagementQuestion", &engagementQuestion); coder.optional("endingProject", &endingProject); coder.optional("voice", &voice); coder.optional("reinforcement", &reinforcement) } }
extension Learnable.ChooseAppearance { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("area", &area); coder.optional("fontSize", &fontSize); coder.optional("fontStyle", &fontStyle) } }
extension Learnable.ChooseTone { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("draft", &draft); coder.optional("tone", &tone); coder.optional("preset", &preset) } }
extension Learnable.ConfigureKeyboard { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.optional("codeBlock", &codeBlock); coder.optional("mathLatex", &mathLatex) } }
extension Learnable.ConfigureReminders { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.optional("dailyQuiz", &dailyQuiz); coder.optional("study", &study); coder.optional("quickQuiz", &quickQuiz); coder.optional("quickQuizFrequency", &quickQuizFrequency) } }
extension Learnable.DeleteAccount { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("confirmed", &confirmed) } }
extension Learnable.DeleteQuestion { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("question", &question); coder.field("confirmed", &confirmed) } }
extension Learnable.DeleteSubject { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("subject", &subject); coder.field("confirmed", &confirmed) } }
extension Learnable.DeliverPreview { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("draft", &draft); coder.field("request", &request); coder.field("blocks", &blocks) } }
extension Learnable.DeliverTopic { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("subject", &subject); coder.field("topic", &topic); coder.field("blocks", &blocks); coder.optional("engagement", &engagement); coder.optional("project", &project); coder.optional("voice", &voice) } }
extension Learnable.DescribeDraft { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("draft", &draft); coder.field("description", &description); coder.optional("preset", &preset) } }
extension Learnable.DiscardDraft { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("draft", &draft); coder.field("confirmed", &confirmed) } }
extension Learnable.EditProfile { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.optional("name", &name); coder.optional("occupation", &occupation); coder.optional("workplace", &workplace); coder.optional("bio", &bio) } }
extension Learnable.FailGeneration { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("subject", &subject); coder.field("reason", &reason) } }
extension Learnable.JoinStudent { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("timeZone", &timeZone) } }
extension Learnable.PoolQuestions { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("subject", &subject); coder.field("topic", &topic); coder.field("questions", &questions) } }
extension Learnable.ProposeCurriculum { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("draft", &draft); coder.field("request", &request); coder.field("title", &title); coder.field("chapters", &chapters) } }
extension Learnable.PublishOffer { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("offer", &offer); coder.field("subject", &subject); coder.field("price", &price); coder.field("summary", &summary) } }
extension Learnable.RecordStudy { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("activity", &activity); coder.optional("subject", &subject); coder.field("from", &from); coder.field("to", &to) } }
extension Learnable.RefundSubscription { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("payment", &payment) } }
extension Learnable.RelocateStudent { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("timeZone", &timeZone) } }
extension Learnable.RenameSubject { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("subject", &subject); coder.field("title", &title) } }
extension Learnable.RenewSubscription { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("paidUntil", &paidUntil); coder.field("payment", &payment) } }
extension Learnable.ReplyChat { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("subject", &subject); coder.field("message", &message); coder.field("blocks", &blocks) } }
extension Learnable.RequestCurriculum { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("draft", &draft); coder.optional("instruction", &instruction) } }
extension Learnable.RequestGeneration { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("draft", &draft); coder.field("subject", &subject) } }
extension Learnable.RequestPreview { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("draft", &draft) } }
extension Learnable.SelfAssessQuiz { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("quiz", &quiz); coder.field("question", &question); coder.field("correct", &correct) } }
extension Learnable.SendChat { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("subject", &subject); coder.field("topic", &topic); coder.field("message", &message); coder.field("blocks", &blocks) } }
extension Learnable.StartDraft { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("draft", &draft) } }
extension Learnable.StartOver { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("confirmed", &confirmed) } }
extension Learnable.UnpublishOffer { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("offer", &offer) } }
extension Learnable.WithdrawPromotion { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("promotion", &promotion) } }
