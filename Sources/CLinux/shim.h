// nearby-bridge · SPDX-License-Identifier: Apache-2.0
// What Swift's Glibc module leaves out.
#pragma once
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/prctl.h>
#include <netinet/tcp.h>
