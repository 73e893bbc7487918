#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A thread of the platform that may block, with a stack of a known size.
///
/// The pool of Swift's concurrency must not be blocked, and its stacks are in
/// no plan. Signals are blocked in the thread, so that handlers run where they
/// did before. The value's end waits for the thread's end.
@safe
package struct WorkerThread: ~Copyable {
  /// The system's `pthread_t`, which is a number here and a pointer there.
  private let thread: UInt

  /// Starts `body`.
  ///
  /// - Parameter stackBytes: of address space; what is touched becomes dirty.
  ///   At least 64 KiB, a whole number of pages.
  /// - Throws: `.internalFault` where the system gives no thread; `body` is not
  ///   run then.
  package init(
    stackBytes: Int, _ body: @escaping @Sendable () -> Void
  ) throws(EngineError) {
    guard let thread = Self.start(stackBytes, body) else {
      throw EngineError(.internalFault, "the system gives no thread")
    }
    self.thread = thread
  }

  deinit {
    #if canImport(Darwin)
      if let thread = unsafe pthread_t(bitPattern: thread) { unsafe pthread_join(thread, nil) }
    #else
      pthread_join(pthread_t(thread), nil)
    #endif
  }

  /// Waits for the thread's end; everything that it wrote can be read then.
  package consuming func join() {}

  private static func start(
    _ stackBytes: Int, _ body: @escaping @Sendable () -> Void
  ) -> UInt? {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return nil }
    defer { unsafe pthread_attr_destroy(&attributes) }
    guard unsafe pthread_attr_setstacksize(&attributes, stackBytes) == 0 else { return nil }

    // A thread inherits the mask of its maker; there is no other way to have
    // no signal arrive in it from its first instruction on.
    var every = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&every)
    unsafe pthread_sigmask(SIG_SETMASK, &every, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = unsafe pthread_create(&thread, &attributes, { unsafe enter($0) }, context)
      let number = unsafe UInt(bitPattern: thread)
    #else
      var thread = pthread_t()
      let status = unsafe pthread_create(&thread, &attributes, { unsafe enter($0) }, context)
      let number = UInt(thread)
    #endif
    guard status == 0 else {
      unsafe Unmanaged<Body>.fromOpaque(context).release()
      return nil
    }
    return number
  }
}

/// What a thread runs, behind a pointer for C.
private final class Body {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

/// Where a thread begins; takes what `start` gave.
private func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context = unsafe context {
    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
  }
  return nil
}
