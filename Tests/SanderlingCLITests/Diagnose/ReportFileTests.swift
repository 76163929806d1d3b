import Foundation
import Testing

@testable import SanderlingCLI

/// The files to which `sanderling diagnose` may write its report.
struct ReportFileTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("a.sqlite")
    try Data("SQLite format 3\0 and so on".utf8).write(to: URL(filePath: database))
  }

  @Test func writesANewFileAndReplacesAnOldOne() throws {
    let path = folder.file("report.html")
    for text in ["one", "two"] {
      try ReportFile(path: path, option: "--html", keeping: [database]).write(text)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.sqlite", "report.html"])
  }

  @Test func writesNothingBeforeTheReportExists() throws {
    _ = try ReportFile(path: folder.file("report.html"), option: "--html", keeping: [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.sqlite"])
  }

  @Test(arguments: ["", "-wal", "-shm", "-journal"])
  func leavesTheDatabaseAndItsFilesAlone(suffix: String) {
    #expect(throws: DiagnoseError.isInput(database + suffix, option: "--html")) {
      try ReportFile(path: database + suffix, option: "--html", keeping: [database])
    }
    let other = "\(folder.path)/./\(URL(filePath: database).lastPathComponent)\(suffix)"
    #expect(throws: DiagnoseError.isInput(other, option: "--html")) {
      try ReportFile(path: other, option: "--html", keeping: [database])
    }
  }

  @Test func refusesLinksToTheDatabase() throws {
    let link = folder.file("link.html")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database)
    #expect(throws: DiagnoseError.isInput(link, option: "--html")) {
      try ReportFile(path: link, option: "--html", keeping: [database])
    }
    let hardLink = folder.file("hard.html")
    try FileManager.default.linkItem(atPath: database, toPath: hardLink)
    #expect(throws: DiagnoseError.isInput(hardLink, option: "--html")) {
      try ReportFile(path: hardLink, option: "--html", keeping: [database])
    }
  }

  @Test func refusesToReplaceADatabase() {
    #expect(throws: DiagnoseError.isDatabase(database, option: "--html")) {
      try ReportFile(path: database, option: "--html", keeping: [])
    }
  }

  @Test func refusesFoldersAndPathsInMissingFolders() {
    #expect(throws: DiagnoseError.isFolder(folder.path, option: "--html")) {
      try ReportFile(path: folder.path, option: "--html", keeping: [])
    }
    #expect(throws: DiagnoseError.isFolder("report/", option: "--html")) {
      try ReportFile(path: "report/", option: "--html", keeping: [])
    }
    let path = folder.file("none/report.html")
    #expect(throws: DiagnoseError.noFolder(path: path, folder: folder.file("none"), option: "--html")) {
      try ReportFile(path: path, option: "--html", keeping: [])
    }
  }

  @Test func writesToADevice() throws {
    try ReportFile(path: "/dev/null", option: "--html", keeping: [database]).write("text")
    #expect(FileManager.default.fileExists(atPath: "/dev/null"))
  }
}
