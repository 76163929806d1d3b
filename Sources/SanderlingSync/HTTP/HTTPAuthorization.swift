import Foundation

/// How requests tell who sends them.
///
/// What the closure gives is kept in memory as long as the server takes it, and is never in errors, descriptions or the database.
public struct HTTPAuthorization: Sendable, CustomStringConvertible {
  let header: String
  let value: @Sendable (_ wasRefused: Bool) async throws -> String

  /// - Parameters:
  ///   - header: The header's name.
  ///   - value: Gives the header's value. Called at the first request, and again with true once the server answered 401 to what it gave:
  ///     then it gets a new token.
  public init(
    header: String = "Authorization", value: @escaping @Sendable (_ wasRefused: Bool) async throws -> String
  ) {
    self.header = header
    self.value = value
  }

  /// A token, as `Authorization: Bearer …`.
  public static func bearer(_ token: @escaping @Sendable (_ wasRefused: Bool) async throws -> String) -> Self {
    HTTPAuthorization { "Bearer " + (try await token($0)) }
  }

  /// A name and a password, as `Authorization: Basic …`.
  public static func basic(user: String, password: String) -> Self {
    let value = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    return HTTPAuthorization { _ in value }
  }

  public var description: String { "authorization by \(header)" }
}

/// The value of an authorization as long as it is taken.
actor HTTPToken {
  private let authorization: HTTPAuthorization
  private var value: String?
  private var asking: Task<String, any Error>?

  init(_ authorization: HTTPAuthorization) { self.authorization = authorization }

  nonisolated var header: String { authorization.header }

  func current() async throws -> String {
    if let value { return value }
    return try await ask(wasRefused: false)
  }

  /// Another value than one that was refused; many requests that were refused at once ask for one.
  func replacement(for refused: String) async throws -> String {
    if let value, value != refused { return value }
    return try await ask(wasRefused: true)
  }

  private func ask(wasRefused: Bool) async throws -> String {
    if let asking { return try await asking.value }
    let authorization = authorization
    let task = Task { try await authorization.value(wasRefused) }
    asking = task
    defer { asking = nil }
    let given = try await task.value
    value = given
    return given
  }

  /// A text of a server without the token, which some of them repeat.
  func redacted(_ text: String) -> String {
    guard let value else { return text }
    return ([value] + value.split(separator: " ").dropFirst().map(String.init)).filter { !$0.isEmpty }
      .reduce(text) { $0.replacingOccurrences(of: $1, with: "…") }
  }
}
