#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A small lock. `Synchronization.Mutex` needs iOS 18, the floor is iOS 17.
///
/// `@unchecked Sendable`: the only stored state is the address of a platform
/// lock, which exists to be used from several threads.
@safe
final class Lock: @unchecked Sendable {
  #if canImport(Darwin)
    private let pointer: UnsafeMutablePointer<os_unfair_lock>
  #else
    private let pointer: UnsafeMutablePointer<pthread_mutex_t>
  #endif

  init() {
    #if canImport(Darwin)
      unsafe pointer = .allocate(capacity: 1)
      unsafe pointer.initialize(to: os_unfair_lock())
    #else
      unsafe pointer = .allocate(capacity: 1)
      unsafe pthread_mutex_init(pointer, nil)
    #endif
  }

  deinit {
    #if !canImport(Darwin)
      unsafe pthread_mutex_destroy(pointer)
    #endif
    unsafe pointer.deallocate()
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    #if canImport(Darwin)
      unsafe os_unfair_lock_lock(pointer)
      defer { unsafe os_unfair_lock_unlock(pointer) }
    #else
      unsafe pthread_mutex_lock(pointer)
      defer { unsafe pthread_mutex_unlock(pointer) }
    #endif
    return body()
  }
}
