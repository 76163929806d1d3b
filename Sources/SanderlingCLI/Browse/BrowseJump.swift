/// A move to a row that the database has to find.
@MainActor
struct BrowseJump {
  let task: Task<Void, Never>
  /// Describes the wait.
  let waiting: @MainActor () -> String
  private let start = ContinuousClock.now

  /// The description of a wait that the user notices; nil before.
  var message: String? {
    ContinuousClock.now - start < .milliseconds(200) ? nil : waiting() + ". Escape stays here."
  }
}
