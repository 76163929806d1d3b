// swift-tools-version: 6.2
import PackageDescription

// The example needs only the products of the package around it. In an app of your own, write its address in place of the path.
let sanderling = Target.Dependency.product(name: "Sanderling", package: "sanderling")

let package = Package(
  name: "Tasks",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: [
    // For the target of an iOS app: its only file calls `TasksApp.main()`.
    .library(name: "TasksViews", targets: ["TasksViews"]),
    .executable(name: "Tasks", targets: ["Tasks"]),
    .executable(name: "tasks-terminal", targets: ["tasks-terminal"]),
  ],
  dependencies: [.package(name: "sanderling", path: "../..")],
  targets: [
    // Records and view models, for all systems.
    .target(
      name: "TasksModel", dependencies: [sanderling, .product(name: "SanderlingSync", package: "sanderling")]),
    // Empty where there is no SwiftUI.
    .target(
      name: "TasksViews",
      dependencies: ["TasksModel", sanderling, .product(name: "SanderlingSwiftUI", package: "sanderling")]),
    .executableTarget(name: "Tasks", dependencies: ["TasksViews"]),
    .target(name: "TasksTerminal", dependencies: ["TasksModel", sanderling]),
    .executableTarget(name: "tasks-terminal", dependencies: ["TasksTerminal"]),
    .testTarget(
      name: "TasksTests",
      dependencies: [
        "TasksModel", "TasksTerminal", sanderling, .product(name: "SanderlingTesting", package: "sanderling"),
        .product(name: "SanderlingSync", package: "sanderling"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
