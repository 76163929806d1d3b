import Foundation

/// The system's reason why a file can't be read. Foundation's own text on Linux contains no reason.
package enum SystemReason {
  /// - Returns: A sentence such as `Permission denied.`
  package static func of(_ error: any Error) -> String {
    var next: (any Error)? = error
    while let error = next as NSError? {
      if error.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(error.code))) + "." }
      next = error.userInfo[NSUnderlyingErrorKey] as? any Error
    }
    return error.localizedDescription
  }
}
