import GRDB

extension StoreError {
  /// The store's word for an error of the layers below. Errors of other origin, those of an app's closure and
  /// cancellation included, stay as they are.
  static func wrapping(_ error: any Error, sql: String? = nil, database: Database? = nil) -> any Error {
    switch error {
    case let error as DatabaseError: StoreError(error, sql: sql, database: database)
    case let error as ValueError: StoreError.database(code: 20, message: error.message, sql: sql)
    default: error
    }
  }
  init(_ error: DatabaseError, sql: String?, database: Database?) {
    self = .database(code: error.extendedResultCode.rawValue, message: error.message ?? "", sql: sql)
  }
}
