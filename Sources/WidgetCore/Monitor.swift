#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock that threads can wait under until another says that something changed.
///
/// `@unchecked Sendable`: the only stored state are the addresses of a platform
/// lock and condition, which exist to be used from several threads.
@safe
package final class Monitor: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  /// Allocates some 100 bytes.
  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs `body` with the lock; not to be nested.
  package func withLock<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Inside `withLock`: gives the lock up until `wake` is called, then has it
  /// again. It may return without that; callers look again at what they wait for.
  package func wait() {
    unsafe pthread_cond_wait(condition, mutex)
  }

  /// Wakes everybody who waits; with the lock or without. Costs no system call
  /// where nobody does.
  package func wake() {
    unsafe pthread_cond_broadcast(condition)
  }
}
