import Foundation
import TestPrograms
import Testing

@testable import SanderlingDiagnosis

/// What a real browser makes of the page.
@Suite(.enabled(if: Browser.path != nil, "no Chromium or Chrome is installed"), .serialized)
struct BrowserTests {
  @Test(.timeLimit(.minutes(10)))
  func readsThePageAsItWasWritten() throws {
    let page = try Browser.read(HTMLReport(SampleReport.tasks).text)
    #expect(page.matches(of: /<article class="card finding/).count == 5)
    #expect(page.matches(of: /<article class="card statement/).count == 2)
    #expect(page.matches(of: /<svg class="bar rows/).count == 4)
    #expect(page.contains("<h1><bdi>Tasks.sqlite</bdi></h1>"))
  }

  @Test(.timeLimit(.minutes(10)))
  func hostileNamesRemainText() throws {
    let page = try Browser.read(HTMLReport(SampleReport.hostile).text)
    #expect(!page.contains("<script"))
    #expect(page.matches(of: /<article class="card/).count == 2)
    #expect(page.matches(of: /<\/main>/).count == 1)
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
  }
}

/// A browser without a window.
private enum Browser {
  /// The first one that is installed.
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    let candidates =
      folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
      + ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
    return Program.first(of: candidates)
  }()

  /// The page as the browser understood it, written out again.
  static func read(_ html: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "report.html")
    try Data(html.utf8).write(to: file)
    // Containers that run as root have no sandbox for the browser.
    let (output, status) = try Program.run(
      try #require(path),
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path)/profile", "--dump-dom",
        file.absoluteString,
      ])
    try #require(status == 0)
    return output
  }
}
