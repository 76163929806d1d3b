import Sanderling

/// What a store of the demo holds.
enum DemoSchema {
  static let records: [any StoredRecord.Type] = [
    ImportedRepository.self, Author.self, GitCommit.self, FileChange.self,
  ]
}
