import GRDB
import GRDBSQLite

/// Reads and writes that succeed or fail together.
///
/// Valid inside the closure that it is passed to, on the thread that runs it.
public final class WriteTransaction: ReadTransaction {}
