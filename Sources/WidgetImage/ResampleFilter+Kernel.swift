package import WidgetResample

extension ResampleFilter {
  /// The engine's kernel of that name.
  package var kernel: Filter {
    switch self {
    case .lanczos3: .lanczos3
    case .lanczos2: .lanczos2
    case .catmullRom: .catmullRom
    case .mitchell: .mitchell
    case .triangle: .triangle
    case .box: .box
    }
  }
}
