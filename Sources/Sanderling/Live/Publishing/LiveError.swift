/// The reason why waiting for a live result ended.
public enum LiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The result, or its database, is suspended: it follows no commits that could be waited for.
  case suspended

  public var description: String {
    "The live result is suspended and shows no newer commits: call resume() first."
  }
}
