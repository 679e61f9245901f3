/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/endpoints.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/*
 * The profiles that services offer over HTTP. Go: package net/http/pprof. gperftools: its "pprof
 * remote servers", which brpc, Doris, Kudu and many C++ services also implement; their heap profile
 * may come from jemalloc. Rust services send jemalloc's dumps, as they are or as pprof, some under
 * Go's paths (TiKV, Restate and users of jemalloc_pprof), some under their own (Materialize,
 * Databend, Neon).
 */
static const PvFetchEndpoint go_endpoints[] = {
    {"profile", N_ ("CPU"), "/debug/pprof/profile", true},
    {"heap", N_ ("Heap"), "/debug/pprof/heap", false},
    {"allocs", N_ ("Allocations"), "/debug/pprof/allocs", false},
    {"goroutine", N_ ("Goroutines"), "/debug/pprof/goroutine", false},
    {"goroutineleak", N_ ("Leaked Goroutines"), "/debug/pprof/goroutineleak", false},
    {"mutex", N_ ("Mutexes"), "/debug/pprof/mutex", false},
    {"block", N_ ("Blocking"), "/debug/pprof/block", false},
    {"threadcreate", N_ ("Created Threads"), "/debug/pprof/threadcreate", false},
};

static const PvFetchEndpoint gperftools_endpoints[] = {
    {"profile", N_ ("CPU"), "/pprof/profile", true},
    {"heap", N_ ("Heap"), "/pprof/heap", false},
    {"growth", N_ ("Heap Growth"), "/pprof/growth", false},
    {"contention", N_ ("Contention"), "/pprof/contention", true},
};

static const PvFetchEndpoint jemalloc_endpoints[] = {
    {"profile", N_ ("CPU"), "/debug/pprof/profile", true},
    {"heap", N_ ("Heap"), "/debug/pprof/heap", false},
    {"allocs", N_ ("Allocations"), "/debug/pprof/allocs", false},
    {"heap", N_ ("Heap (Materialize)"), "/prof/heap", false},
    {"heap", N_ ("Heap (Databend)"), "/debug/mem/pprof/profile", false},
    {"heap", N_ ("Heap (Neon)"), "/profile/heap", false},
    {"profile", N_ ("CPU (Neon)"), "/profile/cpu", true},
};

static const PvFetchKind kinds[] = {
    {N_ ("Go"), go_endpoints, G_N_ELEMENTS (go_endpoints)},
    {N_ ("C++ with gperftools"), gperftools_endpoints, G_N_ELEMENTS (gperftools_endpoints)},
    {N_ ("Rust and C++ with jemalloc"), jemalloc_endpoints, G_N_ELEMENTS (jemalloc_endpoints)},
};

const PvFetchKind *
pv_fetch_get_kinds (unsigned *ret_n_kinds)
{
    g_assert (ret_n_kinds != NULL);
    *ret_n_kinds = G_N_ELEMENTS (kinds);
    return kinds;
}

const PvFetchEndpoint *
pv_fetch_find_endpoint (const char *url)
{
    g_assert (url != NULL);
    g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_HAS_PASSWORD, NULL);
    const char *path = uri != NULL ? g_uri_get_path (uri) : "";
    const PvFetchEndpoint *best = NULL;
    /* A service may put its endpoints below a path of its own. The longest match wins:
     * "/debug/pprof/heap" also ends in "/pprof/heap". */
    for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++) {
        for (unsigned i = 0; i < kinds[k].n_endpoints; i++) {
            const PvFetchEndpoint *endpoint = &kinds[k].endpoints[i];
            if (g_str_has_suffix (path, endpoint->path) &&
                (best == NULL || strlen (endpoint->path) > strlen (best->path)))
                best = endpoint;
        }
    }
    return best;
}
