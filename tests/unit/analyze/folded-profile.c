/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folded-profile.h"

#include <stdlib.h>
#include <string.h>

#include "core/model/profile/symbols.h"

#define MAX_MEASURES 4

typedef struct {
    PvProfileBuilder *builder;
    GHashTable *modules;   /* name -> id */
    GHashTable *locations; /* text of a frame -> id */
    GHashTable *threads;
    GHashTable *processes;
    GPtrArray *texts; /* of location id - 1 */
} Maker;

static uint32_t
get_module (Maker *maker, const char *name)
{
    uint32_t id = GPOINTER_TO_UINT (g_hash_table_lookup (maker->modules, name));
    if (id == 0) {
        PvModule module = {
            .path = name, .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_ORDINAL};
        id = pv_profile_builder_add_module (maker->builder, &module);
        g_hash_table_insert (maker->modules, g_strdup (name), GUINT_TO_POINTER (id));
    }
    return id;
}

static char *
split_module (const char *frame, char **ret_name)
{
    const char *mark = strchr (frame, '!');
    *ret_name = g_strdup (mark != NULL ? mark + 1 : frame);
    return mark != NULL ? g_strndup (frame, (gsize)(mark - frame)) : g_strdup ("prog");
}

static PvLocationId
get_location (Maker *maker, const char *frame)
{
    uint32_t id = GPOINTER_TO_UINT (g_hash_table_lookup (maker->locations, frame));
    if (id == 0) {
        g_autofree char *name = NULL;
        g_autofree char *module = split_module (frame, &name);
        id = pv_profile_builder_location (maker->builder, get_module (maker, module),
                                          maker->texts->len + 1, PV_LOCATION_NAMED);
        g_hash_table_insert (maker->locations, g_strdup (frame), GUINT_TO_POINTER (id));
        g_assert_cmpuint (id, ==, maker->texts->len + 1);
        g_ptr_array_add (maker->texts, g_strdup (frame));
    }
    return id;
}

static PvThreadId
get_thread (Maker *maker, int tid)
{
    uint32_t id = GPOINTER_TO_UINT (g_hash_table_lookup (maker->threads, GINT_TO_POINTER (tid)));
    if (id != 0)
        return id;
    int pid = tid / 10;
    uint32_t process =
        GPOINTER_TO_UINT (g_hash_table_lookup (maker->processes, GINT_TO_POINTER (pid)));
    if (process == 0) {
        g_autofree char *name = g_strdup_printf ("proc%d", pid);
        process = pv_profile_builder_add_process (maker->builder, pid, name, 0);
        g_hash_table_insert (maker->processes, GINT_TO_POINTER (pid), GUINT_TO_POINTER (process));
    }
    g_autofree char *name = g_strdup_printf ("thread%d", tid);
    id = pv_profile_builder_add_thread (maker->builder, process, tid, name, 0);
    g_hash_table_insert (maker->threads, GINT_TO_POINTER (tid), GUINT_TO_POINTER (id));
    return id;
}

/* "tenant=red,size=12": texts and numbers. */
static uint32_t
get_label_set (Maker *maker, const char *text)
{
    PvLabel labels[8] = {0};
    g_auto (GStrv) parts = g_strsplit (text, ",", G_N_ELEMENTS (labels));
    uint32_t n = 0;
    for (; parts[n] != NULL; n++) {
        char *value = strchr (parts[n], '=');
        g_assert_nonnull (value);
        *value++ = '\0';
        labels[n].key = pv_profile_builder_string (maker->builder, parts[n]);
        if (g_ascii_isdigit (*value)) {
            labels[n].number = g_ascii_strtoll (value, NULL, 10);
            labels[n].unit = pv_profile_builder_string (maker->builder, "");
        } else {
            labels[n].text = pv_profile_builder_string (maker->builder, value);
        }
    }
    return pv_profile_builder_label_set (maker->builder, labels, n);
}

static void
add_line (Maker *maker, const char *line, unsigned index)
{
    const char *space = strrchr (line, ' ');
    g_assert_nonnull (space);
    g_autofree char *stack_text = g_strndup (line, (gsize)(space - line));
    int tid = 11;
    uint32_t label_set = 0;
    char *labels = strchr (stack_text, '#');
    if (labels != NULL) {
        label_set = get_label_set (maker, labels + 1);
        *labels = '\0';
    }
    char *at = strchr (stack_text, '@');
    if (at != NULL) {
        tid = atoi (at + 1);
        *at = '\0';
        g_strchomp (stack_text);
    }
    PvStackId stack = 0;
    g_auto (GStrv) frames = g_strsplit_set (stack_text, ";", -1);
    for (char **frame = frames; *frame != NULL; frame++)
        stack = pv_profile_builder_stack (maker->builder, stack, get_location (maker, *frame));
    uint64_t weights[MAX_MEASURES] = {0};
    g_auto (GStrv) texts = g_strsplit_set (space + 1, "/", MAX_MEASURES);
    for (unsigned i = 0; texts[i] != NULL; i++)
        weights[i] = g_ascii_strtoull (texts[i], NULL, 10);
    PvNewSample sample = {.time_ns = 1000000 + 1000 * (uint64_t)index,
                          .thread = get_thread (maker, tid),
                          .stack = stack,
                          .label_set = label_set,
                          .cpu = (uint16_t)(index % 4),
                          .stack_end = PV_STACK_END_ROOT};
    pv_profile_builder_add_sample (maker->builder, 0, &sample, weights);
}

