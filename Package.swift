// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "sanderling",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Sanderling", targets: ["Sanderling"]),
    .library(name: "SanderlingTesting", targets: ["SanderlingTesting"]),
    .library(name: "SanderlingDiagnosis", targets: ["SanderlingDiagnosis"]),
    .executable(name: "sanderling", targets: ["SanderlingExecutable"]),
    .executable(name: "sanderling-fuzz", targets: ["SanderlingFuzzExecutable"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    .target(
      name: "Sanderling",
      dependencies: [
        "SanderlingMacros",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      // `make tsan` sets it, for a lock that the sanitizer knows.
      swiftSettings: Context.environment["SANITIZE_THREAD"] == nil ? [] : [.define("SANITIZE_THREAD")]),
    .macro(
      name: "SanderlingMacros",
      dependencies: [
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ]),
    // For the tests and previews of apps: an app links it nowhere else.
    .target(
      name: "SanderlingTesting",
      dependencies: [
        "Sanderling",
        "SanderlingDiagnosis",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    // Plans, findings and verified advice for any SQLite database. Needs nothing of the library.
    .target(name: "SanderlingDiagnosis", dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")]),
    .executableTarget(name: "SanderlingExecutable", dependencies: ["SanderlingCLI"]),
    // Apart from the executable, since the package manager doesn't order tests after an executable's module.
    .target(
      name: "SanderlingCLI",
      dependencies: [
        "Sanderling",
        "SanderlingDiagnosis",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        // It is made for desktops and servers, where the command runs; an iOS app that links the library never builds it.
        .product(name: "Subprocess", package: "swift-subprocess", condition: .when(platforms: [.macOS, .linux])),
      ]),
    .executableTarget(name: "SanderlingFuzzExecutable", dependencies: ["SanderlingFuzz"]),
    // Looks for differences between live results and fresh SELECTs, from a seed: `make fuzz`.
    .target(
      name: "SanderlingFuzz",
      dependencies: [
        "Sanderling",
        "SanderlingDiagnosis",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "SanderlingTests", dependencies: ["Sanderling", "StoreKillHelper"]),
    // A process for the tests to kill while it writes.
    .executableTarget(name: "StoreKillHelper", dependencies: ["Sanderling"], path: "Tests/StoreKillHelper"),
    .testTarget(name: "SanderlingTestingTests", dependencies: ["SanderlingTesting", "Sanderling"]),
    .testTarget(
      name: "SanderlingDiagnosisTests",
      dependencies: ["SanderlingDiagnosis", .product(name: "GRDBSQLite", package: "GRDB.swift")]),
    .testTarget(
      name: "SanderlingCLITests", dependencies: ["SanderlingCLI", "SanderlingDiagnosis", "Sanderling"],
      exclude: ["Support/make-history.sh"]),
    .testTarget(
      name: "SanderlingMacrosTests",
      dependencies: [
        "SanderlingMacros",
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
