# Sijill: every way to work on it. `make demo` and `make test` set the machine up by themselves.
SWIFT ?= swift
# A target may import only what it declares: the walls between the rooms (ADR 0001).
FLAGS ?= --explicit-target-dependency-import-check error
# Lines for backtraces, without what only a debugger reads: a tenth of the build (ADR 0037).
RELEASE_FLAGS ?= -Xswiftc -gline-tables-only

# What tests run: programs and tests of one build, as fast as a release, with assertions and what tests look into (ADR 0066).
TESTABLE = -c release --scratch-path .build/checked $(FLAGS) $(RELEASE_FLAGS) \
    -Xswiftc -enable-testing -Xswiftc -DTESTABLE -Xswiftc -assert-config -Xswiftc Debug
TESTED = $(CURDIR)/.build/checked/release

.PHONY: setup build release testable serve service-test sink-test sink-kills log-test log-kills cluster cluster-test cluster-faults test audit-test demo check lint format snapshots example bench bench-service bench-growth bench-cluster static deb deb-test oci oci-test torture torture-short adversaries fuzz sanitize sanitize-threads test-console

setup:
	@Scripts/setup.sh

build: setup
	$(SWIFT) build $(FLAGS)

release: setup
	$(SWIFT) build -c release --product replay $(FLAGS) $(RELEASE_FLAGS)

# Tests, and the programs that they run, in one go: both cores have something to compile all the time.
testable: setup
	$(SWIFT) build --build-tests $(TESTABLE)

# The service over a demo journal, on this machine alone (docs/service.md).
serve: release
	$(SWIFT) build -c release --product sijilld $(FLAGS) $(RELEASE_FLAGS)
	@Scripts/serve.sh "$$($(SWIFT) build -c release --show-bin-path)"

# Every test: units, properties, golden read models, crashes, damage, the command line.
test: testable
	@Scripts/audit-test.sh --if-possible
	@Scripts/beside.sh .build/console-test.log Scripts/console-test.sh $(TESTED) -- \
	    Scripts/service-test.sh $(TESTED)
	@Scripts/beside.sh .build/example.log $(MAKE) example -- \
	    sh -c 'Scripts/sink-test.sh $(TESTED) && Scripts/log-test.sh $(TESTED)'
	@Scripts/cluster-test.sh $(TESTED) --short
	@Scripts/test.sh $(SWIFT) $(TESTABLE)

# A fifth product, in a package of its own.
example: setup
	$(SWIFT) test --package-path Examples/rollcall --scratch-path .build/rollcall

# The service alone, by clients of its own.
service-test: testable
	@Scripts/service-test.sh $(TESTED)

# Tables of read models: SQLite, and a PostgreSQL server of the tests' own where there is one.
sink-test: testable
	@Scripts/sink-test.sh $(TESTED)

# The sink, its server and the line between them killed at a thousand statements: some forty minutes.
sink-kills: release
	@SIJILL_KILLS=$(or $(KILLS),1000) SIJILL_KILLS_SQLITE=200 \
	    Scripts/sink-test.sh "$$($(SWIFT) build -c release --show-bin-path)"

# The replicated log: nodes, and servers of the tests' own, PostgreSQL where it is there, and NATS.
log-test: testable
	@Scripts/log-test.sh $(TESTED)

# A node, the server and the line between them killed at a thousand statements: some half an hour.
log-kills: release
	@SIJILL_KILLS=$(or $(KILLS),1000) Scripts/log-test.sh "$$($(SWIFT) build -c release --show-bin-path)"

# Three nodes and three databases on this machine play the demo; the node that decides is killed, then the database (docs/cluster.md).
cluster: release
	$(SWIFT) build -c release --product sijilld $(FLAGS) $(RELEASE_FLAGS)
	@Scripts/cluster.sh "$$($(SWIFT) build -c release --show-bin-path)"

# The cluster: every test, and each kind of fault once, over PostgreSQL and over NATS; some twelve minutes, of which `test` has one.
cluster-test: testable
	@Scripts/cluster-test.sh $(TESTED)

# Faults at random: nodes killed, paused, cut off, with disks that fail and clocks that are set, the log's servers killed; over NATS with
# SERVER=nats. Some five seconds each.
cluster-faults: release
	$(SWIFT) build -c release --product sijilld $(FLAGS) $(RELEASE_FLAGS)
	@Scripts/cluster-test.sh "$$($(SWIFT) build -c release --show-bin-path)" --log $(or $(SERVER),postgres) --faults $(or $(ROUNDS),100)

# The console alone: its pages in real browsers (docs/console.md).
test-console: testable
	@Scripts/console-test.sh $(TESTED)

# The verifier for auditors, in Python, and somebody else's on the same files.
audit-test:
	@Scripts/audit-test.sh

# The main job on real input: 1,000 people's answers to five items of the LSAT.
demo: release
	@Scripts/demo.sh "$$($(SWIFT) build -c release --show-bin-path)/replay"