/* Cuts ":12" off; names have colons of their own, as in "ns::f". */
static uint32_t
cut_line (char *name)
{
    char *colon = strrchr (name, ':');
    if (colon == NULL || !g_ascii_isdigit (colon[1]))
        return 0;
    *colon = '\0';
    return (uint32_t)atoi (colon + 1);
}

/* Cuts "|file" off. */
static char *
cut_file (char *name)
{
    char *bar = strchr (name, '|');
    if (bar == NULL)
        return g_strdup_printf ("/src/%s.c", name);
    *bar = '\0';
    return g_strdup (bar + 1);
}

static PvFunctionId
get_function (PvSymbolBuilder *builder, const char *name, const char *file, PvModuleId module)
{
    PvFunction function = {.name = name, .file = file, .line = 1, .module = module};
    const char *parameters = strchr (name, '(');
    if (parameters == NULL)
        return pv_symbol_builder_function (builder, &function);
    g_autofree char *short_name = g_strndup (name, (gsize)(parameters - name));
    g_autofree char *raw_name = g_strconcat ("_Z", name, NULL);
    function.short_name = short_name;
    function.raw_name = raw_name;
    return pv_symbol_builder_function (builder, &function);
}

static void
name_location (PvSymbolBuilder *builder, const PvProfile *profile, PvLocationId location,
               const char *text)
{
    g_autofree char *names = NULL;
    g_autofree char *module = split_module (text, &names);
    g_auto (GStrv) chain = g_strsplit_set (names, ">", -1);
    guint n = g_strv_length (chain);
    g_autofree PvFrame *frames = g_new0 (PvFrame, n);
    for (guint i = 0; i < n; i++) {
        uint32_t line = cut_line (chain[i]);
        g_autofree char *file = cut_file (chain[i]);
        frames[n - 1 - i].function =
            get_function (builder, chain[i], file, profile->module_of_location[location]);
        frames[n - 1 - i].file = pv_symbol_builder_string (builder, file);
        frames[n - 1 - i].line = line;
        frames[n - 1 - i].is_inlined = i > 0;
    }
    pv_symbol_builder_set_frames (builder, location, frames, n);
}

static PvSymbolTable *
make_symbols (const Maker *maker, const PvProfile *profile, GRand *random)
{
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (profile);
    guint n = maker->texts->len;
    g_autofree guint *order = g_new (guint, n);
    for (guint i = 0; i < n; i++)
        order[i] = i;
    for (guint i = n; random != NULL && i > 1; i--) {
        guint j = (guint)g_rand_int_range (random, 0, (gint32)i), swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
    for (guint i = 0; i < n; i++)
        name_location (builder, profile, order[i] + 1, maker->texts->pdata[order[i]]);
    return pv_symbol_builder_publish (builder, true);
}

static void
add_measures (Maker *maker, const char *first_line)
{
    static const char *const names[MAX_MEASURES] = {NULL, "second", "third", "fourth"};
    unsigned n = 1;
    for (const char *at = first_line; at != NULL && *at != '\0'; at++)
        n += *at == '/';
    pv_profile_builder_add_set (maker->builder, "samples", false);
    for (unsigned i = 0; i < MIN (n, MAX_MEASURES); i++)
        pv_profile_builder_add_measure (maker->builder, 0, names[i], PV_UNIT_COUNT,
                                        PV_AGGREGATION_SUM);
}

static FoldedProfile
make_profile (const char *text, GRand *random)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    Maker maker = {
        .builder = builder,
        .modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
        .locations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
        .threads = g_hash_table_new (NULL, NULL),
        .processes = g_hash_table_new (NULL, NULL),
        .texts = g_ptr_array_new_with_free_func (g_free),
    };
    g_auto (GStrv) lines = g_strsplit_set (text, "\n", -1);
    add_measures (&maker, lines[0]);
    unsigned index = 0;
    for (char **line = lines; *line != NULL; line++)
        if (**line != '\0')
            add_line (&maker, *line, index++);
    FoldedProfile folded = {.profile = pv_profile_builder_snapshot (builder)};
    folded.symbols = make_symbols (&maker, folded.profile, random);
    g_hash_table_unref (maker.modules);
    g_hash_table_unref (maker.locations);
    g_hash_table_unref (maker.threads);
    g_hash_table_unref (maker.processes);
    g_ptr_array_unref (maker.texts);
    return folded;
}

