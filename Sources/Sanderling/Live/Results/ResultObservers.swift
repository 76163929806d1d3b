import Observation

/// The observers of a live result. It is not generic, because key paths of a generic result would have to be made at
/// each access.
@MainActor
class ResultObservers: Observable {
  private let registrar = ObservationRegistrar()

  // The property that observers depend on; the values are elsewhere.
  private var content: Void { () }
  private var request: Void { () }

  final func contentIsRead() {
    registrar.access(self, keyPath: \.content)
  }

  final func changeContent(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.content, change)
  }

  /// An observer read a requested value: a window, or an input.
  final func requestIsRead() {
    registrar.access(self, keyPath: \.request)
  }

  final func changeRequest(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.request, change)
  }
}
