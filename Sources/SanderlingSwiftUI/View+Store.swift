#if canImport(SwiftUI)
  public import Sanderling
  public import SwiftUI

  extension EnvironmentValues {
    /// The store of ``FollowedRows``, ``FollowedCount`` and ``FollowedValue`` that name no other; nil without a store.
    public var sanderlingStore: Store? {
      get { self[StoreKey.self] }
      set { self[StoreKey.self] = newValue }
    }
  }

  private struct StoreKey: EnvironmentKey {
    static var defaultValue: Store? { nil }
  }

  extension View {
    /// Sets the store of the views below.
    public func sanderlingStore(_ store: Store) -> some View {
      environment(\.sanderlingStore, store)
    }

    /// Lets results follow the database only while this view is on screen. When another view covers it, they stop and
    /// keep their rows. When it appears again, they catch up.
    ///
    /// ```swift
    /// List(tasks) { Text($0.title) }.following($tasks, $open)
    /// ```
    public func following(_ results: any FollowedResult...) -> some View {
      onAppear {
        for result in results { result.resume() }
      }
      .onDisappear {
        for result in results { result.suspend() }
      }
    }
  }
#endif
