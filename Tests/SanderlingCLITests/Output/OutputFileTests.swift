import Foundation
import Testing

@testable import SanderlingCLI

/// Output files and streams are written completely, or the error names the place.
struct OutputFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  // MARK: Descriptors

  /// A million bytes pass through a non-blocking pipe, which holds 64 kB.
  @Test func nonBlockingPipeReceivesAllBytes() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (FileHandle(fileDescriptor: ends[0], closeOnDealloc: true), ends[1])
    #expect(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
    let data = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    Thread.detachNewThread {
      try? OutputWriter(writing, place: "pipe").write(data)
      close(writing)
    }
    #expect(try reading.readToEnd() == data)
  }

  @Test func writerWritesNothingAfterAFailure() throws {
    let descriptor = open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    let writer = OutputWriter(descriptor, place: "standard output")
    let expected = OutputError.notWritten(
      place: "standard output", reason: "it isn't open for writing", remedy: .reopen)
    #expect(throws: expected) { try writer.write("a") }
    #expect(writer.failure == expected)
    // After a failure the writer writes nothing, even if the stream could be written again.
    #expect(dup2(open(folder.file("later"), O_WRONLY | O_CREAT, 0o600), descriptor) == descriptor)
    #expect(throws: expected) { try writer.write("b") }
    #expect(try Data(contentsOf: URL(filePath: folder.file("later"))).isEmpty)
  }

  @Test func emptyOutputNeedsNoOpenStream() throws {
    let writer = OutputWriter(-1, place: "standard output")
    try writer.write("")
    #expect(writer.failure == nil)
    #expect(throws: OutputError.self) { try writer.write("a") }
  }

  // MARK: Files

  @Test func newFileReplacesNoExistingFile() throws {
    let path = folder.file("report")
    try OutputFile.write(Data("one".utf8), to: path, .new)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
    let error = #expect(throws: OutputError.self) { try OutputFile.write(Data("two".utf8), to: path, .new) }
    #expect(error?.description.hasPrefix("\(path) can't be written: File exists.") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
    #expect(try files == ["report"])
  }

  /// FAT and some network file systems have no links.
  @Test(arguments: [EPERM, ENOTSUP, ENOSYS]) func withoutLinksANewFileReplacesNoExistingFile(code: Int32) throws {
    let path = folder.file("report")
    func write(_ text: String) throws {
      try OutputFile.write(Data(text.utf8), to: path, .new) { _, _ in
        errno = code
        return -1
      }
    }
    try write("one")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    let error = #expect(throws: OutputError.self) { try write("two") }
    #expect(error?.description.hasPrefix("\(path) can't be written: File exists.") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
    #expect(try files == ["report"])
    // The file has the permissions of a file that was linked.
    try OutputFile.write(Data("a".utf8), to: folder.file("linked"), .new)
    #expect(try FileManager.default.attributesOfItem(atPath: folder.file("linked"))[.posixPermissions] as? Int == mode)
  }

  @Test func replacedFileKeepsItsPermissions() throws {
    let path = folder.file("report")
    try Data("one".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try OutputFile.write(Data("two".utf8), to: path, .replacing)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "two")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(try files == ["report"])
  }

  @Test func failureLeavesNoFile() throws {
    // A file doesn't replace a folder.
    let path = folder.file("report")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for placement in [OutputFile.Placement.new, .replacing] {
      #expect(throws: OutputError.self) { try OutputFile.write(Data("a".utf8), to: path, placement) }
      #expect(try files == ["report"])
    }
    #expect(throws: OutputError.self) { try OutputFile.write(Data("a".utf8), to: folder.file("none/report"), .new) }
    #expect(try files == ["report"])
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))) func aFullDevice() {
    let error = OutputError.notWritten(place: "/dev/full", reason: "No space left on device", remedy: .freeSpace)
    #expect(throws: error) { try OutputFile.write(Data("a".utf8), to: "/dev/full", .device) }
  }

  @Test func namesOfAnyLength() throws {
    let path = folder.file(String(repeating: "a", count: 255))
    try OutputFile.write(Data("a".utf8), to: path, .new)
    #expect(FileManager.default.fileExists(atPath: path))
  }
}
