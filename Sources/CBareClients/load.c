// nearby-bridge · SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "bare.h"

/// One accessory's packet, encoded once; the digits of its distance change in place.
struct packet {
    unsigned char bytes[256];
    int length;
    int distance;
    int identifier;
    double phase;
};

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int connect_to(int port) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) { return -1; }
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // MQTT 3.1.1, clean, no keep-alive.
    static const unsigned char hello[] = {0x10, 17, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 5, 'l', 'o', 'a', 'd', '0'};
    unsigned char answer[4];
    if (write(descriptor, hello, sizeof hello) != sizeof hello) { return -1; }
    if (recv(descriptor, answer, 4, MSG_WAITALL) != 4 || answer[3] != 0) { return -1; }
    return descriptor;
}

static void encode(struct packet *packet, int index, int quality_of_service) {
    char topic[64], payload[160];
    int topic_length = snprintf(topic, sizeof topic, "nearby/accessory/tag-%05d/report", index);
    int payload_length = snprintf(payload, sizeof payload,
        "{\"distance\":0.000,\"azimuth\":-12.5,\"elevation\":3.25,\"quality\":0.87,\"nlos\":false,\"rssi\":-78.5}");
    int rest = 2 + topic_length + (quality_of_service > 0 ? 2 : 0) + payload_length;
    unsigned char *to = packet->bytes;
    *to++ = (unsigned char)(0x30 | quality_of_service << 1);
    if (rest > 127) {
        *to++ = (unsigned char)(rest & 127) | 128;
        *to++ = (unsigned char)(rest >> 7);
    } else {
        *to++ = (unsigned char)rest;
    }
    *to++ = (unsigned char)(topic_length >> 8);
    *to++ = (unsigned char)topic_length;
    memcpy(to, topic, (size_t)topic_length);
    to += topic_length;
    packet->identifier = (int)(to - packet->bytes);
    if (quality_of_service > 0) { to += 2; }
    memcpy(to, payload, (size_t)payload_length);
    packet->distance = (int)(to - packet->bytes) + 12;
    packet->length = (int)(to - packet->bytes) + payload_length;
    packet->phase = 2.399963 * index;
}

/// Writes where the accessory is now: 5 m and up to 3 m more or less, at 0.33 rad/s.
static void walk(struct packet *packet, double seconds) {
    int millimetres = (int)(1000 * (5 + 3 * sin(packet->phase + 0.33 * seconds)));
    unsigned char *to = packet->bytes + packet->distance;
    to[0] = (unsigned char)('0' + millimetres / 1000);
    to[2] = (unsigned char)('0' + millimetres / 100 % 10);
    to[3] = (unsigned char)('0' + millimetres / 10 % 10);
    to[4] = (unsigned char)('0' + millimetres % 10);
}

/// Throws away what the broker says: acknowledgements.
static void drain(int descriptor) {
    unsigned char buffer[4096];
    while (recv(descriptor, buffer, sizeof buffer, MSG_DONTWAIT) > 0) {}
}

static int send_all(int descriptor, const unsigned char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = send(descriptor, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) { continue; }
        if (sent <= 0) { return -1; }
        bytes += sent;
        length -= (size_t)sent;
    }
    return 0;
}

long nearby_load(int port, int accessories, int rate, int milliseconds, int quality_of_service) {
    int descriptor = connect_to(port);
    struct packet *packets = calloc((size_t)accessories, sizeof *packets);
    if (descriptor < 0 || packets == NULL) { return -1; }
    for (int index = 0; index < accessories; index++) { encode(&packets[index], index, quality_of_service); }
    static unsigned char batch[65536];
    long long begin = now(), end = begin + milliseconds * 1000000LL;
    long count = 0;
    unsigned short identifier = 0;
    int next = 0;
    for (long long time = begin; time < end; time = now()) {
        // As many as are due, and never more than a batch at once: a real crowd does not speak in one breath.
        long due = rate > 0 ? (long)((double)(time - begin) * 1e-9 * rate) - count : 256;
        if (due <= 0) {
            struct timespec pause = {0, 200000};
            nanosleep(&pause, NULL);
            continue;
        }
        if (due > 256) { due = 256; }
        size_t used = 0;
        for (long step = 0; step < due; step++) {
            struct packet *packet = &packets[next];
            next = (next + 1) % accessories;
            walk(packet, (double)(time - begin) * 1e-9);
            if (quality_of_service > 0) {
                identifier = identifier == 65535 ? 1 : (unsigned short)(identifier + 1);
                packet->bytes[packet->identifier] = (unsigned char)(identifier >> 8);
                packet->bytes[packet->identifier + 1] = (unsigned char)identifier;
            }
            memcpy(batch + used, packet->bytes, (size_t)packet->length);
            used += (size_t)packet->length;
        }
        if (send_all(descriptor, batch, used) != 0) { return -1; }
        count += due;
        if (quality_of_service > 0) { drain(descriptor); }
    }
    static const unsigned char goodbye[] = {0xE0, 0};
    (void)send_all(descriptor, goodbye, sizeof goodbye);
    // The broker reads what is still on its way.
    shutdown(descriptor, SHUT_WR);
    unsigned char rest[4096];
    while (recv(descriptor, rest, sizeof rest, 0) > 0) {}
    close(descriptor);
    free(packets);
    return count;
}
