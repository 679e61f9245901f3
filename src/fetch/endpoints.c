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
    {"profile", NC_ ("profile kind", "CPU"), "/debug/pprof/profile", true},
    {"heap", NC_ ("profile kind", "Heap"), "/debug/pprof/heap", false},
    {"allocs", NC_ ("profile kind", "Allocations"), "/debug/pprof/allocs", false},
    {"goroutine", NC_ ("profile kind", "Goroutines"), "/debug/pprof/goroutine", false},
    {"goroutineleak", NC_ ("profile kind", "Leaked Goroutines"), "/debug/pprof/goroutineleak",
     false},
    {"mutex", NC_ ("profile kind", "Mutexes"), "/debug/pprof/mutex", false},
    {"block", NC_ ("profile kind", "Blocking"), "/debug/pprof/block", false},
    {"threadcreate", NC_ ("profile kind", "Created Threads"), "/debug/pprof/threadcreate", false},
};

static const PvFetchEndpoint gperftools_endpoints[] = {
    {"profile", NC_ ("profile kind", "CPU"), "/pprof/profile", true},
    {"heap", NC_ ("profile kind", "Heap"), "/pprof/heap", false},
    {"growth", NC_ ("profile kind", "Heap Growth"), "/pprof/growth", false},
    {"contention", NC_ ("profile kind", "Contention"), "/pprof/contention", true},
};

static const PvFetchEndpoint jemalloc_endpoints[] = {
    {"profile", NC_ ("profile kind", "CPU"), "/debug/pprof/profile", true},
    {"heap", NC_ ("profile kind", "Heap"), "/debug/pprof/heap", false},
    {"allocs", NC_ ("profile kind", "Allocations"), "/debug/pprof/allocs", false},
    {"heap", NC_ ("profile kind", "Heap (Materialize)"), "/prof/heap", false},
    {"heap", NC_ ("profile kind", "Heap (Databend)"), "/debug/mem/pprof/profile", false},
    {"heap", NC_ ("profile kind", "Heap (Neon)"), "/profile/heap", false},
    {"profile", NC_ ("profile kind", "CPU (Neon)"), "/profile/cpu", true},
};

static const PvFetchKind kinds[] = {
    {NC_ ("service", "Go"), go_endpoints, G_N_ELEMENTS (go_endpoints)},
    {NC_ ("service", "C++ with gperftools"), gperftools_endpoints,
     G_N_ELEMENTS (gperftools_endpoints)},
    {NC_ ("service", "Rust and C++ with jemalloc"), jemalloc_endpoints,
     G_N_ELEMENTS (jemalloc_endpoints)},
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
