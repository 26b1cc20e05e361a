/// placeholder
struct Growth {
    init(directory: String, options: Options) {}
    func run() throws {}
}
