import Foundation
import TestPrograms
import Testing

@testable import SanderlingDiagnosis

/// Opens the HTML report in a real browser.
@Suite(.enabled(if: Browser.isExpected, "no Chromium or Chrome is installed"), .serialized)
struct BrowserTests {
  @Test(.timeLimit(.minutes(10)))
  func browserShowsAllPartsOfThePage() throws {
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

  /// Long statements and names break or end in an ellipsis, so that nothing is wider than the page.
  @Test(.timeLimit(.minutes(10)), arguments: [1200, 800, 500])
  func contentIsNoWiderThanThePage(width: Int) throws {
    for report in [SampleReport.tasks, SampleReport.hostile] {
      let page = try Browser.read(Self.measuringWidths(HTMLReport(report).text), width: width)
      let title = try #require(page.firstMatch(of: /<title>([^<]*)<\/title>/)).output.1
      #expect(title == "measured: ", "\(width)")
    }
  }

  /// The page with all details open and a script. The script lists in the title all elements that extend beyond the
  /// right edge and that no container clips.
  private static func measuringWidths(_ html: String) -> String {
    let script = """
      <script>
      window.onload = function () {
        document.querySelectorAll('details').forEach(details => details.open = true);
        const edge = document.documentElement.clientWidth + 1;
        const isCut = element => {
          for (let parent = element.parentElement; parent; parent = parent.parentElement) {
            if (getComputedStyle(parent).overflowX != 'visible') return true;
          }
          return false;
        };
        const wide = [...document.querySelectorAll('body *')]
          .filter(element => element.getBoundingClientRect().right > edge && !isCut(element))
          .map(element => element.tagName + ' ' + element.className + ' ' + element.textContent.trim().slice(0, 30));
        document.title = 'measured: ' + wide.join(', ');
      };
      </script>
      """
    // The page's own policy forbids scripts.
    return html.replacing(/<meta http-equiv="Content-Security-Policy"[^>]*>/, with: "")
      .replacing("</body>", with: script + "</body>")
  }
}

/// An installed browser, run without a window.
private enum Browser {
  /// The first browser that is found in PATH or in the applications folder.
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    let candidates =
      folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
      + ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
    return Program.first(of: candidates)
  }()

  /// Whether the tests run. Without a browser they are skipped, unless one is required; then they fail.
  static let isExpected = path != nil || ProcessInfo.processInfo.environment["SANDERLING_BROWSER_REQUIRED"] != nil

  /// The page as the browser parsed it, as HTML.
  ///
  /// - Parameter width: The width of the browser's window, in points.
  static func read(_ html: String, width: Int = 800) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "report.html")
    try Data(html.utf8).write(to: file)
    // Containers that run as root offer no sandbox for the browser, and little shared memory.
    let (output, status) = try Program.run(
      try #require(path, "Install Chromium or Chrome: no browser is in PATH, and one is required."),
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--user-data-dir=\(folder.path)/profile",
        "--window-size=\(width),900", "--virtual-time-budget=2000", "--dump-dom", file.absoluteString,
      ])
    try #require(status == 0)
    return output
  }
}
