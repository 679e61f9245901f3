/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorts lines without keeping them all in memory: a walk over the tree with siblings ordered by
 * name gives sorted lines, except if the name of one sibling starts with the name of another ("f"
 * and "f(int)": ';' sorts after '('). Only the subtrees of these siblings are converted to text and
 * sorted.
 */
#include "core/write/folded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/intern.h"

enum { LINES_PER_CHECK = 4096 };

typedef struct {
    uint32_t parent;
    PvStringId name;
    int64_t weight;
} Node;

/* A level of the walk: the children still to visit. */
typedef struct {
    uint32_t next; /* index in child */
    uint32_t end;
    size_t path_length; /* of the parent, in bytes */
} Place;

struct PvFoldedWriter {
    PvInterner *names;
    PvIdMap node_ids; /* parent << 32 | name */
    PV_ARRAY (Node) nodes;

    /* Used while writing. */
    uint32_t *first_child; /* per node, index in child */
    uint32_t *child;
    GString *path;
    GString *scratch;
    FILE *file;
};

PvFoldedWriter *
pv_folded_writer_new (void)
{
    PvFoldedWriter *writer = g_new0 (PvFoldedWriter, 1);
    writer->names = pv_interner_new ();
    writer->path = g_string_new (NULL);
    writer->scratch = g_string_new (NULL);
    Node root = {0};
    pv_array_push (&writer->nodes, root);
    return writer;
}

void
pv_folded_writer_free (PvFoldedWriter *writer)
{
    if (writer == NULL)
        return;
    pv_interner_free (writer->names);
    pv_id_map_clear (&writer->node_ids);
    pv_array_clear (&writer->nodes);
    g_free (writer->first_child);
    g_free (writer->child);
    g_string_free (writer->path, TRUE);
    g_string_free (writer->scratch, TRUE);
    g_free (writer);
}

uint32_t
pv_folded_writer_node (PvFoldedWriter *writer, uint32_t parent, const char *name)
{
    g_assert (name != NULL);
    g_string_truncate (writer->scratch, 0);
    for (const char *p = *name != '\0' ? name : "??"; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        g_string_append_c (writer->scratch, c == ';' ? ':' : c < 0x20 || c == 0x7f ? ' ' : (char)c);
    }
    PvStringId id = pv_interner_add_len (writer->names, writer->scratch->str, writer->scratch->len);
    uint32_t *slot = pv_id_map_slot (&writer->node_ids, (uint64_t)parent << 32 | id);
    if (*slot == 0) {
        *slot = (uint32_t)writer->nodes.len;
        Node node = {parent, id, 0};
        pv_array_push (&writer->nodes, node);
    }
    return *slot;
}

void
pv_folded_writer_add (PvFoldedWriter *writer, uint32_t node, int64_t weight)
{
    g_assert (node < writer->nodes.len);
    writer->nodes.data[node].weight += weight;
}

static const char *
name_of (const PvFoldedWriter *writer, uint32_t node)
{
    return pv_interner_get (writer->names, writer->nodes.data[node].name);
}

static int
compare_names (const void *a, const void *b, void *user)
{
    const PvFoldedWriter *writer = user;
    return strcmp (name_of (writer, *(const uint32_t *)a), name_of (writer, *(const uint32_t *)b));
}

static void
sort_children (PvFoldedWriter *writer)
{
    size_t n = writer->nodes.len;
    g_free (writer->first_child);
    g_free (writer->child);
    writer->first_child = g_new0 (uint32_t, n + 2);
    writer->child = g_new (uint32_t, n);
    uint32_t *next = writer->first_child + 1, sum = 0;
    for (size_t i = 1; i < n; i++)
        next[writer->nodes.data[i].parent]++;
    for (size_t i = 0; i < n; i++) {
        uint32_t count = next[i];
        next[i] = sum;
        sum += count;
    }
    for (size_t i = 1; i < n; i++)
        writer->child[next[writer->nodes.data[i].parent]++] = (uint32_t)i;
    for (size_t i = 0; i < n; i++) {
        uint32_t first = writer->first_child[i], n_children = writer->first_child[i + 1] - first;
        if (n_children > 1)
            qsort_r (writer->child + first, n_children, sizeof (uint32_t), compare_names, writer);
    }
}

