// nearby-bridge · SPDX-License-Identifier: Apache-2.0
#pragma once

/// The floor that benchmarks compare with: what libmosquitto alone costs, in its own loop.

/// Publishes at QoS 1 to `nearby-bench/echo/out` whatever comes on `nearby-bench/echo/in`; returns when the broker is gone.
int nearby_bare_echo(int port);

/// Receives every range report and does nothing with it; returns when the broker is gone.
///
/// To `nearby-bench/count/in` it answers on `nearby-bench/count/out` how many messages it has had.
int nearby_bare_subscriber(int port, int quality_of_service);

/// Publishes range reports of so many accessories at so many a second (0: as fast as the broker takes them), for so many
/// milliseconds; returns how many, negative on failure.
///
/// Packets are written to the socket as they are, from memory, so that the publisher is never the limit. Everybody walks to
/// and fro between 2 and 8 m at up to 1 m/s, whatever the rate.
long nearby_load(int port, int accessories, int rate, int milliseconds, int quality_of_service);
