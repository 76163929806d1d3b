import Testing

@testable import SanderlingCLI

/// Names of tables and columns become the names that a developer would choose.
struct RecordNamesTests {
  private func type(_ table: String, beside others: [String] = []) -> String {
    RecordNames([table] + others)[table].type
  }

  @Test(arguments: [
    ("todo_items", "TodoItem"), ("remindersLists", "RemindersList"), ("USERS", "User"), ("2024", "Table2024"),
    ("a b-c", "ABC"), ("", "Table"), ("Größe", "Größe"), ("ünïcode", "Ünïcode"), ("表", "表"),
    ("UserAccounts", "UserAccount"),
    ("url_visits", "URLVisit"), ("htmlPages", "HTMLPage"), ("user_ids", "UserID"), ("json", "JSON"),
    // Types of Swift and of the library.
    ("tasks", "TaskRecord"), ("data", "DataRecord"), ("urls", "URLRecord"), ("sources", "SourceRecord"),
  ])
  func namesOfTypes(table: String, expected: String) {
    #expect(type(table) == expected)
  }

  @Test(arguments: [
    ("cookies", "cookie"), ("movies", "movie"), ("categories", "category"), ("ties", "tie"), ("statuses", "status"),
    ("addresses", "address"), ("buses", "bus"), ("aliases", "alias"), ("viruses", "virus"), ("lenses", "lens"),
    ("houses", "house"), ("cases", "case"), ("databases", "database"), ("boxes", "box"), ("branches", "branch"),
    ("caches", "cache"), ("quizzes", "quiz"), ("people", "person"), ("children", "child"), ("men", "man"),
    ("indices", "index"), ("analyses", "analysis"), ("criteria", "criterion"), ("heroes", "hero"), ("shoes", "shoe"),
    ("photos", "photo"), ("wolves", "wolf"), ("leaves", "leaf"), ("archives", "archive"), ("bookshelves", "bookshelf"),
    ("menus", "menu"), ("series", "series"), ("news", "news"), ("data", "data"), ("metadata", "metadata"),
    ("status", "status"), ("address", "address"), ("gas", "gas"), ("analysis", "analysis"), ("https", "https"),
    ("settings", "setting"), ("Movies", "Movie"), ("People", "Person"), ("task", "task"), ("ids", "id"),
  ])
  func singulars(plural: String, singular: String) {
    #expect(EnglishNoun.singular(plural) == singular)
    // The plural of the singular is a plural again.
    #expect(EnglishNoun.singular(EnglishNoun.plural(singular)) == singular)
  }

  @Test(arguments: [
    ("task", "tasks"), ("category", "categories"), ("day", "days"), ("bus", "buses"), ("child", "children"),
    ("index", "indexes"), ("hero", "heroes"), ("news", "news"), ("URL", "URLs"), ("Person", "People"),
  ])
  func plurals(singular: String, plural: String) {
    #expect(EnglishNoun.plural(singular) == plural)
  }

  @Test func aCommonPrefixIsLeftOut() {
    let names = RecordNames(["moz_places", "moz_origins", "moz_places_metadata"])
    #expect(
      ["moz_places", "moz_origins", "moz_places_metadata"].map { names[$0].type } == [
        "Place", "Origin", "PlaceMetadata",
      ])
    #expect(names["moz_places_metadata"].many == "placeMetadata" && names["moz_places"].many == "places")
    // Two tables may begin alike by chance, and a table may be the prefix itself.
    #expect(type("todo_items", beside: ["todo_lists"]) == "TodoItem")
    #expect(type("user_emails", beside: ["user_names", "user"]) == "UserEmail")
    #expect(type("log_1", beside: ["log_2", "log_3"]) == "Log1")
  }

  /// Django puts the name of an app before the name of a table.
  @Test func namesOfAppsAreLeftOut() {
    let tables = ["auth_user", "books_book", "books_bookauthors", "books_tag"]
    let names = RecordNames(tables)
    #expect(tables.map { names[$0].type } == ["User", "Book", "Bookauthor", "Tag"])
    // Both would be a User.
    #expect(type("auth_user", beside: ["books_book", "books_user"]) == "AuthUser")
  }

  @Test func namesOfOtherTablesInsideAreSingular() {
    #expect(type("books_tags_link", beside: ["books", "tags"]) == "BookTagLink")
    #expect(type("todo_items_tags", beside: ["todo_items", "x"]) == "TodoItemTag")
    #expect(type("sales_orders", beside: ["orders"]) == "SalesOrder")
  }

  @Test(arguments: [
    ("project_id", "projectID"), ("projectId", "projectID"), ("isDone", "isDone"), ("ID", "id"), ("URL", "url"),
    ("home_url", "homeURL"), ("homeUrl", "homeURL"), ("userIds", "userIDs"), ("user_ids", "userIDs"),
    ("urlText", "urlText"),
    ("isHttpOnly", "isHTTPOnly"), ("html_body", "htmlBody"), ("json", "json"), ("entryUUID", "entryUUID"),
    ("UserName", "userName"), ("URLString", "urlString"), ("created-at", "createdAt"), ("1st", "column1st"),
    ("key", "keyName"), ("default", "default"), ("self", "selfValue"), ("", "column"), ("ünïcode", "ünïcode"),
    ("Straßen_name", "straßenName"), ("idle", "idle"), ("iOSVersion", "iOSVersion"), ("x²", "x"), ("😀", "column"),
  ])
  func namesOfProperties(column: String, expected: String) {
    var taken: Set<String> = ["key"]
    #expect(SwiftName.property(of: column, &taken) == expected)
  }
}
