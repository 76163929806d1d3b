import Testing

/// The package manager's build folder is found. Without it, tests that need it would be skipped.
@Suite struct BuildFolderTests {
  @Test func buildFolderIsFoundOnLinux() {
    #if os(Linux)
      #expect(BuildFolder.program("StoreKillHelper") != nil)
      #expect(BuildFolder.compiler != nil)
    #endif
  }
}