static void
enter (PvFoldedWriter *writer, uint32_t node)
{
    if (writer->path->len > 0)
        g_string_append_c (writer->path, ';');
    g_string_append (writer->path, name_of (writer, node));
}

/* The end of the children whose names start with that of the first one. */
static uint32_t
end_of_prefix (const PvFoldedWriter *writer, uint32_t first, uint32_t end)
{
    const char *prefix = name_of (writer, writer->child[first]);
    uint32_t i = first + 1;
    while (i < end && g_str_has_prefix (name_of (writer, writer->child[i]), prefix))
        i++;
    return i;
}

static void
collect_line (PvFoldedWriter *writer, uint32_t node, GPtrArray *lines)
{
    if (writer->nodes.data[node].weight != 0)
        g_ptr_array_add (lines, g_strdup_printf ("%s %" G_GINT64_FORMAT "\n", writer->path->str,
                                                 writer->nodes.data[node].weight));
}

static int
compare_lines (const void *a, const void *b)
{
    return strcmp (*(char *const *)a, *(char *const *)b);
}

/* Visits the subtrees of children [first, end) of a node and adds their lines to lines. */
static void
collect_lines (PvFoldedWriter *writer, uint32_t first, uint32_t end, GPtrArray *lines)
{
    PV_ARRAY (Place) places = {0};
    Place top = {first, end, writer->path->len};
    pv_array_push (&places, top);
    while (places.len > 0) {
        Place *place = &places.data[places.len - 1];
        g_string_truncate (writer->path, place->path_length);
        if (place->next == place->end) {
            places.len--;
            continue;
        }
        uint32_t node = writer->child[place->next++];
        enter (writer, node);
        collect_line (writer, node, lines);
        Place below = {writer->first_child[node], writer->first_child[node + 1], writer->path->len};
        pv_array_push (&places, below);
    }
    pv_array_clear (&places);
}

static void
write_sorted (PvFoldedWriter *writer, uint32_t first, uint32_t end)
{
    g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
    size_t path_length = writer->path->len;
    collect_lines (writer, first, end, lines);
    g_string_truncate (writer->path, path_length);
    if (lines->len > 1)
        qsort (lines->pdata, lines->len, sizeof (char *), compare_lines);
    for (guint i = 0; i < lines->len; i++)
        fputs (lines->pdata[i], writer->file);
}

static bool
write_lines (PvFoldedWriter *writer, PvJob *job, GError **error)
{
    PV_ARRAY (Place) places = {0};
    Place top = {writer->first_child[0], writer->first_child[1], 0};
    pv_array_push (&places, top);
    unsigned n_steps = 0;
    bool is_cancelled = false;
    while (places.len > 0 && !is_cancelled) {
        Place *place = &places.data[places.len - 1];
        g_string_truncate (writer->path, place->path_length);
        if (place->next == place->end) {
            places.len--;
            continue;
        }
        if (++n_steps % LINES_PER_CHECK == 0)
            is_cancelled = !pv_job_check (job, error);
        uint32_t first = place->next;
        place->next = end_of_prefix (writer, first, place->end);
        if (place->next - first > 1) {
            write_sorted (writer, first, place->next);
            continue;
        }
        uint32_t node = writer->child[first];
        enter (writer, node);
        if (writer->nodes.data[node].weight != 0)
            fprintf (writer->file, "%s %" G_GINT64_FORMAT "\n", writer->path->str,
                     writer->nodes.data[node].weight);
        Place below = {writer->first_child[node], writer->first_child[node + 1], writer->path->len};
        pv_array_push (&places, below);
    }
    pv_array_clear (&places);
    return !is_cancelled;
}

bool
pv_folded_writer_write (PvFoldedWriter *writer, FILE *file, PvJob *job, GError **error)
{
    g_assert (file != NULL);
    writer->file = file;
    g_string_truncate (writer->path, 0);
    sort_children (writer);
    if (!write_lines (writer, job, error))
        return false;
    if (fflush (file) != 0 || ferror (file)) {
        int code = errno;
        g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code),
                             g_strerror (code));
        return false;
    }
    return true;
}
