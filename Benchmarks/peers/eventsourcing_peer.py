"""The `eventsourcing` package with its SQLite recorder, in this process.

It has no tags: they are left out. Its unique key of stream and version is the condition.
"""
import os
import sys

from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

import peer


class Store:
    def __init__(self, directory):
        self.path = os.path.join(directory, "events.sqlite")
        self.datastore = SQLiteDatastore(
            self.path, originator_id_type="text", pool_size=20, pool_timeout=60, lock_timeout=60)
        self.recorder = SQLiteApplicationRecorder(self.datastore)
        self.recorder.create_table()

    def prepare(self, events):
        return [
            StoredEvent(event.stream, event.revision, event.type, event.payload)
            for event in events
        ]

    def append(self, batch):
        self.recorder.insert_events(batch)

    def prepare_conditional(self, events):
        return self.prepare(events)

    def append_conditionally(self, events):
        for event in events:
            self.recorder.insert_events([event])

    def read_all(self):
        start, count, size = 1, 0, 0
        while notifications := self.recorder.select_notifications(start, 1000):
            for notification in notifications:
                size += len(notification.state)
            count += len(notifications)
            start = notifications[-1].id + 1
        return count

    def read_stream(self, stream):
        events = self.recorder.select_events(stream)
        return len(events) if sum(len(event.state) for event in events) else 0

    def bytes(self):
        with self.datastore.get_connection(commit=True) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return sum(
            os.stat(self.path + end).st_size for end in ("", "-wal") if os.path.exists(self.path + end))

    def close(self):
        self.datastore.close()


if __name__ == "__main__":
    peer.serve(peer.load(sys.argv[1]), Store(sys.argv[2]))
