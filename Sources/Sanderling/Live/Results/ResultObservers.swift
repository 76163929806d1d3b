import Observation

/// Those who observe a live result. Not generic as the results are, whose key paths would have to be made at each access.
@MainActor
class ResultObservers: Observable {
  private let registrar = ObservationRegistrar()

  // What observers depend on; the values are elsewhere.
  private var content: Void { () }
  private var window: Void { () }

  final func contentIsRead() {
    registrar.access(self, keyPath: \.content)
  }

  final func changeContent(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.content, change)
  }

  final func windowIsRead() {
    registrar.access(self, keyPath: \.window)
  }

  final func changeWindow(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.window, change)
  }
}
