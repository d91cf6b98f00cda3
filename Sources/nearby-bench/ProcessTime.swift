// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time that a process has had of the processors, by the kernel's scheduler: `/proc/PID/task/*/schedstat`.
enum ProcessTime {
    /// Nanoseconds so far, over all threads that live; `nil` if the process is gone.
    static func nanoseconds(of process: Int32) -> Int64? {
        guard let folder = unsafe opendir("/proc/\(process)/task") else { return nil }
        defer { unsafe closedir(folder) }
        var sum: Int64 = 0
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name.first != "." else { continue }
            let text = read("/proc/\(process)/task/\(name)/schedstat")
            sum += text.split(separator: " ").first.flatMap { Int64($0) } ?? 0
        }
        return sum
    }

    /// Bytes of memory that are resident, and those of them that nobody shares; `nil` if the process is gone.
    static func resident(of process: Int32) -> Int? {
        let pages = read("/proc/\(process)/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }

    private static func read(_ path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
