import Foundation

/// Calls a function for each notification of one name, until the last reference to the observer goes.
final class NotificationObserver: Sendable {
  /// Safe: the token is only given back to the center.
  private nonisolated(unsafe) let token: any NSObjectProtocol

  /// - Parameter body: Called on the thread that posts the notification.
  init(_ name: Notification.Name, _ body: @escaping @Sendable () -> Void) {
    token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in body() }
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}
