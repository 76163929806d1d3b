/// The options for reading a file of rows.
public struct FileOptions: Sendable, Hashable {
  /// The encoding; nil for the encoding that the file's first bytes show, or UTF-8 if they show none.
  public var encoding: FileEncoding?
  /// The choice among rows with the same key.
  public var duplicates: DuplicateRows
  /// The names of columns that aren't read, regardless of the case of ASCII letters.
  public var ignoredColumns: Set<String>
  /// The limits of rows and values.
  public var limits: FileLimits

  public init(
    encoding: FileEncoding? = nil, duplicates: DuplicateRows = .useFirst, ignoredColumns: Set<String> = [],
    limits: FileLimits = FileLimits()
  ) {
    self.encoding = encoding
    self.duplicates = duplicates
    self.ignoredColumns = ignoredColumns
    self.limits = limits
  }
}

/// The choice among a file's rows with the same key. Rows with the same values count as one row.
public enum DuplicateRows: String, Sendable, Hashable, CaseIterable {
  /// The first row is used. Later rows with other values are quarantined, with their lines.
  ///
  /// While the file is read, a temporary file holds the keys: about 20 bytes for each row, and the key.
  case useFirst = "first"
  /// The last row is used, because the file is a log of changes.
  case useLast = "last"
}

/// The way in which a file of comma-separated values writes values.
public struct CSVFormat: Sendable, Hashable {
  /// The character between fields: an ASCII character other than a quote and a line break.
  ///
  /// By default it is a comma. Exception: the first row contains the names of the key's columns only if it is divided
  /// by semicolons, tabs or bars.
  public var delimiter: Character?
  /// The texts without quotes that mean NULL, besides the empty field.
  public var nulls: Set<String>
  /// The encoding of blobs.
  ///
  /// By default each value must show its encoding: `X'0aff'` is hexadecimal, and a text with a character that is no
  /// hexadecimal digit is base64. Other texts may be either, and are quarantined.
  public var blobs: BlobText?
  /// The encodings of the blobs in some columns, by the names of the columns.
  public var blobColumns: [String: BlobText]

  public init(
    delimiter: Character? = nil, nulls: Set<String> = [], blobs: BlobText? = nil, blobColumns: [String: BlobText] = [:]
  ) {
    self.delimiter = delimiter
    self.nulls = nulls
    self.blobs = blobs
    self.blobColumns = blobColumns
  }
}

/// The encodings of bytes as text.
public enum BlobText: String, Sendable, Hashable, CaseIterable {
  /// Two digits for each byte, with or without `X'…'` around them.
  case hex
  /// Base64 of RFC 4648, with padding.
  case base64
}
