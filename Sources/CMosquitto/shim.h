// nearby-bridge · SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <string.h>

// libmosquitto reports through errno. Reading it in the same C function keeps anything else from changing it first.

static inline int nb_loop_read(struct mosquitto *client, int *error) {
    errno = 0;
    int code = mosquitto_loop_read(client, 1);
    *error = errno;
    return code;
}

static inline int nb_loop_write(struct mosquitto *client, int *error) {
    errno = 0;
    int code = mosquitto_loop_write(client, 1);
    *error = errno;
    return code;
}

static inline int nb_connect(
    struct mosquitto *client, const char *host, int port, int keep_alive, const mosquitto_property *properties,
    int *error
) {
    errno = 0;
    int code = mosquitto_connect_bind_v5(client, host, port, keep_alive, NULL, properties);
    *error = errno;
    return code;
}

/// For the end of every callback: libmosquitto takes a left-over EAGAIN for its own and stops reading, and its
/// never drained socket pair leaves one for each packet it queues.
static inline void nb_clear_errno(void) { errno = 0; }

// The few OpenSSL calls that libmosquitto does not wrap. It has already loaded the library, so they are looked up
// at run time: no OpenSSL headers at build time, and no failure where they are missing.

#define NB_OPENSSL(type, name) ((type)dlsym((void *)0 /* RTLD_DEFAULT */, name))

/// Whether the broker's certificate is for `name`: 1 yes, 0 no, -1 the handshake is not finished, -2 cannot tell.
static inline int nb_certificate_matches(struct mosquitto *client, const char *name) {
    void *ssl = mosquitto_ssl_get(client);
    if (ssl == NULL) { return -1; }
    int (*is_finished)(const void *) = NB_OPENSSL(int (*)(const void *), "SSL_is_init_finished");
    void *(*get_certificate)(const void *) = NB_OPENSSL(void *(*)(const void *), "SSL_get1_peer_certificate");
    void (*free_certificate)(void *) = NB_OPENSSL(void (*)(void *), "X509_free");
    int (*check_host)(void *, const char *, size_t, unsigned, char **) =
        NB_OPENSSL(int (*)(void *, const char *, size_t, unsigned, char **), "X509_check_host");
    int (*check_address)(void *, const char *, unsigned) =
        NB_OPENSSL(int (*)(void *, const char *, unsigned), "X509_check_ip_asc");
    if (!is_finished || !get_certificate || !free_certificate || !check_host || !check_address) { return -2; }
    if (!is_finished(ssl)) { return -1; }
    void *certificate = get_certificate(ssl);
    if (certificate == NULL) { return 0; }
    int matches = check_host(certificate, name, strlen(name), 0, NULL) == 1
        || check_address(certificate, name, 0) == 1;
    free_certificate(certificate);
    return matches;
}

/// Why OpenSSL did not accept the broker's certificate, or NULL if it did or nothing is known.
static inline const char *nb_verification_failure(struct mosquitto *client) {
    void *ssl = mosquitto_ssl_get(client);
    if (ssl == NULL) { return NULL; }
    long (*get_result)(const void *) = NB_OPENSSL(long (*)(const void *), "SSL_get_verify_result");
    const char *(*get_text)(long) = NB_OPENSSL(const char *(*)(long), "X509_verify_cert_error_string");
    if (!get_result || !get_text) { return NULL; }
    long result = get_result(ssl);
    return result == 0 ? NULL : get_text(result);
}

/// OpenSSL's directory of trusted certificates, or NULL.
static inline const char *nb_system_authorities(void) {
    const char *(*get)(void) = NB_OPENSSL(const char *(*)(void), "X509_get_default_cert_dir");
    return get ? get() : NULL;
}
