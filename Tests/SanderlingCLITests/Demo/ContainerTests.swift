import Foundation
import Testing

@testable import SanderlingCLI

struct ContainerTests {
  @Test func rowSetHoldsWhatWasInserted() {
    var set = RowSet()
    for row: Int64 in [1, 63, 64, 1_000_000, 1] { set.insert(row) }
    #expect(set.count == 4)
    #expect([1, 63, 64, 1_000_000].allSatisfy { set.contains($0) })
    #expect(![0, 2, 62, 65, 999_999, 1_000_001, 10_000_000, -1].contains { set.contains($0) })
  }

  @Test(arguments: [0, 1, 499, 500, 501, 1200])
  func hashListGivesLines(count: Int) {
    var list = HashList()
    for number in 0..<count { list.append(Data(repeating: UInt8(number % 251), count: 20)) }
    let lines = String(decoding: list.lines.flatMap { $0 }, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == count)
    for (number, line) in lines.enumerated() {
      let digits = String(number % 251, radix: 16)
      #expect(line == String(repeating: digits.count == 1 ? "0" + digits : digits, count: 20))
    }
  }
}
