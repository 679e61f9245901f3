/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/address-names.h"
#include "core/base/job.h"

typedef struct {
    uint64_t n_bytes;        /* saved so far */
    uint64_t expected_bytes; /* 0: the server does not say */
    double elapsed_seconds;
    double record_seconds; /* how long the server records before it answers; 0: unknown */
    /* Once the profile is saved, its server is asked for the names of so many addresses; 0 before
     * that. n_named of them have been asked for. */
    uint64_t n_addresses, n_named;
} PvFetchProgress;

/* Files in PEM format, whose paths must live as long as the fetch; NULL: none. */
typedef struct {
    const char *authorities; /* trusted in place of the system's */
    const char *certificate; /* ours, for servers that want one */
    const char *key;         /* of that; NULL: it is in the same file */
} PvFetchTls;

typedef struct {
    /* True if these first bytes, 64 KiB or the complete answer, begin a profile; called in any
     * thread. pv_load_is_profile (). Required. */
    bool (*is_profile) (const void *data, size_t size_bytes);
    /* Says what else they are: a sentence without a full stop, for g_free (), and whether it tells
     * more than that they are text, or nothing known. Any thread. pv_load_describe_foreign ().
     * Required. */
    char *(*describe) (const void *data, size_t size_bytes, bool *ret_is_known);

    /* The run-time addresses in a saved profile whose functions can only be named by its server,
     * sorted, for g_free (); NULL if there are none. is_here: the server is on this machine. Called
     * in any thread. pv_load_find_nameless (), which says more. NULL: nobody asks for names. */
    uint64_t *(*find_nameless) (const char *path, bool is_here, const void *symbols, PvJob *job,
                                size_t *ret_n);
    /* Writes the saved profile with these names into the file target. False if that cannot be done.
     * In any thread. pv_load_put_names (). Required with find_nameless. */
    bool (*put_names) (const char *path, const PvAddressNames *names, const char *target);
    const void *symbols; /* for find_nameless (); must live as long as the fetch */

    PvFetchTls tls;

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
