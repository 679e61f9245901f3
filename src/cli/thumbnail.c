/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/thumbnail.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/loading/comparing.h"
#include "cli/loading/sources.h"
#include "core/analyze/tree/call-tree.h"
#include "core/base/error.h"
#include "render/export/thumbnail.h"

/* File managers wait for each picture before they ask for the next one. */
enum { MAX_SECONDS = 10, MAX_UNPACKED_MIB = 512, MAX_BUILT_MIB = 256, MAX_DATA_MIB = 1024 };

/* Sanitizers have memory of their own, by far more than the limit. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

static void
on_time_up (int number)
{
    (void)number;
    _exit (EXIT_FAILURE);
}

/* The time ends before anything is written, so that nothing is left half done. */
static void
set_limits (PvOptions *options)
{
    /* A program that runs out of memory would leave all of it in a core file. */
    setrlimit (RLIMIT_CORE, &(struct rlimit){0, 0});
#ifndef HAS_SANITIZER
    const struct rlimit data = {(rlim_t)MAX_DATA_MIB << 20, (rlim_t)MAX_DATA_MIB << 20};
    setrlimit (RLIMIT_DATA, &data);
#endif
    signal (SIGALRM, on_time_up);
    alarm (MAX_SECONDS);
    options->max_unpacked_bytes = (uint64_t)MAX_UNPACKED_MIB << 20;
    options->max_memory_bytes = (uint64_t)MAX_BUILT_MIB << 20;
    options->n_jobs = 1;
    options->no_other_files = true;
}

/* Boxes narrower than a quarter of a pixel are not looked for. */
static PvCallTree *
build_tree (const PvOptions *options, const PvCliLoaded *loaded, GError **error)
{
    const PvTreeDetail detail = {.parts = (uint32_t)options->thumbnail_pixels * 4};
    PvQuery query;
    if (!pv_cli_make_query (options, loaded, &query, error))
        return NULL;
    g_autoptr (PvCallTree) tree = pv_call_tree_build_folded (loaded->profile, loaded->symbols,
                                                             &query, &detail, NULL, NULL, error);
    pv_query_clear (&query);
    if (tree == NULL || tree->total[0] > 0)
        return g_steal_pointer (&tree);
    g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_FAILED,
                         _ ("There is nothing in it to show."));
    return NULL;
}

bool
pv_cli_make_thumbnail (PvOptions *options, const char **ret_file, GError **error)
{
    g_assert (options != NULL && g_strv_length (options->open.files) == 2 && ret_file != NULL);
    /* A path, whatever it looks like: never an address. */
    g_autofree char *path = g_canonicalize_filename (options->open.files[0], NULL);
    const PvCliSource source = {.title = path, .arguments = (char *[]){path, NULL}};
    g_auto (PvCliLoaded) loaded = {0};
    *ret_file = options->open.files[0];
    set_limits (options);
    if (!pv_cli_source_load (&source, options, &loaded, error))
        return false;
    g_autoptr (PvCallTree) tree = build_tree (options, &loaded, error);
    if (tree == NULL)
        return false;
    *ret_file = options->open.files[1];
    g_autoptr (GBytes) picture =
        pv_thumbnail_draw (tree, (unsigned)options->thumbnail_pixels, error);
    if (picture == NULL)
        return false;
    alarm (0);
    return pv_thumbnail_write (picture, options->open.files[1], error);
}
