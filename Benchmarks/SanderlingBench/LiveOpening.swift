import Sanderling

/// Opening and closing many lists.
struct LiveOpening {
  let data: LiveData

  func many() async throws -> BenchmarkWork {
    let (data, count) = (data, data.listCounts.many)
    let store = try data.store()
    return BenchmarkWork(
      figures: [
        .init(name: "\(count) lists opened, until all are current", unit: .milliseconds),
        .init(name: "\(count) lists closed", unit: .milliseconds),
        .init(name: "\(count) lists opened and closed at once", unit: .milliseconds),
      ],
      sanderling: .init(name: "Sanderling") {
        let handles = LiveHandles()
        let opened = try await seconds {
          try await handles.open(on: store) { LiveMixture.all.lists(count, of: data, on: $0) }
        }
        let closed = await seconds {
          await handles.close()
          await store.settled()
        }
        let both = await seconds {
          await Self.openAndClose(count, data, store)
          await store.settled()
        }
        return [opened, closed, both]
      },
      limit: nil, peers: [], rounds: 3)
  }

  /// Each list is accessed once and released, as by views that scroll past.
  @MainActor
  private static func openAndClose(_ count: Int, _ data: LiveData, _ store: Store) {
    for number in 0..<count {
      let place = LiveMixture.all.place(number)
      _ = place.kind.list(place.number, of: data, on: store).look()
    }
  }

  /// Opens as many lists as GRDB observes.
  func some() async throws -> BenchmarkWork {
    let (data, count) = (data, data.observationCount)
    let store = try data.store()
    return BenchmarkWork(
      figures: [.init(name: "\(count) lists opened, until all are current", unit: .milliseconds)],
      sanderling: .init(name: "Sanderling") {
        let handles = LiveHandles()
        let opened = try await seconds {
          try await handles.open(on: store) { LiveMixture.all.lists(count, of: data, on: $0) }
        }
        await handles.close()
        await store.settled()
        return [opened]
      },
      limit: nil,
      peers: [true, false].map { isConstant in
        .init(name: "GRDB \(isConstant ? "constant region" : "tracking")") {
          let observations = try await GRDBObservations(data)
          let opened = try await seconds {
            await observations.observe(.all, count, of: data, isConstant: isConstant)
            try await observations.allDelivered()
          }
          try await observations.close()
          return [opened]
        }
      }, rounds: 5)
  }

  /// One list, from its creation until its rows are there.
  func one() async throws -> BenchmarkWork {
    let (data, repetitions) = (data, data.isShort ? 5 : 100)
    let (store, handles) = (try data.store(), LiveHandles())
    // The first list of a table installs its capture.
    try await handles.open(on: store) { LiveMixture.all.lists(4, of: data, on: $0) }
    let observations = try await GRDBObservations(data)
    var number = 0
    return BenchmarkWork(
      figures: [.init(name: "one more list, until its rows are there", unit: .microseconds)],
      sanderling: .init(name: "Sanderling") {
        var times: [Double] = []
        for _ in 0..<repetitions {
          number += 1
          let place = number
          let one = LiveHandles()
          times.append(
            try await seconds {
              try await one.open(on: store) { LiveMixture.only(.equality).lists(place..<place + 1, of: data, on: $0) }
            })
        }
        try await handles.awaitCurrent(on: store)
        return [times.median]
      },
      limit: nil,
      peers: [
        .init(name: "GRDB constant region") {
          var times: [Double] = []
          for _ in 0..<repetitions {
            number += 1
            let sql = LiveKind.equality.sql(number, of: data)
            await observations.forget()
            times.append(
              try await seconds {
                await observations.observe(isConstant: true) { try GRDBTodo.Task.fetchAll($0, sql: sql) }
                try await observations.allDelivered()
              })
          }
          return [times.median]
        }
      ])
  }
}
