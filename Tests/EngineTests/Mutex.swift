#if THREAD_SANITIZER
    import Events

    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
