import Foundation

/// Runs the command `sanderling` that the package builds.
enum DemoRun {
  /// Runs `sanderling demo` to its end.
  static func result(
    _ arguments: String..., environment: [String: String] = TestRepository.environment, directory: String? = nil
  ) throws -> Subcommand.Result {
    try Subcommand(executable, ["demo"] + arguments, environment: environment, directory: directory).result()
  }

  /// Starts `sanderling demo`.
  static func start(_ arguments: String...) throws -> Subcommand {
    try Subcommand(executable, ["demo"] + arguments, environment: TestRepository.environment)
  }

  /// The path of the built command, beside the tests' bundle or executable.
  static var executable: String {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      let products = bundle?.bundleURL.deletingLastPathComponent() ?? URL(filePath: ".build/debug")
    #else
      let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
    return products.appending(path: "sanderling-command").path
  }
}
