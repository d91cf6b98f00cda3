// nearby-bridge · SPDX-License-Identifier: Apache-2.0

#include "bare.h"

#include <mosquitto.h>
#include <stddef.h>

static void on_connect(struct mosquitto *client, void *unused, int code) {
    (void)unused;
    if (code == 0) { mosquitto_subscribe(client, NULL, "nearby-bench/echo/in", 1); }
}

static void on_message(struct mosquitto *client, void *unused, const struct mosquitto_message *message) {
    (void)unused;
    mosquitto_publish(client, NULL, "nearby-bench/echo/out", message->payloadlen, message->payload, 1, false);
}

int nearby_bare_echo(int port) {
    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new("nearby-bench-echo", true, NULL);
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
