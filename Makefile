# nearby-bridge · SPDX-License-Identifier: Apache-2.0
#
#   make demo   install what is missing, build, show the main job (Ctrl-C ends it; DURATION=30s ends it by itself)
#   make test   install what is missing, build, run every test
#   make soak   break everything at random for ten minutes (DURATION=60s for less, SEED=… to repeat a run)
#   make        build the program: .build/release/nearby-bridge
#   make install, make uninstall   the program as a service below PREFIX, see Examples/systemd

DURATION ?=
LIBRARIES := libmosquitto-dev libsqlite3-dev libyaml-dev zlib1g-dev
TEST_PACKAGES := $(LIBRARIES) mosquitto mosquitto-clients openssl iproute2
FUZZ_TARGETS := FuzzJSON FuzzConfiguration FuzzAccessory FuzzReports
FUZZ_SECONDS ?= 60

# With the Swift runtime inside: the program also runs where no Swift is.
# Another linker than the default, which warns of a function inside the runtime.
RELEASE := -c release --product nearby-bridge --static-swift-stdlib -Xswiftc -use-ld=lld
PROGRAM := .build/release/nearby-bridge

PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
UNIT_FOLDER := $(DESTDIR)$(PREFIX)/lib/systemd/system
MAN := $(DESTDIR)$(PREFIX)/share/man/man1
COMPLETIONS := $(addprefix $(DESTDIR)$(PREFIX)/share/, bash-completion/completions/nearby-bridge \
    zsh/site-functions/_nearby-bridge fish/vendor_completions.d/nearby-bridge.fish)
CONFIGURATION := $(DESTDIR)$(SYSCONFDIR)/nearby-bridge/config.yaml

.PHONY: build install uninstall demo test soak docs lint fuzz ci clean

build:
	@.ci/install $(LIBRARIES)
	@swift build $(RELEASE)

# Builds nothing, so that it can run as root: first make, then sudo make install.
install:
	@[ -x $(PROGRAM) ] || { echo "build first: make" >&2; exit 69; }
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/nearby-bridge
	install -d $(UNIT_FOLDER)
	sed 's|/usr/local/|$(PREFIX)/|; s|/etc/|$(SYSCONFDIR)/|' Examples/systemd/nearby-bridge.service > $(UNIT_FOLDER)/nearby-bridge.service
	chmod 644 $(UNIT_FOLDER)/nearby-bridge.service
	[ -e $(CONFIGURATION) ] || install -D -m 644 Examples/systemd/config.yaml $(CONFIGURATION)
	@if $(PROGRAM) man --help >/dev/null 2>&1; then \
	    install -d $(MAN) $(dir $(COMPLETIONS)) && $(PROGRAM) man --output $(MAN) && \
	    $(PROGRAM) completions bash > $(word 1,$(COMPLETIONS)) && \
	    $(PROGRAM) completions zsh > $(word 2,$(COMPLETIONS)) && \
	    $(PROGRAM) completions fish > $(word 3,$(COMPLETIONS)); \
	fi

# What you configured stays.
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/nearby-bridge $(UNIT_FOLDER)/nearby-bridge.service
	rm -f $(MAN)/nearby-bridge.1 $(MAN)/nearby-bridge-*.1 $(COMPLETIONS)

demo:
	@.ci/install $(LIBRARIES) mosquitto
	@swift build $(RELEASE) --quiet
	@$(PROGRAM) demo $(if $(DURATION),--duration $(DURATION))

test:
	@.ci/install $(TEST_PACKAGES)
	@.ci/test $(TEST_FLAGS)

# Checks the documentation of the libraries and leaves the pages in .build/documentation.
docs:
	@.ci/install $(LIBRARIES)
	@swift build --build-tests --quiet
	@.ci/docs .build/documentation

soak:
	@.ci/install $(TEST_PACKAGES)
	@.ci/soak "$(or $(DURATION),10m)" $(SEED)

lint:
	@swift format lint --strict --recursive Package.swift Sources Tests

# FUZZ_SECONDS=600 make fuzz
fuzz:
	@.ci/install $(LIBRARIES)
	@for target in $(FUZZ_TARGETS); do .ci/fuzz $$target $(FUZZ_SECONDS) || exit 1; done

ci:
	@bash .ci/run

clean:
	@swift package clean