# What CI checks besides the tests: formatting, the contract's scenarios, the demo's output.
check: lint testable
	@Scripts/check.sh $(TESTED)/replay

lint:
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Benchmarks Examples Package.swift
	@python3 Scripts/records_test.py --quiet
	@Scripts/records.py --check
	@Scripts/shapes.py --check
	@Benchmarks/capacity.py --check

format:
	$(SWIFT) format --in-place --parallel --recursive Sources Tests Benchmarks Examples Package.swift

# Makes the golden read models again; read the difference before it is committed.
snapshots: testable
	SIJILL_SNAPSHOTS=write $(SWIFT) test --skip-build --filter 'ProjectionTests' $(TESTABLE) || true
	git status --short snapshots

# Power losses, failing calls, kills and hostile files, on the built tool (Tests/Torture): hours.
torture: release
	Scripts/torture.sh "$$($(SWIFT) build -c release --show-bin-path)/replay"

# A few minutes of it, as CI has them.
torture-short: testable
	Scripts/torture.sh $(TESTED)/replay --short

# Dishonest actors of every product, a few hundred lives of each; prints how far they got (docs/adversaries.md).
adversaries: testable
	SIJILL_DISHONEST_LIVES=$(or $(LIVES),200) $(SWIFT) test --skip-build --no-parallel --filter '[Dd]ishonest' $(TESTABLE)

# Hostile bytes to everything that reads what others may have written (Tests/Fuzz), 20 seconds a target.
fuzz: setup
	@Scripts/fuzz.sh $(or $(FUZZ_SECONDS),20)

# The suites that use threads and unsafe memory, under the thread and the address sanitizer. What stands for
# `Mutex` under the first lies in a module that those who use it do not all import. Leaks are not looked for:
# Foundation keeps a buffer when it reads an empty file.
THREADS = --sanitize=thread -Xswiftc -DTHREAD_SANITIZER \
    -Xswiftc -disable-upcoming-feature -Xswiftc MemberImportVisibility --scratch-path .build/thread
ADDRESSES = --sanitize=address --scratch-path .build/address
SANITIZED = EventLogTests|SubmitterTests
# One thread each, and three quarters of the time.
SEQUENTIAL = Damage to any record|What is appended is what is read|The end of journal|A visitor of some types|that is hidden by a flipped bit|of a file cut short anywhere

sanitize: setup
	SIJILL_SANITIZED=1 $(SWIFT) test $(THREADS) --no-parallel --filter '$(SANITIZED)'
	SIJILL_SANITIZED=1 ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test $(ADDRESSES) --no-parallel --filter '$(SANITIZED)'

# The part of it that CI runs.
sanitize-threads: setup
	SIJILL_SANITIZED=1 $(SWIFT) test $(THREADS) --no-parallel --filter '$(SANITIZED)' --skip '$(SEQUENTIAL)'

# Sijill beside its peers, about ten minutes; the tables of docs/benchmarks.md.
bench: setup
	Benchmarks/run.sh

# The service beside a bare route of its framework and the engine in process.
bench-service: setup
	$(SWIFT) build -c release --product replay $(RELEASE_FLAGS)
	$(SWIFT) build -c release --product sijilld $(RELEASE_FLAGS)
	$(SWIFT) build -c release --product served $(RELEASE_FLAGS)
	Benchmarks/service.py "$$($(SWIFT) build -c release --show-bin-path)"

# A cluster beside one node, stalls after faults, a new node; wants PostgreSQL, openssl and wrk.
bench-cluster: release
	$(SWIFT) build -c release --product sijilld $(FLAGS) $(RELEASE_FLAGS)
	Benchmarks/cluster.py "$$($(SWIFT) build -c release --show-bin-path)"

# The programs with the Swift runtime in them, for machines without Swift.
STATIC = .build/static
static: setup
	$(SWIFT) build -c release --static-swift-stdlib --scratch-path $(STATIC) --product replay $(RELEASE_FLAGS)
	$(SWIFT) build -c release --static-swift-stdlib --scratch-path $(STATIC) --product sijilld $(RELEASE_FLAGS)

# A Debian package of the two programs (docs/service/operator.md).
deb: static
	@Scripts/deb.sh "$$($(SWIFT) build -c release --scratch-path $(STATIC) --show-bin-path)" .build/packages

# Installed, used, upgraded and removed in a clean Debian; wants root, mmdebstrap and lintian.
deb-test: static
	@Scripts/deb-test.sh "$$($(SWIFT) build -c release --scratch-path $(STATIC) --show-bin-path)"

# A container image as an OCI layout; wants root and mmdebstrap.
oci: static
	@Scripts/oci.sh "$$($(SWIFT) build -c release --scratch-path $(STATIC) --show-bin-path)" .build/packages/sijill-oci

oci-test: oci
	@Scripts/oci-test.sh .build/packages/sijill-oci

# One journal up to ten million events, and the picture of it.
bench-growth: setup
	Benchmarks/run.sh --only growth
