internal import CWidgetCodecs

/// The table of temporary files that an interrupted process removes.
package enum TemporaryFiles {
  /// Remembers the file at `path` until `forget`.
  ///
  /// - Returns: A slot; negative when none is free or memory is short.
  package static func remember(_ path: UnsafePointer<CChar>) -> Int32 {
    unsafe wi_cleanup_register(path)
  }

  /// Forgets a slot; a negative one is fine.
  package static func forget(_ slot: Int32) {
    wi_cleanup_unregister(slot)
  }

  /// A number that no other call in this process returned.
  package static func nextNumber() -> UInt32 {
    wi_cleanup_next_number()
  }

  /// On SIGINT, SIGTERM and SIGHUP removes every file that is remembered and
  /// ends the process with status 130, 143 or 129. Signals that are ignored
  /// stay so. For programs; a library leaves signals alone.
  package static func removeOnSignals() {
    wi_cleanup_install()
  }
}
