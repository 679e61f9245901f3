#include "many-boxes.h"

#include <glib/gstdio.h>

#include "../../unit/read/perf-writer.h"

#define PID           4000
#define CODE_START    UINT64_C (0x10000000)
#define CODE_BYTES    UINT64_C (256)
#define N_FUNCTIONS   2000u
#define N_LEVELS      80u
#define N_WIDE        50u  /* stacks whose boxes can hold a label */
#define N_NARROW      365u /* and those of a pixel or two */
#define NARROW_WEIGHT 13u
#define PERIOD_NS     100u

static uint64_t
get_address (uint32_t function)
{
    return CODE_START + function % N_FUNCTIONS * CODE_BYTES + 16;
}

/* Leaf first, as the kernel writes chains. Neighbouring stacks have no function in common below
 * the third level, so that no two boxes are one. */
static void
fill_chain (uint64_t *chain, uint32_t stack)
{
    chain[0] = CONTEXT_USER;
    for (uint32_t level = 0; level < N_LEVELS; level++) {
        uint32_t function = level == 0  ? 0
                            : level < 3 ? level * 100 + stack / (level == 1 ? 64 : 8)
                                        : 300 + stack * 7 + level * 31;
        chain[N_LEVELS - level] = get_address (function);
    }
}

static uint32_t
get_weight (uint32_t stack, GRand *random)
{
    return stack % 6 == 0 && stack / 6 < N_WIDE ? (uint32_t)g_rand_int_range (random, 200, 600)
                                                : NARROW_WEIGHT;
}

static char *
make_map (void)
{
    GString *text = g_string_new (NULL);
    for (uint32_t i = 0; i < N_FUNCTIONS; i++)
        g_string_append_printf (text, "%" G_GINT64_MODIFIER "x %x engine::%s::step_%u\n",
                                CODE_START + i * CODE_BYTES, (unsigned)CODE_BYTES,
                                i % 3 == 0   ? "Planner<Row>"
                                : i % 3 == 1 ? "Join"
                                             : "storage::PageCache",
                                i);
    return g_string_free (text, FALSE);
}

char *
bench_make_many_boxes (void)
{
    g_autoptr (Writer) writer = writer_new (false, false);
    g_autoptr (GRand) random = g_rand_new_with_seed (1);
    uint64_t chain[N_LEVELS + 1];
    g_autofree char *map = make_map ();
    g_autofree char *folder = g_dir_make_tmp ("profview-bench-XXXXXX", NULL);
    g_autofree char *tmp = g_build_filename (folder, "tmp", NULL);
    g_autofree char *map_path = g_strdup_printf ("%s/perf-%d.map", tmp, PID);
    g_autofree char *data_path = g_build_filename (folder, "perf.data", NULL);

    writer_attr (writer, &writer_plain_attr, NULL, 0);
    writer_comm (writer, 0, PID, PID, "engine", false);
    writer_mmap (writer, 0, PID, CODE_START, N_FUNCTIONS * CODE_BYTES, 0, "//anon");
    for (uint32_t stack = 0; stack < N_WIDE + N_NARROW; stack++) {
        fill_chain (chain, stack);
        writer_sample (writer, MODE_USER, 100 + stack, PID, PID, chain[1],
                       get_weight (stack, random) * PERIOD_NS, chain, N_LEVELS + 1);
    }
    g_autoptr (GByteArray) data = writer_build (writer);
    if (g_mkdir (tmp, 0700) != 0 || !g_file_set_contents (map_path, map, -1, NULL) ||
        !g_file_set_contents (data_path, (const char *)data->data, data->len, NULL))
        return NULL;
    return g_steal_pointer (&folder);
}

void
bench_remove_many_boxes (const char *folder)
{
    g_autofree char *tmp = g_build_filename (folder, "tmp", NULL);
    g_autofree char *map_path = g_strdup_printf ("%s/perf-%d.map", tmp, PID);
    g_autofree char *data_path = g_build_filename (folder, "perf.data", NULL);

    g_unlink (map_path);
    g_unlink (data_path);
    g_rmdir (tmp);
    g_rmdir (folder);
}
