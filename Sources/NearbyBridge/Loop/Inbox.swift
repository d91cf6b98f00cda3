// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient

/// What other threads tell the loop.
enum InboxItem: Sendable {
    /// An attempt to connect succeeded: the client changes hands.
    case connected(attempt: Int, MosquittoClient)
    /// An attempt to connect failed.
    case failed(attempt: Int, MosquittoError)
    /// Stop in order.
    case stop
}

/// The loop's letter box: any thread posts, the loop is woken and collects.
final class Inbox: Sendable {
    private let items = Locked<[InboxItem]>([])
    private let wakeUp: WakeUp

    /// Creates an empty inbox; throws if no descriptor is free.
    init() throws(SystemError) {
        wakeUp = try WakeUp()
    }

    /// Readable while something waits.
    var descriptor: Int32 { wakeUp.descriptor }

    /// Posts an item from any thread.
    func post(_ item: InboxItem) {
        items.withLock { $0.append(item) }
        wakeUp.signal()
    }

    /// Takes everything that was posted; on the loop's thread.
    func collect() -> [InboxItem] {
        guard wakeUp.drain() else { return [] }
        return items.withLock { items in
            defer { items.removeAll() }
            return items
        }
    }

    /// Makes a client and connects it on a thread of its own, which posts what became of it.
    func connect(_ options: ConnectionOptions, attempt: Int) throws(SystemError) {
        _ = try Thread(name: "connect") {
            do throws(MosquittoError) {
                let client = try MosquittoClient(options: options)
                try client.connect()
                self.post(.connected(attempt: attempt, client))
            } catch {
                self.post(.failed(attempt: attempt, error))
            }
        }
    }
}
