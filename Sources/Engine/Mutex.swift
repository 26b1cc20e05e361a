#if THREAD_SANITIZER
    internal import EventLog

    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
