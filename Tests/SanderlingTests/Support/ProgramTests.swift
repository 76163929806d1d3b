import Foundation
import TestPrograms
import Testing

/// The start of programs by tests.
@Suite(.enabled(if: Program.canRun)) struct ProgramTests {
  private func shell(_ script: String) throws -> (output: String, status: Int32) {
    try Program.run("/bin/sh", ["-c", script])
  }

  @Test func reportsHowTheProgramEnded() throws {
    #expect(try Program("/bin/sh", ["-c", "exit 7"]).wait() == .exited(7))
    #expect(try Program("/bin/sh", ["-c", "kill -KILL $$"]).wait() == .killed(SIGKILL))
    let program = try Program("/bin/sleep", ["60"])
    #expect(program.isRunning)
    program.signal(SIGTERM)
    #expect(program.wait() == .killed(SIGTERM) && program.wait() == .killed(SIGTERM) && !program.isRunning)
    // The signal must not reach a later process with the same number.
    program.signal(SIGKILL)
  }

  @Test func readsTheOutputOfTheProgram() throws {
    #expect(try shell("echo one; echo two >&2; exit 3") == ("one\n", 3))
    #expect(try Program.run("/bin/sh", ["-c", "echo one; echo two >&2"], includesErrors: true).output == "one\ntwo\n")
    #expect(try shell("cat").output == "")
  }

  /// A program inherits no files of the tests. Otherwise a pipe would stay open while a program that lives longer has
  /// it, too.
  @Test func hasNoFilesOfTheTests() throws {
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    #expect(try shell("if [ -e /dev/fd/\(file) ]; then echo open; else echo closed; fi").output == "closed\n")
  }

  @Test func programGetsItsFolderAndEnvironment() throws {
    let pipe = Pipe()
    try Program(
      "/bin/sh", ["-c", "pwd; echo $WORD"], environment: ["WORD": "knot"], directory: "/",
      output: pipe.fileHandleForWriting
    ).wait()
    try pipe.fileHandleForWriting.close()
    #expect(try pipe.fileHandleForReading.readToEnd() == Data("/\nknot\n".utf8))
  }

  @Test func errorNamesAProgramThatCannotStart() {
    #expect { try Program("/nowhere/knot", []) } throws: { "\($0)".contains("/nowhere/knot") }
  }
}
