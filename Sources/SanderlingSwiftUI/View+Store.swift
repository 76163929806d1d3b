#if canImport(SwiftUI)
  public import Sanderling
  public import SwiftUI

  extension EnvironmentValues {
    /// The store that ``FollowedRows``, ``FollowedCount`` and ``FollowedValue`` read, unless they name another; nil without one.
    public var sanderlingStore: Store? {
      get { self[StoreKey.self] }
      set { self[StoreKey.self] = newValue }
    }
  }

  private struct StoreKey: EnvironmentKey {
    static var defaultValue: Store? { nil }
  }

  extension View {
    /// Sets the store that the views below follow.
    public func sanderlingStore(_ store: Store) -> some View {
      environment(\.sanderlingStore, store)
    }

    /// Has results follow the database only while this view is on screen: they stop when another view covers it, keep their rows, and catch
    /// up when it appears again.
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
