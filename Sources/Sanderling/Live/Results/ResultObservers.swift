import Observation

/// The observers of a live result. Not generic like the results, whose key paths would be made at each access.
@MainActor
class ResultObservers: Observable {
  private let registrar = ObservationRegistrar()

  // The properties that observers depend on. The values are elsewhere.
  private var content: Void { () }
  private var request: Void { () }

  final func contentIsRead() {
    registrar.access(self, keyPath: \.content)
  }

  final func changeContent(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.content, change)
  }

  /// Notes a read of the request: the window, or an input.
  final func requestIsRead() {
    registrar.access(self, keyPath: \.request)
  }

  final func changeRequest(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.request, change)
  }
}
