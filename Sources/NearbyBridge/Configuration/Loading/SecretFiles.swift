// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// How files that the configuration names are looked into; another one in tests.
struct SecretFiles: Sendable {
    /// Why something cannot be read.
    struct Failure: Error, Equatable {
        var text: String
    }

    /// The bytes of a short file.
    var read: @Sendable (String) -> Result<[UInt8], Failure>
    /// Why a file cannot be read, `nil` if it can.
    var fault: @Sendable (String) -> String?
    /// Whether every user of the machine may read a file.
    var isOpenToAll: @Sendable (String) -> Bool

    /// No secret is longer.
    static let maximumBytes = 64 << 10

    /// The files of this machine.
    static let system = SecretFiles(
        read: { path in
            do throws(TextFile.Failure) {
                return .success(try TextFile.read(path, maximumBytes: maximumBytes))
            } catch {
                return .failure(Failure(text: "\(error)"))
            }
        },
        fault: { TextFile.fault($0)?.description },
        isOpenToAll: TextFile.isReadableByEveryone
    )

    /// The secret in a file: its first line.
    func secret(in path: String) throws(Failure) -> Secret {
        let line = try read(path).get().prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw Failure(text: "the first line of \(path) is empty") }
        guard !line.contains(0), let text = String(validating: line, as: UTF8.self) else {
            throw Failure(text: "the first line of \(path) is not text")
        }
        return Secret(text)
    }
}

extension ConfigurationReader {
    /// Reads the secrets that stand in files, and looks whether the other files can be read.
    ///
    /// The last layer: which file it is has been decided by all others.
    mutating func readSecrets(in files: SecretFiles) {
        for key in ConfigurationKey.all where key.isSecret {
            guard let setting = settings["\(key.path)_file"], case .text(let path) = setting.value else { continue }
            // Both are a problem of their own.
            guard settings[key.path] == nil else { continue }
            let name = "\(key.path)_file"
            do throws(SecretFiles.Failure) {
                take(try files.secret(in: path), for: key, from: setting.source)
                warnIfOpen(path, name, setting.source, files)
            } catch {
                let fix = "name a file whose first line is the secret, readable by this user"
                report(name, setting.source, error.text, fix)
            }
        }
        checkEncryption(files)
    }

    /// A certificate that is missing may still come: the connection is tried again and again.
    private mutating func checkEncryption(_ files: SecretFiles) {
        guard settings["mqtt.tls.enabled"]?.value == .boolean(true) else { return }
        for name in ["mqtt.tls.ca", "mqtt.tls.certificate", "mqtt.tls.key"] {
            guard let setting = settings[name], case .text(let path) = setting.value else { continue }
            if let fault = files.fault(path) {
                warn(name, setting.source, fault, "name a file that this user may read")
            } else if name.hasSuffix(".key") {
                warnIfOpen(path, name, setting.source, files)
            }
        }
    }

    private mutating func warnIfOpen(
        _ path: String,
        _ name: String,
        _ source: ConfigurationSource,
        _ files: SecretFiles
    ) {
        // Containers mount their secrets here, and nobody else is in there.
        guard !path.hasPrefix("/run/secrets/"), files.isOpenToAll(path) else { return }
        warn(name, source, "every user of this machine may read \(PlainText.plain(path))", "chmod 600 it")
    }
}
