/// Why an expectation of a plan or of a cost was not met. Thrown, so that it fails a test of any framework.
public struct ExpectationFailure: Error, Hashable, CustomStringConvertible {
  public let description: String
}
