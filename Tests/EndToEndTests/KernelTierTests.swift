import Testing
import WidgetCore
import WidgetJSON
import WidgetTestSupport

@Suite("WIDGETIMG_SIMD", .needsTool)
struct KernelTierTests {
  /// The tiers of this processor, as far as every one of its kind has them.
  static let sure: [String] = {
    #if arch(x86_64)
      ["scalar", "sse2"]
    #elseif arch(arm64)
      ["scalar", "neon"]
    #else
      ["scalar"]
    #endif
  }()

  private func fit(_ tier: String?, in folder: TemporaryFolder) throws -> Subprocess.Outcome {
    var process = BinaryUnderTest.process(
      ["fit", "logo.png", "--px", "54", "--json", "-o", "out.png"], in: folder.path)
    process.environment["WIDGETIMG_SIMD"] = tier
    return try process.run()
  }

  private func kernels(_ outcome: Subprocess.Outcome) throws -> String? {
    try JSONReader.read(outcome.output)["kernels"]?.stringValue
  }

  @Test("a tier that is asked for runs, says so, and writes the same file")
  func forced() throws {
    let folder = try TemporaryFolder()
    try folder.link("logo.png", symbolicTo: sample("logo.png"))
    let best = try #require(try kernels(fit(nil, in: folder)))
    #expect(best != "scalar" || Self.sure.count == 1)
    let bytes = folder.read("out.png")
    #expect(!bytes.isEmpty)
    for tier in Set(Self.sure + [best]) {
      let outcome = try fit(tier, in: folder)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(try kernels(outcome) == tier)
      #expect(folder.read("out.png") == bytes, "\(tier)")
    }
    // An empty value is none.
    #expect(try kernels(fit("", in: folder)) == best)
  }

  @Test(
    "a tier that is not here is an error that names those that are",
    arguments: ["neon", "sse2", "mmx", "AVX2", "scalar "])
  func refused(_ tier: String) throws {
    guard !Self.sure.contains(tier) else { return }
    let folder = try TemporaryFolder()
    try folder.link("logo.png", symbolicTo: sample("logo.png"))
    let outcome = try fit(tier, in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    let start = "Error: WIDGETIMG_SIMD is '\(tier)'; this machine has 'scalar'"
    #expect(outcome.errorText.hasPrefix(start), "\(outcome.errorText)")
    for name in Self.sure { #expect(outcome.errorText.contains("'\(name)'")) }
    #expect(folder.names() == ["logo.png"])
  }
}
