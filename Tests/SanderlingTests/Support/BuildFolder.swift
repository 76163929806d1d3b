import Foundation
import TestPrograms

/// The files that the package manager built for this test run.
enum BuildFolder {
  /// Returns the program with a name, beside the tests' bundle or in a folder around it. Returns nil if it isn't there,
  /// as in Xcode's folders for devices and simulators.
  static func program(_ name: String) -> URL? {
    guard Program.canRun else { return nil }
    return folders.map { $0.appending(path: name) }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// The compiler with the arguments that a client needs; nil if modules and macros aren't where the package manager
  /// puts them.
  static let compiler: [String]? = {
    guard let macros = program("SanderlingMacros-tool") else { return nil }
    let products = macros.deletingLastPathComponent()
    func first(_ paths: [String], in folders: [URL]) -> URL? {
      folders.flatMap { folder in paths.map { folder.appending(path: $0) } }
        .first { FileManager.default.fileExists(atPath: $0.path) }
    }
    guard
      let modules = first(["Modules"], in: [products]),
      let grdb = first(["checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap"], in: parents(of: products))
    else { return nil }
    return [
      "swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path,
      "-load-plugin-executable", macros.path + "#SanderlingMacros", "-Xcc", "-fmodule-map-file=\(grdb.path)",
      "-module-cache-path", products.appending(path: "SnippetModuleCache").path,
    ]
  }()

  /// Runs the compiler on files, and returns its output.
  static func compile(_ files: [URL], flags: [String]) throws -> (output: String, status: Int32) {
    guard let compiler else { throw Program.Failure("the build has no compiler for tests") }
    return try Program.run("/usr/bin/env", compiler + flags + files.map(\.path), includesErrors: true)
  }

  private final class Marker {}

  /// The folders around the tests, which are a bundle on Apple's systems and an executable elsewhere.
  private static var folders: [URL] {
    let bundles = [Bundle(for: Marker.self).bundleURL] + Bundle.allBundles.map(\.bundleURL)
    return (bundles + [Bundle.main.executableURL].compactMap { $0 }).flatMap {
      parents(of: $0.resolvingSymlinksInPath())
    }
  }

  private static func parents(of url: URL) -> [URL] {
    sequence(first: url) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }.map { $0 }
  }
}
