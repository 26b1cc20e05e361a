#if THREAD_SANITIZER
    import EventLog

    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
