// swift-tools-version: 6.2
import PackageDescription

// An app in three modules with tests, as a user of the library would write it. `Scripts/check-clients` compiles the
// app, and never runs it.
let package = Package(
  name: "Client",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    .package(name: "sanderling", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "Interface"),
    .target(
      name: "Models",
      dependencies: [
        .product(name: "Sanderling", package: "sanderling"), .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(
      name: "App",
      dependencies: [
        "Interface", "Models", .product(name: "Sanderling", package: "sanderling"),
        .product(name: "SanderlingDiagnosis", package: "sanderling"),
        .product(name: "SanderlingSync", package: "sanderling"), .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "AppTests",
      dependencies: ["App", "Models", .product(name: "SanderlingTesting", package: "sanderling")]),
  ]
)
