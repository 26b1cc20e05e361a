package import Commands
package import Core
import Folding
package import TafawoqEvents
package import TafawoqFacts

extension Tafawoq {
    /// A command that names a student and a track.
    package protocol TrackChoice: StudentCommand {
        var track: Track { get set }
    }

    /// Chooses the academic track.
    package struct CompleteProfile: TrackChoice {
        package static let type = "tafawoq.profile.complete"
        package var student = StudentID.none
        package var track = Track.scientific

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownStudent(student)
            guard row.isVerified else { throw .emailUnverified }  // R9
            if row.track != nil { throw .alreadyComplete }
            scene.record(
                Account.ProfileCompleted.with {
                    $0.student = student
                    $0.track = track
                }, account: student)
        }
    }

    /// Changes the track: suggestions and advice from then on (R9).
    package struct ChangeTrack: TrackChoice {
        package static let type = "tafawoq.track.change"
        package var student = StudentID.none
        package var track = Track.scientific

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownStudent(student)
            guard let former = row.track else { throw .profileIncomplete }
            if former == track { throw .sameTrack }
            scene.record(
                Account.TrackChanged.with {
                    $0.student = student
                    $0.from = former
                    $0.to = track
                }, account: student)
        }
    }

    /// Attaches a picture by reference.
    package struct AttachPicture: StudentCommand {
        package static let type = "tafawoq.picture.attach"
        package var student = StudentID.none
        var picture = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.bounded("picture", &picture)
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownStudent(student)
            guard row.isVerified else { throw .emailUnverified }
            scene.record(
                Account.PictureAttached.with {
                    $0.student = student
                    $0.picture = picture
                }, account: student)
        }
    }

    /// Removes the picture.
    package struct RemovePicture: StudentAlone {
        package static let type = "tafawoq.picture.remove"
        package var student = StudentID.none

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownStudent(student)
            guard row.hasPicture else { throw .noPicture }
            scene.record(Account.PictureRemoved.with { $0.student = student }, account: student)
        }
    }

    /// Has seen the tour.
    package struct FinishOnboarding: StudentAlone {
        package static let type = "tafawoq.onboarding.finish"
        package var student = StudentID.none

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownStudent(student)
            if row.track == nil { throw .profileIncomplete }
            if row.isOnboarded { throw .alreadyFinished }
            scene.record(Account.OnboardingFinished.with { $0.student = student }, account: student)
        }
    }

    /// Wants push messages on the device.
    package struct EnrolDevice: StudentCommand {
        package static let type = "tafawoq.device.enrol"
        package var student = StudentID.none
        var pushToken = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.bounded("pushToken", &pushToken)
        }

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            _ = try scene.ownStudent(student)
            guard let device = scene.givenDevice else { throw .deviceRequired }
            scene.record(
                Account.DeviceEnrolled.with {
                    $0.student = student
                    $0.device = device
                    $0.pushToken = pushToken
                }, account: student)
        }
    }

    /// Wants no more push messages on the device.
    package struct WithdrawDevice: StudentAlone {
        package static let type = "tafawoq.device.withdraw"
        package var student = StudentID.none

        package init() {}

        package func apply(in scene: Scene<Centre>) throws(Rejection) {
            let row = try scene.ownStudent(student)
            guard let device = scene.givenDevice else { throw .deviceRequired }
            guard row.pushDevices.contains(device) else { throw .notEnrolled }
            scene.record(
                Account.DeviceWithdrawn.with {
                    $0.student = student
                    $0.device = device
                }, account: student)
        }
    }
}

extension Tafawoq.TrackChoice {
    package mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.field("track", &track)
    }
}
