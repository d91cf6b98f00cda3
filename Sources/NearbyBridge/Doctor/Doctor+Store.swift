// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SQLiteStore

extension Doctor {
    /// Looks at the store without making one.
    ///
    /// Can it be written, is it sound, does a bridge use it?
    func examineStore() {
        guard let folder = options.stateFolder else {
            return tell(.ok, "store", "none: after a restart the broker's retained topics tell what was")
        }
        let path = StateStore.path(folder: folder, name: options.clientIdentifier)
        guard FileManager.default.fileExists(atPath: path) else { return examineFolder(folder) }
        do throws(SQLiteError) {
            let database = try SQLiteDatabase(path: path, synchronization: .normal, patience: 0)
            if let damage = try database.damage() {
                return tell(.failed, "store", "\(path) is damaged (\(damage)): the next start puts it aside")
            }
            tell(.ok, "store", "\(path) is sound")
        } catch {
            switch error.kind {
            case .busy:
                tell(.ok, "store", "\(path) is in use by a bridge")
            case .corrupt:
                tell(.failed, "store", "\(path) is damaged: the next start puts it aside")
            case .full, .notWritable, .inputOutput, .other:
                tell(.failed, "store", "\(error): mend it, name another state.path, or none")
            }
        }
    }

    /// The folder, or the first one above it that is there, must be writable.
    private func examineFolder(_ folder: String) {
        var place = folder
        while !place.isEmpty, !FileManager.default.fileExists(atPath: place) {
            place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
        }
        if place.isEmpty { place = folder.hasPrefix("/") ? "/" : "." }
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
        guard isFolder, FileManager.default.isWritableFile(atPath: place) else {
            return tell(
                .failed,
                "store",
                "\(folder) cannot be made: this user may not write to \(place). Name another state.path, or none"
            )
        }
        tell(.ok, "store", "\(folder) is to be made by the first run")
    }
}
