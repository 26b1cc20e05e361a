"""What the Python peers share: the events, the clock, and the driver's commands (see peer.c)."""
import struct
import sys
import threading
import time
from collections import namedtuple

# Text in, as an application has it; `number` is the driver's number of the stream.
Event = namedtuple("Event", "number revision type stream tags payload")


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"SJLEVT01":
        sys.exit(f"{path}: is not a file of events")
    count, _ = struct.unpack_from("<II", data, 8)
    place = 16
    events = []
    for _ in range(count):
        number, revision = struct.unpack_from("<II", data, place)
        place += 8
        parts = []
        for width, form in ((2, "<H"), (2, "<H"), (2, "<H"), (4, "<I")):
            (length,) = struct.unpack_from(form, data, place)
            place += width
            parts.append(data[place : place + length])
            place += length
        kind, stream, tags, payload = parts
        tags = tags.decode().split("\n") if tags else []
        events.append(Event(number, revision, kind.decode(), stream.decode(), tags, payload))
    return events


def answer(text):
    print(text, flush=True)


def serve(events, store):
    """Carries out the driver's commands on a store, until the input ends."""
    lengths = {}
    names = {}

    def count(part):
        for event in part:
            lengths[event.number] = lengths.get(event.number, 0) + 1
            names[event.number] = event.stream

    answer('{"ready":true}')
    for line in sys.stdin:
        command, *numbers = line.split()
        numbers = [int(number) for number in numbers]
        if command == "append":
            first, length, size = numbers
            part = events[first : first + length]
            # The natural objects are made beforehand, as the events' bytes are for the others.
            batches = [store.prepare(part[at : at + size]) for at in range(0, length, size)]
            start = time.perf_counter()
            for batch in batches:
                store.append(batch)
            answer(f'{{"events":{length},"seconds":{time.perf_counter() - start:.9f}}}')
            count(part)
        elif command == "conditional":
            first, length, threads = numbers
            part = events[first : first + length]
            own = [[event for event in part if event.number % threads == n] for n in range(threads)]
            work = [store.prepare_conditional(mine) for mine in own]
            faults = []

            def run(mine):
                try:
                    store.append_conditionally(mine)
                except Exception as fault:  # a thread's failure must not look like speed
                    faults.append(fault)

            crew = [threading.Thread(target=run, args=(mine,)) for mine in work]
            start = time.perf_counter()
            for thread in crew:
                thread.start()
            for thread in crew:
                thread.join()
            seconds = time.perf_counter() - start
            if faults:
                sys.exit(f"conditional: {faults[0]!r}")
            answer(f'{{"events":{length},"seconds":{seconds:.9f}}}')
            count(part)
        elif command == "read-all":
            start = time.perf_counter()
            found = store.read_all()
            answer(f'{{"events":{found},"seconds":{time.perf_counter() - start:.9f}}}')
        elif command == "streams":
            long_ones = sorted(n for n, length in lengths.items() if 90 <= length <= 110)
            times = []
            for turn in range(numbers[0] if long_ones else 0):
                stream = long_ones[turn * 7919 % len(long_ones)]
                start = time.perf_counter()
                found = store.read_stream(names[stream])
                times.append(f"{time.perf_counter() - start:.9f}")
                if found != lengths[stream]:
                    sys.exit("streams: events of a stream are missing")
            answer(f'{{"times":[{",".join(times)}]}}')
        elif command == "bytes":
            answer(f'{{"bytes":{store.bytes()}}}')
        else:
            sys.exit(f"unknown command: {line}")
    store.close()
