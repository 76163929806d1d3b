extension Store {
  /// Stops background folding, or lets it continue: for tests of reads while texts are pending.
  package func holdFolding(_ isHeld: Bool) {
    connection.folding?.hold(isHeld)
  }

  /// Waits until the background folding has nothing to do, regardless of failures.
  package func foldingFinished() async {
    await connection.folding?.finished()
  }
}
