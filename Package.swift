// swift-tools-version: 6.2
import PackageDescription

// Settings that every target shares. Warnings become errors in CI only, so
// that a newer toolchain's new warning never breaks somebody's build.
let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let library: [SwiftSetting] = common + [.strictMemorySafety()]

let package = Package(
  name: "widgetimg",
  platforms: [.macOS(.v14), .iOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .executable(name: "widgetimg", targets: ["widgetimg"]),
    .library(name: "WidgetImage", targets: ["WidgetImage"]),
  ],
  targets: [
    // MARK: System libraries: a module map and a shim header each.
    .systemLibrary(
      name: "CPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CWebP", pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),

    // MARK: C: the fence round longjmp.
    .target(
      name: "CWidgetCodecs", dependencies: ["CPNG", "CJPEG", "CWebP"]),

    // MARK: C: row arithmetic.
    .target(name: "CWidgetKernels"),

    // MARK: The engine, from the bottom up.
    .target(name: "WidgetCore", swiftSettings: library),
    .target(name: "WidgetColor", dependencies: ["WidgetCore"], swiftSettings: library),
    .target(
      name: "WidgetCodecs", dependencies: ["CWidgetCodecs", "WidgetCore", "WidgetColor"],
      swiftSettings: library),
    .target(
      name: "WidgetResample", dependencies: ["CWidgetKernels", "WidgetCore", "WidgetColor"],
      swiftSettings: library),
    .target(name: "WidgetJSON", dependencies: ["WidgetCore"], swiftSettings: library),
    .target(
      name: "WidgetImage",
      dependencies: ["WidgetCodecs", "WidgetResample", "WidgetColor", "WidgetCore"],
      swiftSettings: library),

    // MARK: The command line.
    .target(
      name: "WidgetCommand", dependencies: ["WidgetImage", "WidgetJSON", "WidgetCore"],
      swiftSettings: library),
    .executableTarget(
      name: "widgetimg", dependencies: ["WidgetCommand"], swiftSettings: common),

    // MARK: Benchmarks: no product; Benchmarks/run builds and drives it.
    .executableTarget(
      name: "WidgetBenchmarks", dependencies: ["WidgetResample", "WidgetCore"],
      path: "Benchmarks/WidgetBenchmarks", swiftSettings: common),

    // MARK: Tests.
    // Stock libpng and libjpeg: fixtures, and what others see in a file.
    .target(name: "CTestCodecs", dependencies: ["CPNG", "CJPEG"], path: "Tests/CTestCodecs"),
    // libwebp's own decoder and encoder, to compare with and to make files.
    .target(name: "CTestWebP", dependencies: ["CWebP"], path: "Tests/CTestWebP"),
    // Stock decoders, to see our files as other programs do.
    .target(
      name: "CTestDecode", dependencies: ["CPNG", "CJPEG", "CWebP"], path: "Tests/CTestDecode"),
    .target(
      name: "WidgetTestSupport", dependencies: ["CTestCodecs", "CTestWebP", "WidgetCore"],
      path: "Tests/WidgetTestSupport", swiftSettings: common),
    .testTarget(
      name: "WidgetCoreTests", dependencies: ["WidgetCore", "WidgetTestSupport"],
      swiftSettings: common),
    .testTarget(
      name: "WidgetColorTests", dependencies: ["WidgetColor", "WidgetCore"],
      swiftSettings: common),
    .testTarget(
      name: "WidgetCodecsTests",
      dependencies: [
        "WidgetCodecs", "CWidgetCodecs", "CTestCodecs", "CTestDecode", "CTestWebP", "WidgetCore",
        "WidgetTestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "WidgetResampleTests",
      dependencies: [
        "WidgetResample", "CWidgetKernels", "WidgetColor", "WidgetCore", "WidgetTestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "WidgetJSONTests", dependencies: ["WidgetJSON", "WidgetCore"],
      swiftSettings: common),
    .testTarget(
      name: "WidgetImageTests",
      dependencies: [
        "WidgetImage", "WidgetCodecs", "WidgetResample", "WidgetColor", "WidgetCore",
        "CTestCodecs", "CTestWebP", "WidgetTestSupport",
      ],
      swiftSettings: common),
    .testTarget(
      name: "WidgetCommandTests",
      dependencies: ["WidgetCommand", "WidgetImage", "WidgetJSON", "WidgetCore"],
      swiftSettings: common),
    // Sees only what a user of the library sees.
    .testTarget(name: "PublicAPITests", dependencies: ["WidgetImage"], swiftSettings: common),
    // Spawns the built binary.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "CTestCodecs", "CTestWebP", "WidgetTestSupport", "WidgetJSON", "WidgetCore",
      ],
      exclude: ["Snapshots"], swiftSettings: common),
  ],
  cLanguageStandard: .gnu17
)
