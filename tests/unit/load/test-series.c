/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several files as one: their order, which belong together, and what becomes of them.
 */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../analyze/weigh-stacks.h"
#include "../cases.h"
#include "../read/packers.h"
#include "../read/pprof-maker.h"
#include "../scratch.h"
#include "core/analyze/query/query.h"
#include "core/base/error.h"
#include "core/load/load-folder.h"
#include "core/load/load-series.h"
#include "core/load/load.h"
#include "loaded.h"

/* --- names ------------------------------------------------------------------------------------ */

static void
check_name (const char *name, PvDumpNameKind kind, const char *prefix, uint64_t sequence,
            bool is_final)
{
    PvDumpName parsed;
    pv_dump_name_parse (name, &parsed);
    g_assert_cmpint (parsed.kind, ==, kind);
    if (kind == PV_DUMP_NAME_OTHER)
        return;
    g_assert_cmpuint (parsed.prefix_len, ==, strlen (prefix));
    g_assert_true (g_str_has_prefix (name, prefix));
    g_assert_cmpuint (parsed.sequence, ==, sequence);
    g_assert_cmpint (parsed.is_final, ==, is_final);
}

TEST (names)
{
    static const PvDumpNameKind j = PV_DUMP_NAME_JEMALLOC, g = PV_DUMP_NAME_GPERFTOOLS;
    static const PvDumpNameKind none = PV_DUMP_NAME_OTHER;
    check_name ("compactor.266308.17.i17.heap", j, "compactor.266308", 17, false);
    check_name ("jeprof.1.0.f.heap", j, "jeprof.1", 0, true);
    check_name ("/tmp/jeprof.out.12.3.m1.heap", j, "/tmp/jeprof.out.12", 3, false);
    check_name ("jeprof.7.12.120.u44.heap", j, "jeprof.7.12", 120, false);
    check_name ("a/b.c.5.6.i7.heap.gz", j, "a/b.c.5", 6, false);
    check_name ("x.5.6.i7.heap.zst", j, "x.5", 6, false);
    check_name ("x.5.6.f.heap.xz", j, "x.5", 6, true);
    check_name ("/tmp/prog.hprof.0001.heap", g, "/tmp/prog.hprof", 1, false);
    check_name ("prog.hprof_4711.12345.heap", g, "prog.hprof_4711", 12345, false);
    /* Not quite jemalloc's. */
    check_name ("jeprof.17.i17.heap", none, NULL, 0, false);
    check_name ("prog.12.f7.heap", none, NULL, 0, false);
    check_name ("prog.1.2.x3.heap", none, NULL, 0, false);
    check_name ("prog.1.2.i.heap", none, NULL, 0, false);
    check_name ("prog.heap", none, NULL, 0, false);
    check_name ("12.heap", none, NULL, 0, false);
    check_name (".12.heap", none, NULL, 0, false);
    check_name ("dir/.heap", none, NULL, 0, false);
    check_name (".heap", none, NULL, 0, false);
    check_name ("", none, NULL, 0, false);
    check_name ("prog.99999999999999999999999999.heap", none, NULL, 0, false);
    check_name ("prog.0001.heap.txt", none, NULL, 0, false);
}

TEST (natural_order)
{
    static const char *const sorted[] = {"",          "a",          "a01",           "a1",     "a2",
                                         "a10",       "a10b2",      "a10b10",        "a00011", "b",
                                         "heap-9.pb", "heap-10.pb", "heap-010.pb/x", "heaps"};
    for (size_t i = 0; i < G_N_ELEMENTS (sorted); i++) {
        for (size_t k = 0; k < G_N_ELEMENTS (sorted); k++) {
            int order = pv_compare_naturally (sorted[i], sorted[k]);
            g_assert_cmpint ((order > 0) - (order < 0), ==, (i > k) - (i < k));
        }
    }
}

/* --- order and times -------------------------------------------------------------------------- */

typedef struct {
    const char *path;
    int64_t modified_ms;
    int64_t recorded_ms;
} Stamp;

