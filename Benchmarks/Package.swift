// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "sanderling-bench", targets: ["SanderlingBench"])],
  dependencies: [
    .package(name: "sanderling", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .executableTarget(
      name: "SanderlingBench",
      dependencies: [
        .product(name: "Sanderling", package: "sanderling"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        "CMalloc",
      ]),
    .systemLibrary(name: "CMalloc"),
  ],
  swiftLanguageModes: [.v6]
)
