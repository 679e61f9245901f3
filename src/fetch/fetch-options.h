/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t n_bytes;        /* saved so far */
    uint64_t expected_bytes; /* 0: the server does not say */
    double elapsed_seconds;
    double record_seconds; /* how long the server records before it answers; 0: unknown */
} PvFetchProgress;

typedef struct {
    /* True if these first bytes, 64 KiB or the complete answer, begin a profile; called in any
     * thread. pv_load_is_profile (). Required. */
    bool (*is_profile) (const void *data, size_t size_bytes);

    /* Called four times a second; may be NULL. */
    void (*progress) (const PvFetchProgress *progress, void *user);
    void *user;

    uint64_t max_bytes; /* after HTTP's compression is undone; 0: 2 GiB */
    /* The longest wait for the answer to begin; 0: 1.5 times the server's recording time plus 15 s,
     * at least a minute. */
    double timeout_seconds;
    /* The longest time in which less than 4 KiB arrive; 0: half a minute, or timeout_seconds if
     * that is set and less. */
    double stall_seconds;
} PvFetchOptions;