/* The files in the order of the series, as "a b c", and whether it has times. */
static char *
order_files (const Stamp *stamps, unsigned n, PvDump *ret_dumps, bool *ret_has_times)
{
    const char *paths[16] = {NULL};
    for (unsigned i = 0; i < n; i++)
        paths[i] = stamps[i].path;
    g_autoptr (GPtrArray) files = pv_series_files_new (paths);
    for (unsigned i = 0; i < n; i++) {
        PvSeriesFile *file = files->pdata[i];
        file->modified_ns = stamps[i].modified_ms * 1000000;
        file->recorded_at_ns = stamps[i].recorded_ms * 1000000;
    }
    *ret_has_times = pv_series_find_times (files, ret_dumps);
    for (unsigned i = 0; i < n; i++)
        ret_dumps[i].name = NULL; /* the files' */
    pv_series_sort (files, ret_dumps);
    GString *text = g_string_new (NULL);
    for (unsigned i = 0; i < n; i++)
        g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                                ((PvSeriesFile *)files->pdata[i])->path);
    return g_string_free (text, FALSE);
}

static void
check_order (const Stamp *stamps, unsigned n, const char *expected, bool has_times)
{
    PvDump dumps[16];
    bool found;
    assert_string (order_files (stamps, n, dumps, &found), expected);
    g_assert_cmpint (found, ==, has_times);
    for (unsigned i = 0; i < n; i++) {
        g_assert_cmpuint (dumps[i].time_ns, >=, 1000000);
        g_assert_cmpuint (dumps[i].time_ns % 1000000, ==, 0);
        g_assert_cmpint (dumps[i].recorded_at > 0, ==, has_times);
        for (unsigned k = 0; k < i; k++)
            g_assert_cmpuint (MAX (dumps[i].time_ns, dumps[k].time_ns) -
                                  MIN (dumps[i].time_ns, dumps[k].time_ns),
                              >=, 1000000);
    }
}

TEST (order)
{
    enum { T = 1000000 };
    /* By number, with the times of the files. */
    static const Stamp numbered[] = {{"p.1.10.i10.heap", T + 100, 0},
                                     {"p.1.9.i9.heap", T + 90, 0},
                                     {"p.1.10.f.heap", T + 100, 0},
                                     {"p.1.0.i0.heap", T, 0}};
    check_order (numbered, 4, "p.1.0.i0.heap p.1.9.i9.heap p.1.10.i10.heap p.1.10.f.heap", true);
    /* Files that were copied: the numbers are right, their times are not. */
    static const Stamp copied[] = {
        {"p.1.10.i10.heap", T, 0}, {"p.1.9.i9.heap", T + 90, 0}, {"p.1.0.i0.heap", T + 80, 0}};
    check_order (copied, 3, "p.1.0.i0.heap p.1.9.i9.heap p.1.10.i10.heap", false);
    static const Stamp same[] = {{"p.0010.heap", T, 0}, {"p.0009.heap", T, 0}};
    check_order (same, 2, "p.0009.heap p.0010.heap", false);
    /* Facts from the files themselves come first. */
    static const Stamp recorded[] = {
        {"c.pb", T, T + 50}, {"a.pb", T + 2, T + 70}, {"b.pb", T + 3, T + 60}};
    check_order (recorded, 3, "c.pb b.pb a.pb", true);
    static const Stamp partly[] = {
        {"c.pb", T, 0}, {"a.pb", T + 20, T + 70}, {"b.pb", T + 10, T + 60}};
    check_order (partly, 3, "c.pb b.pb a.pb", true);
    /* Dumps of two processes have no numbers in common. */
    static const Stamp mixed[] = {{"p.1.2.i2.heap", T + 5, 0}, {"p.2.1.i1.heap", T + 9, 0}};
    check_order (mixed, 2, "p.1.2.i2.heap p.2.1.i1.heap", true);
    /* Nothing but names. */
    static const Stamp named[] = {{"h10", T, 0}, {"h9", T, 0}, {"h1", T, 0}};
    check_order (named, 3, "h1 h9 h10", false);
    static const Stamp unknown[] = {{"b", 0, 0}, {"a", T, 0}};
    check_order (unknown, 2, "a b", false);
    check_order (named, 1, "h10", false);
    /* Nearer than a millisecond, and the same twice. */
    static const Stamp near[] = {{"b", 0, T}, {"a", 0, T}, {"c", 0, T + 1}, {"d", 0, T + 1}};
    check_order (near, 4, "a b c d", true);
}

