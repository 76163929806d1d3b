extension Store {
  /// Has the store fold no texts of others in the background, or go on with it: for tests of what is read meanwhile.
  package func holdFolding(_ isHeld: Bool) {
    connection.folding?.hold(isHeld)
  }

  /// Waits until nothing is left to be folded.
  package func foldingFinished() async {
    await connection.folding?.finished()
  }
}
