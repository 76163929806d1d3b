import Testing

@testable import SanderlingCLI

struct GitDateTests {
  @Test(
    arguments: [
      ("0 +0000", "1970-01-01"), ("86399 +0000", "1970-01-01"), ("86400 +0000", "1970-01-02"),
      // The day in the author's time zone, which may differ from the day in UTC.
      ("86399 +0001", "1970-01-02"), ("86400 -0001", "1970-01-01"), ("1000000000 +0530", "2001-09-09"),
      ("-1 +0000", "1969-12-31"), ("951782400 +0000", "2000-02-29"), ("253402300799 +0000", "9999-12-31"),
      // Dates that git can't read.
      ("", "1970-01-01"), ("x y", "1970-01-01"), ("99999999999999999999 +0000", "1970-01-01"),
      ("9223372036854775807 +0000", "9999-12-31"),
    ])
  func givesDayOfItsTimeZone(raw: String, day: String) {
    var bytes = Array(raw.utf8)
    bytes.withUnsafeMutableBytes { #expect(GitDate(raw: UnsafeRawBufferPointer($0)).day == day) }
  }
}
