import Observation

/// Those who observe a live result. Not generic as the results are, whose key paths would have to be made at each access.
final class ResultObservers: Observable, Sendable {
  private let registrar = ObservationRegistrar()

  // What observers depend on; the values are elsewhere.
  private var content: Void { () }
  private var window: Void { () }

  func contentIsRead() {
    registrar.access(self, keyPath: \.content)
  }

  func changeContent(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.content, change)
  }

  func windowIsRead() {
    registrar.access(self, keyPath: \.window)
  }

  func changeWindow(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.window, change)
  }
}
