# nearby-bridge · SPDX-License-Identifier: Apache-2.0
#
#   make demo   install what is missing, build, show the main job (Ctrl-C ends it; DURATION=30s ends it by itself)
#   make test   install what is missing, build, run every test
#   make soak   break everything at random for ten minutes (DURATION=60s for less, SEED=… to repeat a run)
#   make        build the program: .build/release/nearby-bridge

DURATION ?=
LIBRARIES := libmosquitto-dev libsqlite3-dev libyaml-dev
TEST_PACKAGES := $(LIBRARIES) mosquitto mosquitto-clients openssl
FUZZ_TARGETS := FuzzJSON FuzzConfiguration FuzzAccessory
FUZZ_SECONDS ?= 60

.PHONY: build demo test soak lint fuzz ci clean

build:
	@.ci/install $(LIBRARIES)
	@swift build -c release --product nearby-bridge

demo:
	@.ci/install $(LIBRARIES) mosquitto
	@swift build -c release --product nearby-bridge --quiet
	@.build/release/nearby-bridge demo $(if $(DURATION),--duration $(DURATION))

test:
	@.ci/install $(TEST_PACKAGES)
	@.ci/test $(TEST_FLAGS)

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
