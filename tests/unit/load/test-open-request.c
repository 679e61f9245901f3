/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command line's request to a window arrives as it was sent. */
#include "../cases.h"
#include "core/load/open-request.h"

static char *files[] = {(char *)"a b.data", (char *)"\xff.heap", NULL};
static char *words[] = {(char *)"--focus=\xfe", NULL};
static char *side_words[] = {(char *)"--thread=7", (char *)"--time=1s..2s", NULL};

static void
send (const PvOpenRequest *sent, PvOpenRequest *ret_request)
{
    g_autoptr (GVariant) message = g_variant_ref_sink (pv_open_request_to_variant (sent));
    g_auto (GVariantDict) entries;

    g_variant_dict_init (&entries, message);
    pv_open_request_from_dict (ret_request, &entries);
}

TEST (round_trip)
{
    PvOpenRequest sent = {
        .kind = PV_REQUEST_COMPARED,
        .files = files,
        .base_files = files,
        .sysroot = (char *)"/s\xff",
        .symbol_paths = files,
        .path_maps = words,
        .no_demangle = TRUE,
        .words = words,
        .words_of_side = {side_words, words},
        .run_words = side_words,
        .renames = words,
        .scale = PV_SCALE_FUNCTION,
        .scale_function = (char *)"main",
        .width_side = PV_SIDE_BASE,
        .is_side_by_side = TRUE,
    };
    g_auto (PvOpenRequest) got = PV_OPEN_REQUEST_INIT;

    send (&sent, &got);
    g_assert_cmpuint (got.kind, ==, PV_REQUEST_COMPARED);
    g_assert_cmpstrv (got.files, files);
    g_assert_cmpstrv (got.base_files, files);
    g_assert_null (got.with_files);
    g_assert_cmpstr (got.sysroot, ==, "/s\xff");
    g_assert_cmpstrv (got.symbol_paths, files);
    g_assert_cmpstrv (got.path_maps, words);
    g_assert_true (got.no_demangle && got.is_side_by_side);
    g_assert_cmpstrv (got.words, words);
    g_assert_cmpstrv (got.words_of_side[PV_SIDE_BASE], side_words);
    g_assert_cmpstrv (got.words_of_side[PV_SIDE_NEW], words);
    g_assert_cmpstrv (got.run_words, side_words);
    g_assert_cmpstrv (got.renames, words);
    g_assert_cmpuint (got.scale, ==, PV_SCALE_FUNCTION);
    g_assert_cmpstr (got.scale_function, ==, "main");
    g_assert_cmpuint (got.width_side, ==, PV_SIDE_BASE);
}

/* Nothing, and what makes no sense: of another version. */
TEST (strange)
{
    PvOpenRequest sent = PV_OPEN_REQUEST_INIT;
    g_auto (PvOpenRequest) empty = PV_OPEN_REQUEST_INIT;
    g_auto (PvOpenRequest) got = PV_OPEN_REQUEST_INIT;
    g_auto (GVariantDict) entries;

    send (&sent, &empty);
    g_assert_cmpuint (empty.kind, ==, PV_REQUEST_EACH);
    g_assert_true (empty.files == NULL && empty.sysroot == NULL);
    g_assert_cmpuint (empty.width_side, ==, PV_N_SIDES);
    g_variant_dict_init (&entries, NULL);
    g_variant_dict_insert (&entries, "kind", "u", 99);
    g_variant_dict_insert (&entries, "scale", "u", PV_SCALE_FUNCTION);
    g_variant_dict_insert (&entries, "files", "s", "not a list");
    pv_open_request_from_dict (&got, &entries);
    g_assert_cmpuint (got.kind, ==, PV_REQUEST_EACH);
    g_assert_cmpuint (got.scale, ==, PV_SCALE_NONE);
    g_assert_null (got.files);
}
