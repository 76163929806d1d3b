import SanderlingFuzz

/// The command's executable. All that it does is in the module SanderlingFuzz.
@main
struct Main {
  static func main() async {
    await FuzzCommand.main()
  }
}
