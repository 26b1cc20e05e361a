#if THREAD_SANITIZER
    internal import Events

    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
