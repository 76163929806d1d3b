// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Todo",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "…/sanderling", branch: "main")
  ],
  targets: [
    .executableTarget(
      name: "Todo",
      dependencies: [
        .product(name: "Sanderling", package: "sanderling"),
        .product(name: "SanderlingSync", package: "sanderling"),
      ])
  ]
)
