import Observation

/// Those who observe a live result. Not generic as the results are, whose key paths would have to be made at each access.
@MainActor
class ResultObservers: Observable {
  private let registrar = ObservationRegistrar()

  // What observers depend on; the values are elsewhere.
  private var content: Void { () }
  private var request: Void { () }

  final func contentIsRead() {
    registrar.access(self, keyPath: \.content)
  }

  final func changeContent(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.content, change)
  }

  /// Of what is asked for: a window, or an input.
  final func requestIsRead() {
    registrar.access(self, keyPath: \.request)
  }

  final func changeRequest(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.request, change)
  }
}
