#if THREAD_SANITIZER
    import Glibc

    /// What stands for `Mutex` under the thread sanitizer, which sees what locks of pthread order, and not what
    /// the kernel does for the standard library's (`make sanitize`).
    @safe
    package struct SanitizedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        package init(_ value: consuming sending Value) {
            unsafe lock = .allocate(capacity: 1)
            unsafe lock.initialize(to: pthread_mutex_t())
            unsafe pthread_mutex_init(lock, nil)
            unsafe self.value = .allocate(capacity: 1)
            unsafe self.value.initialize(to: value)
        }

        deinit {
            unsafe value.deinitialize(count: 1)
            unsafe value.deallocate()
            unsafe pthread_mutex_destroy(lock)
            unsafe lock.deallocate()
        }

        package borrowing func withLock<R: ~Copyable, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending R
        ) throws(E) -> sending R {
            unsafe pthread_mutex_lock(lock)
            defer { unsafe pthread_mutex_unlock(lock) }
            return try unsafe body(&value.pointee)
        }
    }

    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
