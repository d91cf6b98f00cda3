// nearby-bridge · SPDX-License-Identifier: Apache-2.0

#include "bare.h"

#include <mosquitto.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void on_connect_echo(struct mosquitto *client, void *unused, int code) {
    (void)unused;
    if (code == 0) { mosquitto_subscribe(client, NULL, "nearby-bench/echo/in", 1); }
}

static void on_message_echo(struct mosquitto *client, void *unused, const struct mosquitto_message *message) {
    (void)unused;
    mosquitto_publish(client, NULL, "nearby-bench/echo/out", message->payloadlen, message->payload, 1, false);
}

static int run(const char *name, void *context, int port,
               void (*on_connect)(struct mosquitto *, void *, int),
               void (*on_message)(struct mosquitto *, void *, const struct mosquitto_message *)) {
    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new(name, true, context);
    if (client == NULL) { return MOSQ_ERR_NOMEM; }
    // Without it the answer would wait for an acknowledgement: the bridge must not look good against that.
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_connect_callback_set(client, on_connect);
    mosquitto_message_callback_set(client, on_message);
    int code = mosquitto_connect(client, "127.0.0.1", port, 60);
    if (code == MOSQ_ERR_SUCCESS) { code = mosquitto_loop_forever(client, -1, 1); }
    mosquitto_destroy(client);
    return code;
}

int nearby_bare_echo(int port) { return run("nearby-bench-echo", NULL, port, on_connect_echo, on_message_echo); }

struct subscriber {
    int quality_of_service;
    long count;
};

static void on_connect_subscriber(struct mosquitto *client, void *context, int code) {
    if (code != 0) { return; }
    mosquitto_subscribe(client, NULL, "nearby/accessory/+/report", ((struct subscriber *)context)->quality_of_service);
    mosquitto_subscribe(client, NULL, "nearby-bench/count/in", 1);
}

static void on_message_subscriber(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
    struct subscriber *subscriber = context;
    // The only look at a message: whether it asks for the count.
    if (message->topic[6] != '-') {
        subscriber->count += 1;
        return;
    }
    char text[24];
    int length = snprintf(text, sizeof text, "%ld", subscriber->count);
    mosquitto_publish(client, NULL, "nearby-bench/count/out", length, text, 1, false);
}

int nearby_bare_subscriber(int port, int quality_of_service) {
    struct subscriber subscriber = {quality_of_service, 0};
    return run("nearby-bench-subscriber", &subscriber, port, on_connect_subscriber, on_message_subscriber);
}
