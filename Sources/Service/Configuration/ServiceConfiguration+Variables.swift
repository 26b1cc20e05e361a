import Configuration

extension ServiceConfiguration {
    /// Variables that begin as those of settings do and name none, in order: misspelt, or another program's. They are not
    /// refused, since an orchestrator may set such by itself (`SIJILL_PORT`, for a service of the name).
    package static func unknownVariables(in environment: [String: String]) -> [String] {
        environment.keys.filter { name in
            guard name.hasPrefix("SIJILL_"), !otherVariables.contains(name) else { return false }
            let variable = EnvironmentVariablesProvider(environmentVariables: [name: "1"])
            let reader = ConfigReader(provider: variable.prefixKeys(with: "sijill"))
            return !settings.contains {
                reader.string(forKey: ConfigKey(stringLiteral: $0.key)) != nil
            }
        }.sorted()
    }

    /// What the engine and `replay` take from the environment.
    private static let otherVariables: Set = ["SIJILL_MASTER_KEY_FILE", "SIJILL_SEGMENT_EVENTS"]
}
