import Testing
import WidgetImage

// Only what a user of the library sees: no @testable, no package access.

/// The sample images, beside the package's root.
private func sample(_ name: String) -> String {
  "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/SampleImages/\(name)"
}

@Suite("The public door")
struct PublicFitTests {
  @Test("a logo becomes 54 px, planned, hashed and cheap")
  func logo() throws {
    var options = FitOptions()
    options.box = PixelSize(width: 54, height: 54)
    let input = ImageInput.file(sample("logo.png"))
    let plan = try ImageFitter().plan(input, options: options)
    #expect(plan.outputSize == PixelSize(width: 54, height: 54))
    #expect(plan.outputFormat == .png)
    #expect(plan.source.size == PixelSize(width: 1024, height: 1024))
    #expect(plan.source.hasAlpha)
    let result = try ImageFitter().fit(input, to: .memory, options: options)
    #expect(result.plan == plan)
    #expect(result.decodedBytes == 54 * 54 * 4)
    #expect(result.data?.prefix(8) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    #expect(result.data?.count == result.bytes)
    #expect(result.sha256.count == 64)
    #expect(result.ledgerPeakBytes <= plan.plannedBytes)
    #expect(result.changed)
  }

  @Test("every sample fits the budget of a watch widget, orientation applied")
  func samples() throws {
    var options = FitOptions()
    options.box = PixelSize(width: 300, height: 300)
    options.budget = .watch
    for (name, expected) in [
      ("logo.png", (300, 300)), ("logo-palette.png", (300, 300)), ("photo.jpg", (300, 225)),
      ("portrait.jpg", (225, 300)),
    ] {
      let result = try ImageFitter().fit(
        .file(sample(name)), to: .memory, options: options)
      #expect(
        result.plan.outputSize == PixelSize(width: expected.0, height: expected.1), "\(name)")
    }
  }

  @Test("errors carry a code and a sentence")
  func errors() {
    var options = FitOptions()
    options.box = PixelSize(width: 54, height: 54)
    #expect {
      try ImageFitter().fit(.bytes(Array("hello".utf8)), to: .memory, options: options)
    } throws: { error in
      (error as? WidgetImageError)?.code == .notAnImage
    }
    #expect {
      try ImageFitter().fit(.file("/no/such.png"), to: .memory, options: options)
    } throws: { error in
      (error as? WidgetImageError)?.code == .noSuchInput
    }
    options.budget = MemoryBudget(bytes: 3_100_000)
    #expect {
      try ImageFitter().fit(.file(sample("logo.png")), to: .memory, options: options)
    } throws: { error in
      guard let error = error as? WidgetImageError else { return false }
      return error.code == .overBudget && (error.neededBytes ?? 0) > 3_100_000
    }
  }
}
