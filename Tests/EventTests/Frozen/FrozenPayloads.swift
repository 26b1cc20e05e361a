// swift-format-ignore-file
/// Payloads as they were once written (FrozenTests.swift). Lines are added, never changed.
enum FrozenPayloads {
    static let lines = ##"""
"""##
}
