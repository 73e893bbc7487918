#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where the package and the things that tests use lie.
package enum PackageFolder {
  /// The package's root, without a slash at its end.
  package static let path: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  package static let fixtures = path + "/Tests/Fixtures"
  package static let samples = path + "/SampleImages"

  /// The built tool that end-to-end tests run: `$WIDGETIMG_BINARY` (set by
  /// `Scripts/test`), or nil.
  package static let tool: String? = variable("WIDGETIMG_BINARY")

  /// The folder of test images: `$WIDGETIMG_CORPUS`, or `../shared/corpus`
  /// beside the package; nil where neither is there.
  package static let corpus: String? = {
    let candidates = [variable("WIDGETIMG_CORPUS"), path + "/../shared/corpus"]
    return candidates.compactMap { $0 }.first { access($0 + "/INDEX.tsv", R_OK) == 0 }
  }()

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return value
  }
}
