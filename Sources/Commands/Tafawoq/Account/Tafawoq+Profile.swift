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

    /// Chooses the academic track for the first time (R9).
    struct CompleteProfile: TrackChoice {
        static let type = "tafawoq.profile.complete"
        var student = StudentID.none
        var track = Track.scientific

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            guard row.isVerified else { throw .emailUnverified }
            if row.track != nil { throw .alreadyComplete }
            context.record(
                Account.ProfileCompleted(
                    student: student,
                    track: track), on: context.accountStream(of: student))
        }
    }

    /// Changes the track: suggestions and advice follow from then on (R9).
    struct ChangeTrack: TrackChoice {
        static let type = "tafawoq.track.change"
        var student = StudentID.none
        var track = Track.scientific

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            guard let former = row.track else { throw .profileIncomplete }
            if former == track { throw .sameTrack }
            context.record(
                Account.TrackChanged(
                    student: student,
                    from: former,
                    to: track), on: context.accountStream(of: student))
        }
    }

    /// Attaches a profile picture, by reference.
    struct AttachPicture: StudentCommand {
        static let type = "tafawoq.picture.attach"
        var student = StudentID.none
        var picture = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.bounded("picture", &picture)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            guard row.isVerified else { throw .emailUnverified }
            context.record(
                Account.PictureAttached(
                    student: student,
                    picture: picture), on: context.accountStream(of: student))
        }
    }

    /// Removes the profile picture.
    struct RemovePicture: StudentAlone {
        static let type = "tafawoq.picture.remove"
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            guard row.hasPicture else { throw .noPicture }
            context.record(
                Account.PictureRemoved(
                    student: student),
                on: context.accountStream(of: student))
        }
    }

    /// Finishes the introductory tour.
    struct FinishOnboarding: StudentAlone {
        static let type = "tafawoq.onboarding.finish"
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            if row.track == nil { throw .profileIncomplete }
            if row.isOnboarded { throw .alreadyFinished }
            context.record(
                Account.OnboardingFinished(
                    student: student),
                on: context.accountStream(of: student))
        }
    }

    /// Enrols the envelope's device for push messages.
    struct EnrolDevice: StudentCommand {
        static let type = "tafawoq.device.enrol"
        var student = StudentID.none
        var pushToken = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.bounded("pushToken", &pushToken)
        }

        func decide(in context: Context) throws(Rejection) {
            _ = try context.findOwn(student)
            guard let device = context.givenDevice else { throw .deviceRequired }
            context.record(
                Account.DeviceEnrolled(
                    student: student,
                    device: device,
                    pushToken: pushToken), on: context.accountStream(of: student))
        }
    }

    /// Stops push messages to the envelope's device.
    struct WithdrawDevice: StudentAlone {
        static let type = "tafawoq.device.withdraw"
        var student = StudentID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            guard let device = context.givenDevice else { throw .deviceRequired }
            guard row.pushDevices.contains(device) else { throw .notEnrolled }
            context.record(
                Account.DeviceWithdrawn(
                    student: student,
                    device: device), on: context.accountStream(of: student))
        }
    }
}

extension Tafawoq.TrackChoice {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.field("track", &track)
    }
}

extension DecisionContext<Tafawoq> {
    /// The track of a student who may learn: verified, with a completed profile (R9).
    func checkLearner(_ row: Tafawoq.StudentRow) throws(Tafawoq.Rejection) -> Tafawoq.Track {
        try check(row.isVerified, else: .emailUnverified)
        guard let track = row.track else { throw .profileIncomplete }
        return track
    }
}
