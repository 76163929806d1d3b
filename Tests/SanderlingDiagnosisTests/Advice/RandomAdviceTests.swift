import Foundation
import Testing

@testable import SanderlingDiagnosis

/// An advised index changes no result and makes its statement cheaper, for random schemas and statements.
@Suite struct RandomAdviceTests {
  @Test func advisedIndexesChangeNoResultAndTakeLess() throws {
    let seed =
      ProcessInfo.processInfo.environment["SANDERLING_SEED"].flatMap(UInt64.init)
      ?? UInt64.random(in: 0...UInt64.max)
    print("SANDERLING_SEED=\(seed)")
    var random = AdviceRandom(seed: seed)
    var advised = 0
    for _ in 0..<15 {
      let fixture = try AdviceFixture(random.schema())
      let connection = fixture.copy.connection
      for _ in 0..<20 {
        let sql = random.statement()
        let analyzed = try fixture.analyze(sql)
        let advice = try fixture.advisor.advise(on: analyzed)
        if advice.sql.isEmpty { continue }
        advised += 1
        let before = try connection.rows(sql)
        let after = try Trial(connection: connection).run(advice.sql) {
          (try connection.rows(sql), try fixture.advisor.runner.measure(sql))
        }.value
        let isSame = after.0 == before
        #expect(isSame, "\(sql) with \(advice.sql), seed \(seed)")
        // If the counters show no gain, whole runs took less than half of the time.
        let (old, new) = (advice.comparisons.map(\.before), advice.comparisons.map(\.after))
        let isByClock = ExecutionCost.shareByClock(of: new, old) != nil
        #expect(
          isByClock || ExecutionCost.of(after.1) < ExecutionCost.of(analyzed.measurements[0]),
          "\(sql) with \(advice.sql), seed \(seed)")
        #expect(advice.kind != nil && advice.comparisons.count == analyzed.measurements.count)
      }
    }
    #expect(advised > 20, "seed \(seed)")
  }
}
