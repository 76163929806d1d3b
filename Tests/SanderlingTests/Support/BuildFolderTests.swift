import Testing

/// The package manager's build folder is found: without it, tests that need it are skipped.
@Suite struct BuildFolderTests {
  @Test func isFoundOnLinux() {
    #if os(Linux)
      #expect(BuildFolder.program("StoreKillHelper") != nil)
      #expect(BuildFolder.compiler != nil)
    #endif
  }
}
