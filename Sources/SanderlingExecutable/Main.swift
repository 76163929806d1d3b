import SanderlingCLI

/// The command's executable. All that it does is in the module SanderlingCLI, which tests can import: SwiftPM builds tests
/// of a package with macros for the host, and doesn't order them after an executable's module.
@main
struct Main {
  static func main() {
    SanderlingCommand.start()
  }
}
