package import WidgetCore

/// Lays a resampled row into an output row or picture: grey becomes RGB,
/// alpha is kept, dropped or laid over a background, pixels go where the
/// orientation wants them.
@safe
package struct RowPlacement: Sendable {
  /// Channels of the rows that come from the resampler.
  package let channels: PixelLayout.Channels
  /// 3 or 4: what is written for each pixel.
  package let outputChannels: Int
  /// What lies under alpha when `outputChannels` is 3.
  package let background: RGBColor

  package init(
    channels: PixelLayout.Channels, outputChannels: Int, background: RGBColor?
  ) {
    precondition(outputChannels == 3 || outputChannels == 4, "RGB or RGBA")
    self.channels = channels
    self.outputChannels = outputChannels
    self.background = background ?? RGBColor(red: 0, green: 0, blue: 0)
  }

  /// Writes the `width` pixels of `row` to `output`: the first one at pixel
  /// `first`, each next one `step` pixels further.
  ///
  /// - Precondition: every pixel named lies inside `output`.
  package func place(
    _ row: UnsafeRawBufferPointer, width: Int, into output: UnsafeMutableRawBufferPointer,
    first: Int, step: Int
  ) {
    let last = first + (width - 1) * step
    precondition(row.count >= width * channels.rawValue, "a row of too few samples")
    precondition(
      min(first, last) >= 0 && (max(first, last) + 1) * outputChannels <= output.count,
      "a pixel outside the output")
    guard let source = unsafe row.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let target = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return }
    let stride = step * outputChannels
    var pixel = unsafe target + first * outputChannels
    switch channels {
    case .grey:
      for x in 0..<width {
        let value = unsafe source[x]
        unsafe put(value, value, value, 255, to: pixel)
        unsafe pixel += stride
      }
    case .greyAlpha:
      for x in 0..<width {
        let value = unsafe source[2 * x]
        unsafe put(value, value, value, source[2 * x + 1], to: pixel)
        unsafe pixel += stride
      }
    case .rgb:
      for x in 0..<width {
        let from = unsafe source + 3 * x
        unsafe put(from[0], from[1], from[2], 255, to: pixel)
        unsafe pixel += stride
      }
    case .rgba:
      for x in 0..<width {
        let from = unsafe source + 4 * x
        unsafe put(from[0], from[1], from[2], from[3], to: pixel)
        unsafe pixel += stride
      }
    }
  }

  @inline(__always)
  private func put(
    _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8,
    to pixel: UnsafeMutablePointer<UInt8>
  ) {
    if outputChannels == 4 {
      unsafe pixel[0] = red
      unsafe pixel[1] = green
      unsafe pixel[2] = blue
      unsafe pixel[3] = alpha
    } else {
      unsafe pixel[0] = Self.over(red, background.red, alpha)
      unsafe pixel[1] = Self.over(green, background.green, alpha)
      unsafe pixel[2] = Self.over(blue, background.blue, alpha)
    }
  }

  /// `value` over `under`, in encoded values: what a device shows when it lays
  /// the transparent picture over that colour.
  @inline(__always)
  private static func over(_ value: UInt8, _ under: UInt8, _ alpha: UInt8) -> UInt8 {
    let sum = Int(value) * Int(alpha) + Int(under) * (255 - Int(alpha))
    return UInt8((sum + 127) / 255)
  }
}

/// Whether every pixel of an RGBA picture is opaque.
package func isOpaque(_ pixels: UnsafeBufferPointer<UInt8>) -> Bool {
  var index = 3
  while index < pixels.count {
    if unsafe pixels[index] != 255 { return false }
    index += 4
  }
  return true
}
