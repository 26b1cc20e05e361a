import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A command that names a student and a track.
    protocol TrackChoice: StudentCommand {
        var track: Track { get set }
    }

    /// Chooses the academic track.
    struct CompleteProfile: TrackChoice {
        static let type = "tafawoq.profile.complete"
        var student = StudentID.none
        var track = Track.scientific

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownStudent(student)
            guard row.isVerified else { throw .emailUnverified }  // R9
            if row.track != nil { throw .alreadyComplete }
            context.record(
                Account.ProfileCompleted.with {
                    $0.student = student
                    $0.track = track
                }, account: student)
        }
    }

    /// Changes the track: suggestions and advice from then on (R9).
    struct ChangeTrack: TrackChoice {
        static let type = "tafawoq.track.change"
        var student = StudentID.none
        var track = Track.scientific

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownStudent(student)
            guard let former = row.track else { throw .profileIncomplete }
            if former == track { throw .sameTrack }
            context.record(
                Account.TrackChanged.with {
                    $0.student = student
                    $0.from = former
                    $0.to = track
                }, account: student)
        }
    }

    /// Attaches a picture by reference.
    struct AttachPicture: StudentCommand {
        static let type = "tafawoq.picture.attach"
        var student = StudentID.none
        var picture = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.bounded("picture", &picture)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownStudent(student)
            guard row.isVerified else { throw .emailUnverified }
            context.record(
                Account.PictureAttached.with {
                    $0.student = student
                    $0.picture = picture
                }, account: student)
        }
    }

    /// Removes the picture.
    struct RemovePicture: StudentAlone {
        static let type = "tafawoq.picture.remove"
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownStudent(student)
            guard row.hasPicture else { throw .noPicture }
            context.record(Account.PictureRemoved.with { $0.student = student }, account: student)
        }
    }

    /// Has seen the tour.
    struct FinishOnboarding: StudentAlone {
        static let type = "tafawoq.onboarding.finish"
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownStudent(student)
            if row.track == nil { throw .profileIncomplete }
            if row.isOnboarded { throw .alreadyFinished }
            context.record(
                Account.OnboardingFinished.with { $0.student = student }, account: student)
        }
    }

    /// Wants push messages on the device.
    struct EnrolDevice: StudentCommand {
        static let type = "tafawoq.device.enrol"
        var student = StudentID.none
        var pushToken = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.bounded("pushToken", &pushToken)
        }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.ownStudent(student)
            guard let device = context.givenDevice else { throw .deviceRequired }
            context.record(
                Account.DeviceEnrolled.with {
                    $0.student = student
                    $0.device = device
                    $0.pushToken = pushToken
                }, account: student)
        }
    }

    /// Wants no more push messages on the device.
    struct WithdrawDevice: StudentAlone {
        static let type = "tafawoq.device.withdraw"
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownStudent(student)
            guard let device = context.givenDevice else { throw .deviceRequired }
            guard row.pushDevices.contains(device) else { throw .notEnrolled }
            context.record(
                Account.DeviceWithdrawn.with {
                    $0.student = student
                    $0.device = device
                }, account: student)
        }
    }
}

extension Tafawoq.TrackChoice {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.field("track", &track)
    }
}
