/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/kept-sources.h"

#define MAX_BYTES ((size_t)32 << 20)

typedef struct {
    char *path;
    PvSourceFile *file; /* NULL: not found */
    size_t n_bytes;
    GList link; /* in by_use */
} Kept;

static void
free_kept (gpointer data)
{
    Kept *kept = data;
    pv_source_file_free (kept->file);
    g_free (kept->path);
    g_free (kept);
}

void
pv_kept_sources_init (PvKeptSources *sources)
{
    g_assert (sources != NULL);
    *sources =
        (PvKeptSources){.files = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_kept)};
    g_queue_init (&sources->by_use);
}

void
pv_kept_sources_clear (PvKeptSources *sources)
{
    g_assert (sources != NULL);
    g_clear_pointer (&sources->files, g_hash_table_unref);
    g_queue_init (&sources->by_use);
}

bool
pv_kept_sources_find (PvKeptSources *sources, const char *path, const PvSourceFile **ret_file)
{
    g_assert (sources != NULL && path != NULL && ret_file != NULL);
    Kept *kept = g_hash_table_lookup (sources->files, path);
    *ret_file = kept != NULL ? kept->file : NULL;
    if (*ret_file != NULL) {
        g_queue_unlink (&sources->by_use, &kept->link);
        g_queue_push_head_link (&sources->by_use, &kept->link);
    }
    return kept != NULL;
}

const PvSourceFile *
pv_kept_sources_add (PvKeptSources *sources, const char *path, PvSourceFile *file)
{
    g_assert (sources != NULL && path != NULL);
    Kept *kept = g_new0 (Kept, 1);
    kept->path = g_strdup (path);
    kept->file = file;
    kept->link.data = kept;
    g_hash_table_insert (sources->files, kept->path, kept);
    if (file == NULL)
        return NULL;
    kept->n_bytes = file->text->size_bytes + file->text->n_lines * sizeof (uint32_t);
    sources->n_bytes += kept->n_bytes;
    g_queue_push_head_link (&sources->by_use, &kept->link);
    while (sources->n_bytes > MAX_BYTES && sources->by_use.length > 1) {
        Kept *oldest = g_queue_pop_tail_link (&sources->by_use)->data;
        sources->n_bytes -= oldest->n_bytes;
        g_hash_table_remove (sources->files, oldest->path);
    }
    return file;
}
