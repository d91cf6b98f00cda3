// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// Devices and ports of our own, beside the broker's socket.
extension ShardLoop {
    /// Opens what should be open, and has the poller wait for it.
    ///
    /// Like the subscriptions they wait until what an earlier life left is restored: events must not be numbered before.
    /// Later they work whatever becomes of the broker, unless another bridge takes over.
    func prepareInputs() {
        switch stage {
        case .starting(let startUp): if startUp.isStandingBy { readsInputs = false }
        case .running: readsInputs = true
        case .stopping, .ended: break
        }
        inputs.prepare(&poller, isWanted: readsInputs, &engine, at: now)
    }

    /// Brings to the engine what has come.
    func readInputs() {
        inputs.work(poller, &engine, into: &effects, at: now)
    }
}
