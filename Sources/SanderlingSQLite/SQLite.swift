// SQLite's C functions, of the library that GRDB links: an app has one SQLite only, whichever it is.
//
// GRDB's package offers the system's SQLite as a module of its own. A fork that follows GRDB's guide to SQLCipher has no such
// module, and links SQLCipher's instead.
#if canImport(GRDBSQLite)
  @_exported import GRDBSQLite
#elseif canImport(SQLCipher)
  @_exported import SQLCipher
#else
  #error("GRDB links neither GRDBSQLite nor SQLCipher: import the module of its SQLite here")
#endif
