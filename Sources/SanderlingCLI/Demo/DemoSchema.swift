import Sanderling

/// The records of the demo's store.
enum DemoSchema {
  static let records: [any StoredRecord.Type] = [
    ImportedRepository.self, Author.self, GitCommit.self, FileChange.self,
  ]
}
