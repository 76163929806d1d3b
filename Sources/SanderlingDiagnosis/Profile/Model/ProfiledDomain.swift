/// A set of values, described without the values.
struct ProfiledDomain: Codable, Equatable, Sendable {
  var distinct: Int64
  /// In the order of SQLite: numbers, texts, blobs.
  var parts: [ProfiledValues]
}

/// The properties of the values of one storage class.
struct ProfiledValues: Codable, Equatable, Sendable {
  enum Form: String, Codable, Sendable {
    case integer, real, text, blob
    /// `2001-02-03`
    case day
    /// `2001-02-03 04:05:06`
    case time
    /// `2001-02-03T04:05:06Z`
    case internetTime = "internet-time"
    /// An integer as a text.
    case digits
    /// A JSON object.
    case json
  }

  var form: Form
  /// The number of values; for uncounted columns, the number of rows.
  var count: Int64
  /// For texts and blobs: eight quantiles of the length in bytes, rounded to a step.
  var lengths: [Int] = []
  /// For numbers and times: the sign of the least value, and the power of two above its distance from zero.
  var magnitude = 0
  var isNegative = false
  /// The power of two above the distance between the least and the greatest value; nil if every integer between them is
  /// a value.
  var span: Int?
  /// The least number if it is 0 or 1, which stay unchanged.
  var least: Int64?
  /// The places at which a new beginning of texts starts, for the beginnings that statements search for.
  var beginnings: [Int64] = []
  /// The shares of values that contain a word that statements search for inside texts.
  var words: [Double] = []
}
