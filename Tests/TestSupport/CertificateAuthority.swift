// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import LinuxSystem

/// An authority that issues certificates into a temporary directory, by the `openssl` program.
public final class CertificateAuthority: Sendable {
    /// A certificate and its key, as PEM files.
    public struct Identity: Sendable {
        /// The certificate file.
        public let certificate: String
        /// The key file.
        public let key: String
        /// The files live as long as somebody needs them.
        private let directory: TemporaryDirectory

        fileprivate init(certificate: String, key: String, directory: TemporaryDirectory) {
            self.certificate = certificate
            self.key = key
            self.directory = directory
        }
    }

    /// Why a certificate could not be made.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong, with what openssl said.
        public let description: String
    }

    /// The authority's own certificate: what the other side must trust.
    public let certificate: String
    private let key: String
    private let directory: TemporaryDirectory
    private let serial = Locked(1)

    /// Makes an authority.
    public init(name: String = "test authority") throws {
        directory = try TemporaryDirectory()
        certificate = directory.file("authority.pem")
        key = directory.file("authority.key")
        try Self.openssl(
            ["req", "-x509", "-days", "30", "-subj", "/CN=\(name)", "-keyout", key, "-out", certificate, "-nodes"]
                + Self.newKey,
            in: directory
        )
    }

    /// Issues a certificate for `names` (host names, or addresses written `IP:127.0.0.1`).
    ///
    /// With negative `days` it has expired already. With a passphrase the key file is encrypted.
    public func issue(_ names: [String], days: Int = 30, passphrase: String? = nil) throws -> Identity {
        let number = serial.withLock { serial in
            serial += 1
            return serial
        }
        let keyFile = directory.file("\(number).key")
        let request = directory.file("\(number).csr")
        let result = directory.file("\(number).pem")
        let protection = passphrase.map { ["-passout", "pass:\($0)"] } ?? ["-nodes"]
        try Self.openssl(
            ["req", "-subj", "/CN=\(names.first ?? "nobody")", "-keyout", keyFile, "-out", request]
                + Self.newKey + protection,
            in: directory
        )
        let alternatives = names.map { $0.hasPrefix("IP:") ? $0 : "DNS:\($0)" }.joined(separator: ",")
        let extensions = try directory.write("subjectAltName=\(alternatives)\n", to: "\(number).ext")
        try Self.openssl(
            ["x509", "-req", "-in", request, "-CA", certificate, "-CAkey", key, "-set_serial", "\(number)"]
                + ["-days", "\(days)", "-extfile", extensions, "-out", result],
            in: directory
        )
        return Identity(certificate: result, key: keyFile, directory: directory)
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

    private static func openssl(_ arguments: [String], in directory: TemporaryDirectory) throws {
        // `-out` names the result; what it says goes to a file of its own, shown only if it fails.
        let ending = try ChildProcess(
            ["sh", "-c", "exec openssl \"$@\" >\"$0\" 2>&1", directory.file("log")] + arguments
        ).wait()
        guard ending == .exited(status: 0) else {
            throw Failure(description: "openssl \(arguments.first ?? "") failed:\n\(directory.text(of: "log"))")
        }
    }
}
