package import WidgetCore
package import WidgetImage

/// The names that results get when none is given.
package enum OutputName {
  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// `STEM@3x.EXT` with a scale, else `STEM-54x54.EXT`; beside the input, or in
  /// `folder`. A stem that ends in `@1x`, `@2x` or `@3x` loses that first.
  ///
  /// - Parameter size: needed without a scale only.
  package static func make(
    for input: RawPath, in folder: RawPath?, scale: Int?, size: PixelSize?, format: OutputFormat
  ) -> RawPath {
    let name = self.name(of: input)
    var stem = self.stem(of: name)
    let ending = stem.suffix(3)
    if stem.count > 3, ["@1x", "@2x", "@3x"].contains(where: { ending.elementsEqual($0.utf8) }) {
      stem = stem.dropLast(3)
    }
    var bytes: [UInt8]
    if let folder {
      bytes = folder.bytes
      if bytes.last != slash { bytes.append(slash) }
    } else {
      bytes = Array(input.bytes.dropLast(name.count))
    }
    bytes.append(contentsOf: stem)
    let tag = scale.map { "@\($0)x" } ?? size.map { "-\($0)" } ?? ""
    bytes.append(contentsOf: Array("\(tag).\(format.fileExtension)".utf8))
    return RawPath(bytes: bytes)
  }

  /// What follows the last dot of the file's name; nil where there is none or
  /// the name starts with its only dot.
  package static func fileExtension(of path: RawPath) -> String? {
    let name = self.name(of: path)
    let stem = self.stem(of: name)
    guard stem.count < name.count else { return nil }
    return String(decoding: name.dropFirst(stem.count + 1), as: UTF8.self)
  }

  /// The folder that a file is in, `.` where the path names none.
  package static func folder(of path: RawPath) -> RawPath {
    let count = path.bytes.count - name(of: path).count
    return count == 0 ? "." : RawPath(bytes: Array(path.bytes.prefix(count)))
  }

  /// What follows the last slash.
  package static func name(of path: RawPath) -> ArraySlice<UInt8> {
    guard let at = path.bytes.lastIndex(of: slash) else { return path.bytes[...] }
    return path.bytes[(at + 1)...]
  }

  private static func stem(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let at = name.lastIndex(of: dot), at > name.startIndex else { return name }
    return name[..<at]
  }
}
