/// A command line and the instant, in milliseconds since 1970, by which it is put in order.
struct TimedLine {
    let at: Int64
    let line: [UInt8]
    /// The daily quiz of Learnable that it begins.
    var quiz: (person: Int, round: Int)?
}
