// nearby-bridge · SPDX-License-Identifier: Apache-2.0

#ifndef NEARBY_ALLOCATIONS_H
#define NEARBY_ALLOCATIONS_H

/// Blocks that this program has asked the C library for since it began, by whatever thread.
unsigned long nearby_allocations(void);

#endif
