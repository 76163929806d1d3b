// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "sanderling",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Sanderling", targets: ["Sanderling"]),
    .library(name: "SanderlingSwiftUI", targets: ["SanderlingSwiftUI"]),
    .library(name: "SanderlingTesting", targets: ["SanderlingTesting"]),
    .library(name: "SanderlingDiagnosis", targets: ["SanderlingDiagnosis"]),
    .library(name: "SanderlingSync", targets: ["SanderlingSync"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: [
    .target(
      name: "Sanderling",
      dependencies: [
        "SanderlingMacros",
        "SanderlingSQL",
        "SanderlingSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      // `make tsan` sets it, for a lock that the sanitizer knows.
      swiftSettings: Context.environment["SANITIZE_THREAD"] == nil ? [] : [.define("SANITIZE_THREAD")]),
    // The C functions of the SQLite that GRDB links. Its product GRDBSQLite isn't named: a fork for SQLCipher has none.
    .target(name: "SanderlingSQLite", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    // SQL's tokens, names and affinities, and the schema of a database, for the library and the diagnosis.
    .target(name: "SanderlingSQL", dependencies: ["SanderlingSQLite"]),
    .macro(
      name: "SanderlingMacros",
      dependencies: [
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ]),
    // Property wrappers for views. Apart from the library, which servers and commands link without SwiftUI.
    .target(name: "SanderlingSwiftUI", dependencies: ["Sanderling"]),
    // For the tests and previews of apps: an app links it nowhere else.
    .target(
      name: "SanderlingTesting",
      dependencies: [
        "Sanderling",
        "SanderlingDiagnosis",
        "SanderlingSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // Plans, findings and verified advice for any SQLite database. Needs nothing of the library.
    .target(name: "SanderlingDiagnosis", dependencies: ["SanderlingSQL", "SanderlingSQLite", "SanderlingTerminal"]),
    // Widths, figures and styles of texts, for the reports and the command.
    .target(name: "SanderlingTerminal"),
    // Keeps records equal to those of a server. Apart from the library: an app without it builds none of it.
    .target(
      name: "SanderlingSync",
      dependencies: [
        "Sanderling", "SanderlingSQL", "SanderlingSQLite", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "SanderlingSyncTests",
      dependencies: [
        "SanderlingSync", "Sanderling", "SanderlingSQL", "SanderlingSQLite", "SanderlingTesting", "TestPrograms",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "SanderlingTests",
      dependencies: [
        "Sanderling", "SanderlingSQL", "SanderlingSQLite", "SanderlingTesting", "TestPrograms",
        .product(name: "GRDB", package: "GRDB.swift"),
        // Only these let a process start others.
        .target(name: "StoreKillHelper", condition: .when(platforms: [.macOS, .linux])),
      ],
      // The tests read them where they are.
      exclude: ["Text/Fixtures"]),
    // A process for the tests to kill while it writes.
    .executableTarget(
      name: "StoreKillHelper",
      dependencies: [
        "Sanderling", "SanderlingSQLite", "TestPrograms", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/StoreKillHelper"),
    .testTarget(
      name: "SanderlingSwiftUITests", dependencies: ["SanderlingSwiftUI", "SanderlingTesting", "Sanderling"]),
    .testTarget(name: "SanderlingTestingTests", dependencies: ["SanderlingTesting", "Sanderling"]),
    .testTarget(
      name: "SanderlingDiagnosisTests",
      dependencies: [
        "SanderlingDiagnosis", "SanderlingSQL", "SanderlingSQLite", "SanderlingTerminal", "TestPrograms",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      // The tests read them where they are.
      exclude: ["Corpus/Built", "Corpus/HeldOut"]),
    // Starts programs and servers for the tests.
    .target(name: "TestPrograms", dependencies: ["CSpawn", "Sanderling"], path: "Tests/TestPrograms"),
    .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
  ],
  swiftLanguageModes: [.v6]
)

// The command, the fuzzer and the benchmarks, and what they alone depend on: `make` asks for them, an app never does, and so
// resolves none of it. The decision on it says why this is no trait:
// Documentation/Decisions/2026-11-22-the-tools-are-in-the-package-by-an-environment-variable.md
if Context.environment["SANDERLING_TOOLS"] != nil {
  package.products += [
    // `make install` calls it sanderling. Here it must differ from the library in more than case.
    .executable(name: "sanderling-command", targets: ["SanderlingExecutable"]),
    .executable(name: "sanderling-fuzz", targets: ["SanderlingFuzzExecutable"]),
    .executable(name: "sanderling-bench", targets: ["SanderlingBench"]),
    .executable(name: "tasks-terminal", targets: ["tasks-terminal"]),
  ]
  package.dependencies += [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ]
  package.targets += [
    .executableTarget(name: "SanderlingExecutable", dependencies: ["SanderlingCLI"]),
    // Apart from the executable, since the package manager doesn't order tests after an executable's module.
    .target(
      name: "SanderlingCLI",
      dependencies: [
        "Sanderling",
        "SanderlingDiagnosis",
        "SanderlingSQL",
        "SanderlingSQLite",
        "SanderlingSync",
        "SanderlingTerminal",
        "CZlib",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]),
    // Inflates the models of Core Data's stores.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .executableTarget(name: "SanderlingFuzzExecutable", dependencies: ["SanderlingFuzz"]),
    // Looks for differences between live results and fresh SELECTs, from a seed: `make fuzz`.
    .target(
      name: "SanderlingFuzz",
      dependencies: [
        "Sanderling",
        "SanderlingDiagnosis",
        "SanderlingSQL",
        "SanderlingSQLite",
        "SanderlingSync",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Measures the library beside its peers: `make bench`.
    .executableTarget(
      name: "SanderlingBench",
      dependencies: [
        "Sanderling",
        "SanderlingSQLite",
        "SanderlingSync",
        "CMalloc",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/SanderlingBench"),
    .systemLibrary(name: "CMalloc", path: "Benchmarks/CMalloc"),
    // The executable, which the tests start, is only built for them: its module is empty.
    .testTarget(
      name: "SanderlingFuzzTests",
      dependencies: ["Sanderling", "SanderlingFuzz", "SanderlingFuzzExecutable", "TestPrograms"]),
    .testTarget(
      name: "SanderlingCLITests",
      dependencies: [
        "SanderlingCLI",
        "SanderlingDiagnosis",
        "Sanderling",
        "SanderlingSQL",
        "SanderlingSync",
        "SanderlingTerminal",
        "CZlib",
        "TestPrograms",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // The tests read them where they are.
      exclude: ["Support/make-history.sh", "Records/Schemas"]),
  ]
  // The example is a package of its own: Examples/Tasks/Package.swift. Here its targets share the modules that are built anyway.
  let example = "Examples/Tasks/"
  package.targets += [
    .target(
      name: "TasksModel", dependencies: ["Sanderling", "SanderlingSync"], path: example + "Sources/TasksModel"),
    .target(
      name: "TasksViews", dependencies: ["TasksModel", "Sanderling", "SanderlingSwiftUI"],
      path: example + "Sources/TasksViews"),
    .target(
      name: "TasksTerminal", dependencies: ["TasksModel", "Sanderling"], path: example + "Sources/TasksTerminal"),
    .executableTarget(
      name: "tasks-terminal", dependencies: ["TasksTerminal"], path: example + "Sources/tasks-terminal"),
    .testTarget(
      name: "TasksTests",
      dependencies: ["TasksModel", "TasksTerminal", "Sanderling", "SanderlingSync", "SanderlingTesting"],
      path: example + "Tests/TasksTests"),
  ]
}

// The tests of the macros are a test product of their own, and then the only one. If one module of a test product names
// a macro, SwiftPM builds all modules and their dependencies twice: for the compiler's machine and for the app's.
if Context.environment["SANDERLING_MACROS_TESTS"] != nil {
  package.targets.removeAll { $0.isTest }
  package.targets.append(
    .testTarget(
      name: "SanderlingMacrosTests",
      dependencies: [
        "SanderlingMacros",
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ]))
}