FoldedProfile
folded_profile_new (const char *text)
{
    return make_profile (text, NULL);
}

FoldedProfile
folded_profile_new_shuffled (const char *text, unsigned seed)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (seed);
    return make_profile (text, random);
}

void
folded_profile_clear (FoldedProfile *folded)
{
    pv_symbol_table_free (folded->symbols);
    pv_profile_free (folded->profile);
    *folded = (FoldedProfile){0};
}

PvFunctionId
folded_profile_find (const FoldedProfile *folded, const char *name)
{
    for (PvFunctionId f = 1; f < folded->symbols->n_functions; f++)
        if (strcmp (folded->symbols->functions[f].name, name) == 0)
            return f;
    return 0;
}

static void
dump_node (const PvCallTree *tree, PvNodeId node, unsigned depth, GString *out)
{
    g_string_append_printf (out, "%u %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", depth,
                            pv_call_tree_get_name (tree, node), tree->self[node],
                            tree->total[node]);
    for (PvNodeId c = tree->first_child[node]; c < tree->first_child[node + 1]; c++)
        dump_node (tree, c, depth + 1, out);
}

char *
folded_dump_tree (const PvCallTree *tree)
{
    GString *out = g_string_new (NULL);
    dump_node (tree, 0, 0, out);
    return g_string_free (out, FALSE);
}

static void
check_levels (const PvCallTree *tree)
{
    g_assert_cmpuint (tree->level_start[0], ==, 0);
    g_assert_cmpuint (tree->level_start[tree->n_levels], ==, tree->n_nodes);
    for (uint32_t level = 0; level < tree->n_levels; level++) {
        g_assert_cmpuint (tree->level_start[level], <, tree->level_start[level + 1]);
        for (PvNodeId n = tree->level_start[level]; n < tree->level_start[level + 1]; n++) {
            if (level > 0) {
                g_assert_cmpuint (tree->parent_of_node[n], >=, tree->level_start[level - 1]);
                g_assert_cmpuint (tree->parent_of_node[n], <, tree->level_start[level]);
            }
            if (n > tree->level_start[level])
                g_assert_cmpuint (tree->left[n], >=, tree->left[n - 1] + tree->total[n - 1]);
        }
    }
}

void
folded_check_tree (const PvCallTree *tree)
{
    g_assert_cmpuint (tree->n_nodes, >=, 1);
    g_assert_cmpuint (tree->parent_of_node[0], ==, PV_NODE_NONE);
    g_assert_cmpuint (tree->first_child[tree->n_nodes], ==, tree->n_nodes);
    for (PvNodeId n = 0; n < tree->n_nodes; n++) {
        uint64_t sum = tree->self[n], left = tree->left[n];
        for (PvNodeId c = tree->first_child[n]; c < tree->first_child[n + 1]; c++) {
            g_assert_cmpuint (tree->parent_of_node[c], ==, n);
            g_assert_cmpuint (tree->left[c], ==, left);
            g_assert_cmpuint (tree->total[c], >, 0);
            if (c > tree->first_child[n])
                g_assert_cmpuint (tree->total[c], <=, tree->total[c - 1]);
            left += tree->total[c];
            sum += tree->total[c];
        }
        g_assert_cmpuint (sum, ==, tree->total[n]);
        if (tree->function_of_node[n] != 0) {
            g_assert_nonnull (tree->frame_of_node[n]);
            g_assert_cmpuint (tree->location_of_node[n], !=, 0);
            g_assert_cmpuint (tree->stack_of_node[n], !=, 0);
        }
    }
    check_levels (tree);
}

char *
folded_random_text (GRand *random, unsigned n_stacks, unsigned n_functions)
{
    GString *text = g_string_new (NULL);
    for (unsigned i = 0; i < n_stacks; i++) {
        unsigned depth = (unsigned)g_rand_int_range (random, 1, 12);
        for (unsigned d = 0; d < depth; d++) {
            unsigned f = (unsigned)g_rand_int_range (random, 0, (gint32)n_functions);
            g_string_append_printf (text, "%s%s!", d > 0 ? ";" : "",
                                    f % 3 == 0 ? "libx.so" : "prog");
            if (f == 6)
                g_string_append (text, "malloc");
            else
                g_string_append_printf (text, "f%u", f);
            if (g_rand_int_range (random, 0, 5) == 0)
                g_string_append_printf (text, ">f%u", (unsigned)g_rand_int_range (random, 0, 4));
        }
        g_string_append_printf (text, "@%d %d\n", g_rand_int_range (random, 10, 40),
                                g_rand_int_range (random, 1, 9));
    }
    return g_string_free (text, FALSE);
}
