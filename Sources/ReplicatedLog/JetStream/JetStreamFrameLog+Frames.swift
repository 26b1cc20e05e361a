import EventLog
import NATS

/// Finds frames in the stream: a message's sequence is not its frame's number, since other messages lie between.
extension JetStreamFrameLog {
    private static let mostFrames = 64
    private static let mostBytes = 16 << 20

    /// Frames behind a number through another, as they are stored or were repaired; some of them.
    func frames(
        after number: UInt64, through last: UInt64, _ stream: LogStream, _ state: inout State
    ) throws(NATSError) -> [LoggedFrame] {
        let last = min(last, state.end?.frames ?? last)
        guard number < last else { return [] }
        var found: [LoggedFrame] = []
        var bytes = 0
        var reach = last
        var next = try first(from: number + 1, stream, state)
        while let (frame, sequence) = next {
            if let frame, frame.number > number {
                if frame.number > last { break }
                found.append(frame)
                bytes += frame.bytes.count
                state.place = (frame.number, sequence)
                if found.count >= Self.mostFrames || bytes >= Self.mostBytes {
                    reach = frame.number
                    break
                }
                if frame.number == last { break }
            }
            next = try stream.frame(from: sequence + 1)
        }
        return try repaired(found, number + 1, reach, stream, &state)
    }

    /// Puts repairs in the places of the frames that they are for.
    private func repaired(
        _ frames: [LoggedFrame], _ first: UInt64, _ last: UInt64, _ stream: LogStream,
        _ state: inout State
    ) throws(NATSError) -> [LoggedFrame] {
        if let end = state.end, end.repairs != state.repaired.count {
            state.repaired = (end.repairs, try stream.repairedFrames())
        }
        var frames = frames
        for number in state.repaired.frames where (first...last).contains(number) {
            guard let repair = try stream.repair(of: number) else { continue }
            let index = frames.firstIndex { $0.number >= number } ?? frames.count
            if index < frames.count, frames[index].number == number {
                frames[index] = repair
            } else {
                frames.insert(repair, at: index)
            }
        }
        return frames
    }

    /// The first message with this frame or a later one.
    private func first(
        from number: UInt64, _ stream: LogStream, _ state: State
    ) throws(NATSError) -> (frame: LoggedFrame?, sequence: UInt64)? {
        if number == state.place.frame + 1 {
            let next = try stream.frame(from: state.place.sequence + 1)
            if next?.frame?.number == number { return next }
        }
        return try stream.frame(from: search(number, stream, state))
    }

    /// A sequence from which on the next frame is this one, or a later one.
    private func search(
        _ number: UInt64, _ stream: LogStream, _ state: State
    ) throws(NATSError) -> UInt64 {
        var low: UInt64 = 1
        var high = state.end?.sequence ?? number
        // Each frame that is behind it has a sequence of its own.
        if let end = state.end, end.frames >= number, end.sequence > end.frames - number {
            high = end.sequence - (end.frames - number)
        }
        while low < high {
            let middle = low + (high - low) / 2
            guard let next = try stream.frame(from: middle) else {
                high = middle
                continue
            }
            if let frame = next.frame, frame.number >= number {
                high = middle
            } else {
                low = next.sequence + 1
            }
        }
        return low
    }
}
