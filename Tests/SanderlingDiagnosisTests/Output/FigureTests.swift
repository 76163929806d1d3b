import SanderlingTerminal
import Testing

@testable import SanderlingDiagnosis

struct FigureTests {
  @Test(arguments: [
    (Duration.zero, "0 ms"), (.nanoseconds(420), "0.4 µs"), (.nanoseconds(4_200), "4 µs"),
    (.microseconds(180), "0.18 ms"),
    (.microseconds(1_130), "1.1 ms"), (.microseconds(12_400), "12.4 ms"), (.milliseconds(361), "361 ms"),
    (.milliseconds(999), "999 ms"), (.milliseconds(1_000), "1.0 s"), (.seconds(75), "75.0 s"),
    (.seconds(4_000), "4,000 s"),
    (.seconds(Int64.max), "9.22e+18 s"),
  ])
  func writesTimesInASuitableUnit(duration: Duration, text: String) {
    #expect(Figure.duration(duration) == text)
  }

  @Test(arguments: [
    (Int64(0), "0"), (999, "999"), (128_136, "128,136"), (-1_000, "−1,000"), (.min, "−9,223,372,036,854,775,808"),
  ])
  func groupsDigits(number: Int64, text: String) {
    #expect(Figure.count(number) == text)
  }

  @Test(arguments: [(1, "1 index"), (0, "0 indexes"), (2_000, "2,000 indexes")])
  func countsUseTheSingularAndPlural(number: Int, text: String) {
    #expect(Figure.count(number, "index", "indexes") == text)
  }

  @Test(arguments: [
    (2_005.6, "2,006×"), (99.6, "100×"), (12.4, "12×"), (2.44, "2.4×"), (1.5, "−33 %"), (1, "±0 %"), (0.5, "+100 %"),
    (0, "unknown"), (.infinity, "unknown"), (.nan, "unknown"),
  ])
  func writesRatiosBelowTwoAsChanges(ratio: Double, text: String) {
    #expect(Figure.ratio(ratio) == text)
  }

  @Test(arguments: [(-99.94, "−99.9 %"), (4, "+4 %"), (-0.3, "±0 %"), (-100, "−100 %")])
  func writesChanges(percent: Double, text: String) {
    #expect(Figure.change(percent) == text)
  }

  @Test(arguments: [(0, "0 %"), (0.001, "<1 %"), (0.78, "78 %"), (7, "100 %"), (-1, "0 %"), (.nan, "unknown")])
  func writesShares(share: Double, text: String) {
    #expect(Figure.share(share) == text)
  }

  @Test(arguments: [
    (Int64(1), "1 byte"), (512, "512 bytes"), (4_096, "4 KB"), (24_117_248, "24.1 MB"), (361_000_000, "361 MB"),
    (4_200_000_000, "4.2 GB"),
  ])
  func writesSizes(bytes: Int64, text: String) {
    #expect(Figure.bytes(bytes) == text)
  }

  @Test(arguments: [
    (128_136, "rows", "128,136 rows"), (1, "rows", "1 row"), (0.361, "s", "361 ms"), (4_096, "bytes", "4 KB"),
    (1_966.08, "", "1,966"), (4.5, "", "4.50"), (0.000_123_4, "", "0.000123"), (1e300, "bytes", "9223372036.9 GB"),
    (.nan, "rows", "unknown"), (-.infinity, "bytes", "unknown"),
  ])
  func writesEvidence(value: Double, unit: String, text: String) {
    #expect(Figure.quantity(value, unit: unit) == text)
  }

  @Test(arguments: [(Duration.microseconds(180), 0.18), (.nanoseconds(361_000_001), 361.000_001), (.zero, 0)])
  func countsMillisecondsExactly(duration: Duration, milliseconds: Double) {
    #expect(Figure.milliseconds(duration) == milliseconds)
  }

  /// If the budget stopped the run before the fix, its steps are a lower bound. A greater number after the fix is then
  /// reported as no loss.
  @Test func lowerBoundsReportNoLoss() {
    func measurement(_ steps: Int64, isComplete: Bool) -> StatementMeasurement {
      StatementMeasurement(
        steps: steps, pages: 0, coldPages: 0, warmTime: .zero, coldTime: .zero, rowsReturned: 1, isComplete: isComplete)
    }
    func gain(_ before: Int64, isComplete: Bool, _ after: Int64) -> String? {
      let comparison = Comparison(
        bindings: "", before: measurement(before, isComplete: isComplete), after: measurement(after, isComplete: true))
      return ComparedFigure.all(comparison).first { $0.name == "steps" }?.gain
    }
    #expect(gain(300, isComplete: false, 100) == "≥ 3.0×")
    #expect(gain(100, isComplete: false, 300) == "")
    #expect(gain(100, isComplete: true, 300) == "+200 %")
  }
}
