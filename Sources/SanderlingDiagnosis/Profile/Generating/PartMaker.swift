/// Makes values of one storage class.
struct PartMaker {
  private let part: ProfiledValues

  init(_ part: ProfiledValues) {
    self.part = part
  }

  func value(_ place: Int64) -> BoundValue {
    switch part.form {
    case .integer: .integer(integer(place))
    case .real: .real(real(place))
    case .text: .text(text(place))
    case .json: .text("{\"k\":\"\(text(place))\"}")
    case .digits: .text(digits(place))
    case .day, .time, .internetTime: .text(Self.written(seconds(place), part.form))
    case .blob: .blob(blob(place))
    }
  }

  func value(below place: Int64) -> BoundValue {
    switch part.form {
    case .integer: .integer(integer(place) - (place == 0 || stride > 1 ? 1 : 0))
    case .real: .real(real(place) - realStride / 2)
    case .day where stride > 86_400: .text(Self.written(seconds(place) - 86_400, part.form))
    case .time where stride > 1, .internetTime where stride > 1: .text(Self.written(seconds(place) - 1, part.form))
    case .blob: .blob(place == 0 ? [] : blob(place - 1) + [0])
    case .digits: .text(String(digitsBase + place * digitsStride - 1))
    default: place == 0 ? .text("") : .text(continued(place - 1))
    }
  }

  func value(after place: Int64) -> BoundValue {
    switch part.form {
    case .integer: .integer(integer(place) + 1)
    case .real: .real(real(place) + max(1, realStride))
    case .day, .time, .internetTime: .text(Self.written(seconds(place) + max(86_400, stride), part.form))
    case .blob: .blob([0xff, 0xff])
    default: .text(continued(place))
    }
  }

  private func continued(_ place: Int64) -> String {
    (value(place).text ?? "") + "~"
  }

  // MARK: Numbers

  /// The distance between neighbours; at least 1.
  private var stride: Int64 {
    guard let span = part.span else { return part.form == .day ? 86_400 : 1 }
    let stride = max(1, (Int64(1) << min(span, 61)) / max(1, part.count))
    return part.form == .day ? max(1, stride / 86_400) * 86_400 : stride
  }

  private func integer(_ place: Int64) -> Int64 {
    base + place * stride
  }

  private var base: Int64 {
    if let least = part.least { return least }
    let size = Int64(1) << min(max(0, part.isNegative ? part.magnitude : part.magnitude - 1), 61)
    return part.isNegative ? -size : size
  }

  private var realStride: Double { power(part.span ?? 0) / Double(max(1, part.count)) }

  private func real(_ place: Int64) -> Double {
    let base = part.least.map(Double.init) ?? (part.isNegative ? -power(part.magnitude) : power(part.magnitude - 1))
    return base + (Double(place) + 0.25) * realStride
  }

  private func power(_ exponent: Int) -> Double {
    exponent >= 0 ? Double(UInt64(1) << min(exponent, 62)) : 1 / Double(UInt64(1) << min(-exponent, 62))
  }

  // MARK: Times

  /// Returns seconds since 1970. The first place is the beginning of 2001.
  private func seconds(_ place: Int64) -> Int64 {
    978_307_200 + place * stride
  }

  static func written(_ seconds: Int64, _ form: ProfiledValues.Form) -> String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let second = seconds % 86_400
    // Days of the Gregorian calendar, counted from a 1 March.
    let days = seconds / 86_400 + 719_468
    let era = days / 146_097
    let ofEra = days - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * month + 2) / 5 + 1
    let number = month < 10 ? month + 3 : month - 9
    let date = "\(year + era * 400 + (number <= 2 ? 1 : 0))-\(two(number))-\(two(day))"
    if form == .day { return date }
    let time = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    return form == .time ? "\(date) \(time)" : "\(date)T\(time)Z"
  }

  // MARK: Texts

  /// The letters of texts, without q and z, which are reserved for words that statements search for.
  private static let letters = Array("abcdefghijklmnoprstuvwxy".utf8)

  static func word(_ number: Int) -> String {
    "qz" + String(decoding: code(Int64(number), width: 2), as: UTF8.self) + "qz"
  }

  private static func code(_ number: Int64, width: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: letters[0], count: width)
    var rest = number
    for index in bytes.indices.reversed() {
      bytes[index] = letters[Int(rest % 24)]
      rest /= 24
    }
    return bytes
  }

  private static func width(of count: Int64) -> Int {
    var (width, numbers) = (1, Int64(24))
    while numbers < count, width < 13 { (width, numbers) = (width + 1, numbers * 24) }
    return width
  }

  /// Returns the common beginning of all texts between two of the profile's beginnings.
  func beginning(of place: Int64) -> String {
    guard !part.beginnings.isEmpty else { return "" }
    let block = part.beginnings.count { $0 <= place }
    return String(
      decoding: Self.code(Int64(block), width: Self.width(of: Int64(part.beginnings.count + 1))), as: UTF8.self)
  }

  private func text(_ place: Int64) -> String {
    let chance = Scramble.bits(UInt64(bitPattern: place), 5)
    var bytes = Array(beginning(of: place).utf8)
    bytes += Self.code(place, width: Self.width(of: part.count))
    for (number, share) in part.words.enumerated()
    where Scramble.share(UInt64(bitPattern: place), UInt64(number) + 100) < share {
      bytes += Array(" \(Self.word(number)) ".utf8)
    }
    let length = part.lengths.isEmpty ? 0 : part.lengths[Int(chance % UInt64(part.lengths.count))]
    Self.fill(&bytes, to: length - (part.form == .json ? 8 : 0), chance)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds syllables, and spaces if there is room for words.
  static func fill(_ bytes: inout [UInt8], to length: Int, _ chance: UInt64) {
    guard bytes.count < length else { return }
    bytes.reserveCapacity(length)
    let hasSpaces = length >= 24
    var state = chance
    while bytes.count < length {
      state = Scramble.bits(state, 3)
      // Words repeat, frequent ones more often: the number is the product of two random ones.
      var word = (state & 0x3f) * (state >> 6 & 0x3f)
      if hasSpaces { bytes.append(UInt8(ascii: " ")) }
      repeat {
        bytes.append(letters[Int(word % 24)])
        word /= 6
      } while word > 0
    }
    bytes.removeLast(bytes.count - length)
    if bytes.last == UInt8(ascii: " ") { bytes[bytes.count - 1] = letters[0] }
  }

  private var digitsBase: Int64 {
    var base: Int64 = 1
    let length = max(part.lengths.last ?? 1, String(part.count).utf8.count + 1)
    for _ in 1..<min(18, max(2, length)) { base *= 10 }
    return base
  }

  private var digitsStride: Int64 { max(1, digitsBase * 8 / max(1, part.count)) }

  private func digits(_ place: Int64) -> String {
    String(digitsBase + place * digitsStride)
  }

  private func blob(_ place: Int64) -> [UInt8] {
    let chance = Scramble.bits(UInt64(bitPattern: place), 7)
    let width = Self.width(of: part.count)
    var bytes = Self.code(place, width: width)
    let length = part.lengths.isEmpty ? 0 : part.lengths[Int(chance % UInt64(part.lengths.count))]
    var state = chance
    while bytes.count < length {
      state = Scramble.bits(state, 11)
      withUnsafeBytes(of: state) { bytes += $0 }
    }
    bytes.removeLast(max(0, bytes.count - max(width, length)))
    return bytes
  }
}
