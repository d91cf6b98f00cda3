// nearby-bridge · SPDX-License-Identifier: Apache-2.0
#pragma once

/// The floor that benchmarks compare with: what libmosquitto alone costs, in its own loop.

/// Publishes at QoS 1 to `nearby-bench/echo/out` whatever comes on `nearby-bench/echo/in`; returns when the broker is gone.
int nearby_bare_echo(int port);