TEST (titles)
{
    const char *const unique[] = {"/x/a.heap", "/x/b.heap", NULL};
    const char *const twice[] = {"/x/a.heap", "/y/a.heap", NULL};
    g_autoptr (GPtrArray) short_ones = pv_series_files_new (unique);
    g_autoptr (GPtrArray) long_ones = pv_series_files_new (twice);
    g_assert_cmpstr (((PvSeriesFile *)short_ones->pdata[1])->title, ==, "b.heap");
    g_assert_cmpstr (((PvSeriesFile *)long_ones->pdata[0])->title, ==, "x/a.heap");
    g_assert_cmpstr (((PvSeriesFile *)long_ones->pdata[1])->title, ==, "y/a.heap");
}

/* --- files ------------------------------------------------------------------------------------ */

typedef struct {
    char *path;
    GPtrArray *files;
} Folder;

static Folder
folder_new (void)
{
    Folder folder = {g_dir_make_tmp ("profview-series-XXXXXX", NULL),
                     g_ptr_array_new_with_free_func (g_free)};
    g_assert_nonnull (folder.path);
    return folder;
}

static void
folder_clear (Folder *folder)
{
    for (guint i = folder->files->len; i > 0; i--)
        g_remove (folder->files->pdata[i - 1]);
    g_ptr_array_unref (folder->files);
    g_rmdir (folder->path);
    g_free (folder->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folder, folder_clear)

static const char *
folder_add (Folder *folder, const char *name, const void *data, size_t size)
{
    char *path = g_build_filename (folder->path, name, NULL);
    assert_ok (error, g_file_set_contents (path, data, (gssize)size, &error));
    g_ptr_array_add (folder->files, path);
    return path;
}

static void
set_time (const char *path, int64_t ms)
{
    struct timespec times[2];
    for (int i = 0; i < 2; i++)
        times[i] = (struct timespec){ms / 1000, ms % 1000 * 1000000};
    g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

/* A dump of jemalloc with every allocation sampled: stack i holds bytes[i], 1 KiB each. */
static const char *
add_dump (Folder *folder, const char *name, const unsigned *kib, unsigned n, int64_t ms)
{
    g_autoptr (GString) text = g_string_new ("heap_v2/1\n  t*: 0: 0 [0: 0]\n");
    for (unsigned i = 0; i < n; i++) {
        if (kib[i] > 0)
            g_string_append_printf (text,
                                    "@ 0x401100 0x%x 0x402000\n  t*: %u: %u [0: 0]\n"
                                    "  t0: %u: %u [0: 0]\n",
                                    0x401200 + i * 256, kib[i], kib[i] * 1024, kib[i],
                                    kib[i] * 1024);
    }
    g_string_append (text, "\nMAPPED_LIBRARIES:\n"
                           "00400000-00500000 r-xp 00000000 00:00 0  /nowhere/prog\n");
    const char *path = folder_add (folder, name, text->str, text->len);
    if (ms > 0)
        set_time (path, ms);
    return path;
}

/* A heap profile of pprof: what function a and b hold. */
static const char *
add_pprof (Folder *folder, const char *name, const char *type, const char *build_id,
           int64_t time_ns, unsigned a, unsigned b)
{
    enum { TIME_NANOS = 9 };
    g_autoptr (PprofMaker) maker = maker_new ();
    char value[32];
    maker_type (maker, type, "bytes");
    maker_mapping (maker, 1, "0x400000 0x500000 0", "/nowhere/service", build_id);
    maker_function (maker, 1, "a", NULL, "a.go", 1);
    maker_function (maker, 2, "b", NULL, "a.go", 9);
    maker_location (maker, 1, 1, 0x400100, "1:3");
    maker_location (maker, 2, 1, 0x400200, "2:10");
    g_snprintf (value, sizeof value, "%u", a);
    maker_sample (maker, "1", value, NULL);
    g_snprintf (value, sizeof value, "%u", b);
    maker_sample (maker, "2 1", value, NULL);
    if (time_ns > 0)
        wire_number (maker->bytes, TIME_NANOS, (uint64_t)time_ns);
    GByteArray *bytes = maker_finish (maker);
    return folder_add (folder, name, bytes->data, bytes->len);
}

/* --- loading ---------------------------------------------------------------------------------- */

static bool
load (const char *const *paths, PvTogether how, unsigned n_workers, PvJob *job, Loaded *ret_loaded,
      GError **error)
{
    *ret_loaded = (Loaded){0};
    PvLoadOptions options = {.symbols = {.n_workers = n_workers}};
    PvLoadEvents events = loaded_events (ret_loaded);
    g_autoptr (PvJob) own = job != NULL ? pv_job_ref (job) : pv_job_new ();
    return pv_load_together (paths, how, &options, &events, own, error);
}

/* The same where there is no error. */
static Loaded
load_well (const char *const *paths, PvTogether how, unsigned n_workers)
{
    Loaded loaded;
    assert_ok (error, load (paths, how, n_workers, NULL, &loaded, &error));
    return loaded;
}

static uint64_t
total_of (const PvProfile *profile, const char *name)
{
    PvMeasureId m = pv_profile_find_measure (profile, name);
    g_assert_cmpuint (m, <, profile->n_weights);
    return profile->measures[m].total;
}

static uint64_t
weigh (const PvProfile *profile, const char *name, double start_s, double end_s)
{
    g_auto (PvQuery) query = new_query ();
    uint64_t total;
    query.measure = pv_profile_find_measure (profile, name);
    query.start_ns = (uint64_t)(start_s * 1e9);
    query.end_ns = (uint64_t)(end_s * 1e9);
    g_free (weigh_stacks (profile, &query, &total));
    return total;
}

static bool
has_note_with (const PvProfile *profile, const char *text)
{
    for (uint32_t i = 0; i < profile->n_notes; i++)
        if (strstr (profile->notes[i].text, text) != NULL)
            return true;
    return false;
}

/* In whatever order they are given, and however many threads there are. */
TEST (series)
{
    g_auto (Folder) folder = folder_new ();
    const char *paths[6] = {NULL};
    paths[0] = add_dump (&folder, "p.7.2.i2.heap", (unsigned[]){30, 5, 0}, 3, 1700000004500);
    paths[1] = add_dump (&folder, "p.7.10.f.heap", (unsigned[]){10, 5, 40}, 3, 1700000009000);
    paths[2] = add_dump (&folder, "p.7.0.i0.heap", (unsigned[]){10, 0, 0}, 3, 1700000001000);
    paths[3] = add_dump (&folder, "p.7.1.i1.heap", (unsigned[]){20, 5, 0}, 3, 1700000002000);
    paths[4] = add_dump (&folder, "p.7.3.m0.heap", (unsigned[]){0, 7, 40}, 3, 1700000005000);
    for (unsigned n_workers = 0; n_workers < 5; n_workers++) {
        g_auto (Loaded) loaded = load_well (paths, PV_TOGETHER_SERIES, n_workers);
        const PvProfile *profile = loaded.profile;
        static const char *const names[] = {"p.7.0.i0.heap", "p.7.1.i1.heap", "p.7.2.i2.heap",
                                            "p.7.3.m0.heap", "p.7.10.f.heap"};
        g_assert_cmpuint (profile->n_dumps, ==, 5);
        g_assert_true (profile->has_dump_times);
        for (unsigned d = 0; d < 5; d++)
            g_assert_cmpstr (profile->dumps[d].name, ==, names[d]);
        g_assert_cmpint (profile->dumps[4].recorded_at, ==, 1700000009);
        g_assert_cmpuint (profile->duration_ns, ==, UINT64_C (8000000000));
        g_assert_cmpuint (total_of (profile, "inuse_space"), ==, 55 * 1024);
        g_assert_cmpuint (total_of (profile, "inuse_space-increase"), ==, 45 * 1024);
        g_assert_cmpuint (total_of (profile, "inuse_space-decrease"), ==, 0);
        g_assert_cmpuint (total_of (profile, "inuse_objects"), ==, 55);
        /* From the second to the fourth dump. */
        g_assert_cmpuint (weigh (profile, "inuse_space", 1, 8), ==, 47 * 1024);
        g_assert_cmpuint (weigh (profile, "inuse_space-increase", 1, 8), ==, 42 * 1024);
        g_assert_cmpuint (weigh (profile, "inuse_space-decrease", 1, 8), ==, 20 * 1024);
        g_assert_cmpuint (weigh (profile, "inuse_space-growth", 1, 8), ==, 62 * 1024);
        g_assert_cmpuint (profile->n_modules, ==, 2);
        g_assert_cmpuint (profile->n_samples, ==, 1 + 2 + 2 + 2 + 3);
        g_assert_nonnull (loaded.symbols);
    }
}

TEST (pprof)
{
    static const int64_t second = 1000000000;
    g_auto (Folder) folder = folder_new ();
    const char *paths[4] = {NULL};
    paths[0] = add_pprof (&folder, "b.pb", "inuse_space", "abcd", 100 * second, 100, 7);
    paths[1] = add_pprof (&folder, "c.pb", "inuse_space", "abcd", 90 * second, 40, 9);
    paths[2] = add_pprof (&folder, "a.pb", "inuse_space", "abcd", 130 * second, 150, 7);
    g_auto (Loaded) loaded = load_well (paths, PV_TOGETHER_SERIES, 2);
    const PvProfile *profile = loaded.profile;
    g_assert_cmpuint (profile->n_dumps, ==, 3);
    g_assert_true (profile->has_dump_times);
    g_assert_cmpstr (profile->dumps[0].name, ==, "c.pb");
    g_assert_cmpstr (profile->dumps[2].name, ==, "a.pb");
    g_assert_cmpuint (profile->duration_ns, ==, 40 * second);
    g_assert_cmpuint (total_of (profile, "inuse_space"), ==, 157);
    g_assert_cmpuint (weigh (profile, "inuse_space-increase", 0, 30), ==, 60);
    g_assert_cmpuint (weigh (profile, "inuse_space-decrease", 0, 30), ==, 2);
    /* Two functions with names of their own, whatever file they came from. */
    g_assert_cmpuint (profile->n_locations, ==, 3);
    g_assert_cmpuint (profile->n_stacks, ==, 3);

    g_auto (Loaded) merged = load_well (paths, PV_TOGETHER_MERGED, 2);
    g_assert_cmpuint (merged.profile->n_dumps, ==, 0);
    g_assert_cmpuint (total_of (merged.profile, "inuse_space"), ==, 100 + 7 + 40 + 9 + 150 + 7);
    g_assert_cmpint (merged.profile->facts.recorded_at, ==, 90);
}

/* Many files on many threads give what each gives alone. */
TEST (many)
{
    enum { N = 120 };
    g_auto (Folder) folder = folder_new ();
    const char *paths[N + 1] = {NULL};
    for (unsigned i = 0; i < N; i++) {
        g_autofree char *name = g_strdup_printf ("p.7.%u.i%u.heap", i, i);
        unsigned kib[40];
        for (unsigned k = 0; k < 40; k++)
            kib[k] = (i * 7 + k * k) % 23;
        paths[(i * 37) % N] = add_dump (&folder, name, kib, 40, 0);
    }
    for (unsigned i = 0; i < N; i++)
        set_time (paths[i], 1700000000000);
    g_auto (Loaded) loaded = load_well (paths, PV_TOGETHER_SERIES, 8);
    const PvProfile *profile = loaded.profile;
    g_assert_cmpuint (profile->n_dumps, ==, N);
    g_assert_false (profile->has_dump_times);
    for (unsigned i = 0; i < N; i++) {
        uint64_t expected = 0;
        for (unsigned k = 0; k < 40; k++)
            expected += (i * 7 + k * k) % 23 * 1024;
        g_assert_cmpuint (profile->dumps[i].time_ns, ==, (i + 1) * UINT64_C (1000000000));
        g_assert_cmpuint (weigh (profile, "inuse_space", i, i + 1), ==, expected);
    }
}

/* A damaged file in the middle is left out and said; if all are, the first one's error counts. */
TEST (damaged)
{
    g_auto (Folder) folder = folder_new ();
    const char *paths[5] = {NULL};
    paths[0] = add_dump (&folder, "p.7.0.i0.heap", (unsigned[]){1}, 1, 1700000001000);
    paths[1] = folder_add (&folder, "p.7.1.i1.heap", "nothing", 7);
    paths[2] = add_dump (&folder, "p.7.2.i2.heap", (unsigned[]){3}, 1, 1700000003000);
    paths[3] = "/nowhere/p.7.3.i3.heap";
    Loaded loaded = load_well (paths, PV_TOGETHER_SERIES, 3);
    g_assert_cmpuint (loaded.profile->n_dumps, ==, 2);
    g_assert_cmpuint (total_of (loaded.profile, "inuse_space-increase"), ==, 2 * 1024);
    g_assert_true (has_note_with (loaded.profile, "p.7.1.i1.heap was left out: "));
    g_assert_true (has_note_with (loaded.profile, "p.7.3.i3.heap was left out: "));
    loaded_clear (&loaded);

    assert_error (error, load (paths + 3, PV_TOGETHER_SERIES, 3, NULL, &loaded, &error),
                  PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND);
    g_assert_null (loaded.profile);
}

static void *
cancel_soon (void *data)
{
    PvJob *job = data;
    double fraction = 0;
    for (int i = 0; i < 2000 && !(fraction > 0.3); i++) {
        pv_job_get_progress (job, &fraction);
        g_assert_cmpfloat (fraction, <=, 1);
        g_usleep (20);
    }
    pv_job_cancel (job);
    return NULL;
}

/* A full disk leaves many empty dumps: one note for all of them. */
LARGE_TEST (many_empty)
{
    g_auto (Folder) folder = folder_new ();
    const char *paths[301] = {NULL};
    unsigned n_notes = 0;
    paths[0] = add_dump (&folder, "p.7.0.i0.heap", (unsigned[]){1}, 1, 1700000001000);
    for (unsigned i = 1; i < 300; i++) {
        g_autofree char *name = g_strdup_printf ("p.7.%u.i%u.heap", i, i);
        paths[i] = folder_add (&folder, name, "", 0);
    }
    g_auto (Loaded) loaded = load_well (paths, PV_TOGETHER_SERIES, 300);
    for (unsigned i = 0; i < loaded.profile->n_notes; i++)
        n_notes += strstr (loaded.profile->notes[i].text, "left out") != NULL;
    g_assert_cmpuint (n_notes, ==, 1);
    g_assert_true (has_note_with (loaded.profile,
                                  "p.7.1.i1.heap and 298 other files were left out: "
                                  "The file is empty"));
}

/* Before it began, and at any time. */
TEST (cancel)
{
    enum { N = 60 };
    g_auto (Folder) folder = folder_new ();
    const char *paths[N + 1] = {NULL};
    for (unsigned i = 0; i < N; i++) {
        g_autofree char *name = g_strdup_printf ("p.7.%u.i%u.heap", i, i);
        unsigned kib[64];
        for (unsigned k = 0; k < 64; k++)
            kib[k] = i + k + 1;
        paths[i] = add_dump (&folder, name, kib, 64, 0);
    }
    for (int round = 0; round < 6; round++) {
        g_autoptr (PvJob) job = pv_job_new ();
        g_autoptr (GError) error = NULL;
        g_auto (Loaded) loaded;
        pthread_t thread;
        if (round == 0)
            pv_job_cancel (job);
        else
            g_assert_cmpint (pthread_create (&thread, NULL, cancel_soon, job), ==, 0);
        bool is_done = load (paths, PV_TOGETHER_SERIES, 4, job, &loaded, &error);
        if (round > 0)
            pthread_join (thread, NULL);
        g_assert_false (is_done && round == 0);
        if (!is_done)
            g_assert_error (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
    }
}

TEST (heap_traces)
{
    static const char trace[] = "v 10400 3\nx 9 /bin/prog\nm 1 -\nm 1 x 400000 0 100000\n"
                                "t 401010 0\n+ 10 1 10\nc 1\n";
    g_auto (Folder) folder = folder_new ();
    const char *paths[3] = {NULL};
    paths[0] = add_dump (&folder, "p.7.0.i0.heap", (unsigned[]){1}, 1, 0);
    paths[1] = folder_add (&folder, "heaptrack.p.7", trace, strlen (trace));
    for (int how = 0; how < 2; how++) {
        Loaded loaded;
        assert_error (error, load (paths, (PvTogether)how, 2, NULL, &loaded, &error),
                      G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
    }
}

/* --- groups ----------------------------------------------------------------------------------- */

/* "*a b | c": names without folders; a star before a series. */
static char *
describe_groups (const char *const *paths)
{
    g_autoptr (GPtrArray) groups = pv_load_group_files (paths, NULL);
    GString *text = g_string_new (NULL);
    for (guint g = 0; g < groups->len; g++) {
        const PvFileGroup *group = groups->pdata[g];
        g_string_append (text, g > 0 ? " | " : "");
        g_string_append (text, group->is_series ? "*" : "");
        g_assert_true (group->is_series || g_strv_length (group->paths) == 1);
        for (char **path = group->paths; *path != NULL; path++) {
            g_autofree char *name = g_path_get_basename (*path);
            g_string_append_printf (text, "%s%s", path > group->paths ? " " : "", name);
        }
    }
    return g_string_free (text, FALSE);
}

TEST (groups)
{
    g_auto (Folder) folder = folder_new ();
    const char *paths[16] = {NULL};
    unsigned n = 0;
    paths[n++] = add_dump (&folder, "p.7.10.i10.heap", (unsigned[]){1}, 1, 0);
    paths[n++] = add_pprof (&folder, "cpu.pb", "cpu", "abcd", 0, 1, 2);
    paths[n++] = add_dump (&folder, "p.7.9.i9.heap", (unsigned[]){1}, 1, 0);
    paths[n++] = add_dump (&folder, "p.8.9.i9.heap", (unsigned[]){1}, 1, 0);
    paths[n++] = add_pprof (&folder, "late.pb", "inuse_space", "abcd", 2000000000, 1, 2);
    paths[n++] = folder_add (&folder, "p.7.3.i3.heap", "", 0); /* named like them, but empty */
    paths[n++] = add_pprof (&folder, "early.pb", "inuse_space", "abcd", 1000000000, 1, 2);
    paths[n++] = add_pprof (&folder, "other.pb", "inuse_space", "ffff", 1500000000, 1, 2);
    paths[n++] = add_pprof (&folder, "cpu2.pb", "cpu", "abcd", 0, 1, 2);
    paths[n++] = folder_add (&folder, "q.7.3.i3.heap", "x", 1);
    paths[n++] = folder_add (&folder, "q.7.4.i4.heap", "x", 1);
    paths[n++] = "/nowhere/at.all";
    assert_string (describe_groups (paths),
                   "*p.7.3.i3.heap p.7.9.i9.heap p.7.10.i10.heap | cpu.pb | p.8.9.i9.heap | "
                   "*early.pb late.pb | other.pb | cpu2.pb | q.7.3.i3.heap | q.7.4.i4.heap | "
                   "at.all");
}

TEST (folders)
{
    Folder folder = folder_new ();
    add_dump (&folder, "p.7.10.i10.heap", (unsigned[]){1}, 1, 0);
    add_dump (&folder, "p.7.2.i2.heap", (unsigned[]){1}, 1, 0);
    folder_add (&folder, "p.7.3.i3.heap", "cut", 3);
    folder_add (&folder, "README", "text", 4);
    const char *const paths[] = {folder.path, "/nowhere/cpu.pb", NULL};
    assert_string (describe_groups (paths),
                   "*p.7.2.i2.heap p.7.3.i3.heap p.7.10.i10.heap | cpu.pb");

    const char *const alone[] = {folder.path, NULL};
    Loaded loaded = load_well (alone, PV_TOGETHER_SERIES, 2);
    g_assert_cmpuint (loaded.profile->n_dumps, ==, 2);
    loaded_clear (&loaded);

    /* One that is a recording, or has nothing to read, stays what it is. */
    folder_add (&folder, "data", "PERFILE2", 8);
    g_autofree char *recording = describe_groups (alone);
    g_autofree char *name = g_path_get_basename (folder.path);
    g_assert_cmpstr (recording, ==, name);
    folder_clear (&folder);

    folder = folder_new ();
    folder_add (&folder, "README", "text", 4);
    const char *const useless[] = {folder.path, NULL};
    g_autofree char *nothing = describe_groups (useless);
    g_autofree char *useless_name = g_path_get_basename (folder.path);
    g_assert_cmpstr (nothing, ==, useless_name);
    folder_clear (&folder);
}

/* Folders that are opened in the window: paths below them, then what is left out. */
static char *
describe_content (const char *folder)
{
    g_autoptr (PvFolderContent) content = pv_folder_content_find (folder, NULL);
    GString *text = g_string_new (NULL);
    if (content == NULL)
        return g_string_free (g_string_append (text, "none"), FALSE);
    for (char **path = content->paths; *path != NULL; path++)
        g_string_append_printf (text, "%s\n", *path + strlen (folder) + 1);
    for (guint i = 0; i < content->left_out->len; i++) {
        const PvLeftOut *left_out = content->left_out->pdata[i];
        g_string_append_printf (text, "%s: %s\n", left_out->path + strlen (folder) + 1,
                                left_out->what);
    }
    g_assert_cmpuint (content->n_left_out, ==, content->left_out->len);
    g_string_append (text, content->is_cut ? "cut\n" : "");
    return g_string_free (text, FALSE);
}

TEST (folder_contents)
{
    static const char elf[] = "\177ELF\2\1\1";
    g_auto (Folder) folder = folder_new ();
    g_autofree char *recorded = g_build_filename (folder.path, "runs", "perf", NULL);
    g_autofree char *back = g_build_filename (folder.path, "runs", "back", NULL);
    add_pprof (&folder, "cpu10.pb", "cpu", "abcd", 0, 1, 2);
    add_pprof (&folder, "cpu9.pb", "cpu", "abcd", 0, 1, 2);
    add_dump (&folder, "p.7.2.i2.heap", (unsigned[]){1}, 1, 0);
    folder_add (&folder, "p.7.3.i3.heap", "cut", 3);
    folder_add (&folder, "notes.txt", "text\n", 5);
    folder_add (&folder, ".hidden.pb", "text\n", 5);
    folder_add (&folder, "program", elf, sizeof elf);
    g_assert_cmpint (g_mkdir_with_parents (recorded, 0700), ==, 0);
    folder_add (&folder, "runs/perf/data", "PERFILE2", 8);
    folder_add (&folder, "runs/cpu.pb", "text\n", 5);
    g_assert_cmpint (symlink (folder.path, back), ==, 0);
    assert_string (describe_content (folder.path),
                   "cpu9.pb\ncpu10.pb\np.7.2.i2.heap\np.7.3.i3.heap\nruns/perf\n"
                   "notes.txt: This is text, but not a profile in a known format\n"
                   "program: This is a program or library (ELF), not a profile\n"
                   "runs/cpu.pb: This is text, but not a profile in a known format\n");
    /* A recording of perf, files, and what is not there. */
    assert_string (describe_content (recorded), "none");
    assert_string (describe_content ("/nowhere"), "none");
    /* Files inside go first: the folder itself is the fixture's. */
    g_assert_cmpint (g_unlink (back), ==, 0);
    g_autofree char *below = g_build_filename (folder.path, "runs", NULL);
    remove_tree (below);
}

TEST (is_profile)
{
    g_auto (Folder) folder = folder_new ();
    g_autofree char *dump = NULL;
    size_t size;
    const char *path = add_dump (&folder, "p.7.1.i1.heap", (unsigned[]){1}, 1, 0);
    g_file_get_contents (path, &dump, &size, NULL);
    g_autoptr (GByteArray) plain = g_byte_array_new_take ((guint8 *)g_steal_pointer (&dump), size);
    g_assert_true (pv_load_is_profile (plain->data, plain->len));
    g_autoptr (GByteArray) packed = gzip_bytes (plain);
    g_assert_true (pv_load_is_profile (packed->data, packed->len));
    g_assert_false (pv_load_is_profile ("<html>", 6));
    g_assert_false (pv_load_is_profile ("", 0));
}
