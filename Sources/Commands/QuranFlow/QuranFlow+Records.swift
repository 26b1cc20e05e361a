// Written by Scripts/records.py from the fields that the records declare (ADR 0003).
// swift-format-ignore-file
import Core
import QuranFlowEvents

extension QuranFlow.AnswerPermission { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("granted", &granted) } }
extension QuranFlow.AssignCoach { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("enrollment", &enrollment); coder.field("coach", &coach) } }
extension QuranFlow.BookAppointment { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("appointment", &appointment); coder.field("student", &student); coder.field("slot", &slot) } }
extension QuranFlow.CancelAppointment { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("appointment", &appointment); coder.optionalFilled("reason", &reason) } }
extension QuranFlow.CancelSession { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("session", &session); coder.optionalFilled("reason", &reason) } }
extension QuranFlow.ChooseDisplay { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.number("textSize", &textSize); coder.field("appearance", &appearance) } }
extension QuranFlow.ChooseFont { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.filled("font", &font); coder.optionalNumber("size", &size) } }
extension QuranFlow.ChooseTimeZone { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.text("timeZone", &timeZone); coder.field("source", &source) } }
extension QuranFlow.CorrectGender { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("gender", &gender) } }
extension QuranFlow.DefineEOC { mutating func fields<C: Coder>(_ coder: inout C) { coder.number("level", &level); coder.filled("description", &description); coder.field("passage", &passage) } }
extension QuranFlow.EnrollInAdvanced { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student) } }
extension QuranFlow.EvaluateEOC { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("enrollment", &enrollment); coder.field("passed", &passed); coder.filled("audio", &audio); coder.number("seconds", &seconds); coder.optionalFilled("notes", &notes) } }
extension QuranFlow.GiveFeedback { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("recording", &recording); coder.filled("audio", &audio); coder.number("seconds", &seconds); coder.optionalFilled("notes", &notes) } }
extension QuranFlow.IntroduceCoach { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("coach", &coach); coder.optionalFilled("name", &name); coder.optionalFilled("bio", &bio); coder.optionalFilled("photo", &photo) } }
extension QuranFlow.MoveSession { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("session", &session); coder.field("startsAt", &startsAt); coder.optionalNumber("minutes", &minutes) } }
extension QuranFlow.OfferElective { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("elective", &elective); coder.filled("title", &title); coder.filled("description", &description) } }
extension QuranFlow.OfferSlot { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("slot", &slot); coder.field("coach", &coach); coder.field("startsAt", &startsAt); coder.number("minutes", &minutes); coder.filled("joinUrl", &joinUrl) } }
extension QuranFlow.OpenEnrollment { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("enrollment", &enrollment); coder.field("student", &student); coder.field("semester", &semester); coder.optionalNumber("level", &level); coder.optional("coach", &coach) } }
extension QuranFlow.PlaceStudent { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.number("level", &level); coder.field("coach", &coach); coder.field("enrollment", &enrollment); coder.field("semester", &semester) } }
extension QuranFlow.PostAnnouncement { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("announcement", &announcement); coder.filled("title", &title); coder.filled("text", &text); coder.optionalNumber("level", &level); coder.optional("semester", &semester); coder.optional("gender", &gender) } }
extension QuranFlow.PostComment { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("recording", &recording); coder.field("comment", &comment); coder.filled("text", &text) } }
extension QuranFlow.PublishLesson { mutating func fields<C: Coder>(_ coder: inout C) { coder.number("level", &level); coder.number("week", &week); coder.filled("topic", &topic); coder.field("objectives", &objectives); coder.field("videos", &videos); coder.field("passage", &passage); coder.optionalFilled("notes", &notes) } }
extension QuranFlow.PublishOrientation { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("video", &video); coder.filled("title", &title); coder.number("seconds", &seconds) } }
extension QuranFlow.PublishResource { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("resource", &resource); coder.filled("title", &title); coder.field("category", &category); coder.filled("source", &source) } }
extension QuranFlow.PublishSessionRecording { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("session", &session); coder.field("video", &video); coder.number("seconds", &seconds); coder.filled("source", &source) } }
extension QuranFlow.RecordOutcome { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("appointment", &appointment); coder.field("attended", &attended) } }
extension QuranFlow.RecordPayment { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("payment", &payment); coder.number("amount", &amount); coder.text("currency", &currency); coder.filled("description", &description) } }
extension QuranFlow.RegisterCoach { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("coach", &coach); coder.filled("name", &name); coder.field("gender", &gender); coder.optionalFilled("bio", &bio); coder.optionalFilled("photo", &photo) } }
extension QuranFlow.ReplyToHelp { mutating func fields<C: Coder>(_ coder: inout C) { coder.optional("message", &message); coder.optional("request", &request); coder.field("reply", &reply); coder.filled("text", &text) } }
extension QuranFlow.ReportSubscription { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.filled("plan", &plan); coder.field("status", &status); coder.optional("renewsOn", &renewsOn) } }
extension QuranFlow.RequestSupport { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("request", &request); coder.field("category", &category); coder.filled("text", &text) } }
extension QuranFlow.RescheduleAppointment { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("appointment", &appointment); coder.field("slot", &slot) } }
extension QuranFlow.RetireCoach { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("coach", &coach); coder.optional("successor", &successor) } }
extension QuranFlow.ReviewFeedback { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("recording", &recording) } }
extension QuranFlow.ReviewResults { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("enrollment", &enrollment) } }
extension QuranFlow.ScheduleSemester { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("semester", &semester); coder.filled("name", &name); coder.field("startsOn", &startsOn); coder.text("timeZone", &timeZone); coder.optional("enrollmentOpensAt", &enrollmentOpensAt) } }
extension QuranFlow.ScheduleSession { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("session", &session); coder.field("kind", &kind); coder.filled("title", &title); coder.optionalFilled("description", &description); coder.field("startsAt", &startsAt); coder.number("minutes", &minutes); coder.filled("joinUrl", &joinUrl); coder.field("gender", &gender); coder.optionalNumber("level", &level); coder.optional("semester", &semester); coder.optionalNumber("week", &week); coder.optional("coach", &coach) } }
extension QuranFlow.SendMessage { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("message", &message); coder.filled("text", &text) } }
extension QuranFlow.SubmitAssessment { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.filled("audio", &audio); coder.number("seconds", &seconds) } }
extension QuranFlow.SubmitEOC { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("enrollment", &enrollment); coder.filled("audio", &audio); coder.number("seconds", &seconds); coder.field("confirmed", &confirmed) } }
extension QuranFlow.SubmitRecording { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("enrollment", &enrollment); coder.field("recording", &recording); coder.number("week", &week); coder.filled("audio", &audio); coder.number("seconds", &seconds); coder.field("confirmed", &confirmed) } }
extension QuranFlow.WithdrawEnrollment { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("enrollment", &enrollment); coder.optionalFilled("reason", &reason) } }
extension QuranFlow.WithdrawResource { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("resource", &resource) } }
extension QuranFlow.WithdrawSlot { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("slot", &slot) } }
