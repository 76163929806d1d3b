/// A set of values, by what they are like.
struct ProfiledDomain: Codable, Equatable, Sendable {
  var distinct: Int64
  /// In the order of SQLite: numbers, texts, blobs.
  var parts: [ProfiledValues]
}

/// What values of one storage class are like.
struct ProfiledValues: Codable, Equatable, Sendable {
  enum Form: String, Codable, Sendable {
    case integer, real, text, blob
    /// `2001-02-03`
    case day
    /// `2001-02-03 04:05:06`
    case time
    /// `2001-02-03T04:05:06Z`
    case internetTime = "internet-time"
    /// A whole number as a text.
    case digits
    /// An object of JSON.
    case json
  }

  var form: Form
  /// How many values; for columns that are not counted, rows.
  var count: Int64
  /// Of texts and blobs in bytes, rounded to a step: eight lengths that are as frequent.
  var lengths: [Int] = []
  /// Of numbers and times: the power of two that the least value's distance from zero does not reach, and its sign.
  var magnitude = 0
  var isNegative = false
  /// The power of two that the distance of the least from the greatest value does not reach; nil where each whole number
  /// between the two is a value.
  var span: Int?
  /// Whether the least number is 0 or 1, which stay.
  var least: Int64?
  /// Places at which another beginning of texts begins, for which statements search.
  var beginnings: [Int64] = []
  /// Shares of values with a word that statements search for within texts.
  var words: [Double] = []
}
