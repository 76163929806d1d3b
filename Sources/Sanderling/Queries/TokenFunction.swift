import GRDB
import SanderlingSQLite

/// The SQL function that gives a text as full-text indexes take it: `sanderling_tokens(kind, text)`, which is empty for NULL.
enum TokenFunction {
  static let name = "sanderling_tokens"

  static func register(on connection: OpaquePointer?) throws {
    let buffer = Unmanaged.passRetained(TokenBuffer()).toOpaque()
    let code = sqlite3_create_function_v2(
      connection, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, buffer,
      { context, _, values in
        guard let values, let pointer = sqlite3_user_data(context) else { return }
        let text = MatchFunction.text(values[1])
        let isOfWords = MatchFunction.text(values[0])?.elementsEqual(SearchKind.words.rawValue.utf8) == true
        Unmanaged<TokenBuffer>.fromOpaque(pointer)._withUnsafeGuaranteedRef { buffer in
          buffer.fill(text, isOfWords: isOfWords)
          buffer.tokens.withUnsafeBufferPointer { tokens in
            tokens.withMemoryRebound(to: CChar.self) { tokens in
              sqlite3_result_text64(
                context, tokens.baseAddress ?? UnsafePointer(emptyBytes), UInt64(tokens.count), transientDestructor,
                UInt8(SQLITE_UTF8))
            }
          }
        }
      }, nil, nil,
      { buffer in
        // SQLite calls this when the connection closes, and also when the registration fails.
        if let buffer { Unmanaged<TokenBuffer>.fromOpaque(buffer).release() }
      })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}

/// Memory for one text's tokens after the other's. It belongs to a connection.
private final class TokenBuffer {
  private let fold = FoldBuffer()
  private(set) var tokens: [UInt8] = []

  func fill(_ text: UnsafeBufferPointer<UInt8>?, isOfWords: Bool) {
    tokens.removeAll(keepingCapacity: tokens.capacity < 1 << 20)
    guard let text else { return }
    fold.fold(text)
    fold.withFolded { folded in
      if isOfWords { WordTokens.append(folded, to: &tokens) } else { SubstringTokens.append(folded, to: &tokens) }
    }
  }
}
