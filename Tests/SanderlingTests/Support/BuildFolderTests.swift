import Testing

/// What the package manager builds is found: without it, tests that need it are left out.
@Suite struct BuildFolderTests {
  @Test func isFoundOnLinux() {
    #if os(Linux)
      #expect(BuildFolder.program("StoreKillHelper") != nil)
      #expect(BuildFolder.compiler != nil)
    #endif
  }
}
