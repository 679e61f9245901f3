/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/source-cache.h"

#define MAX_BYTES ((size_t)32 << 20)

typedef struct {
    char *path;
    PvSourceFile *file; /* NULL: not found */
    size_t n_bytes;
    GList link; /* in by_use */
} Cached;

static void
free_cached (gpointer data)
{
    Cached *cached = data;
    pv_source_file_free (cached->file);
    g_free (cached->path);
    g_free (cached);
}

void
pv_source_cache_init (PvSourceCache *sources)
{
    g_assert (sources != NULL);
    *sources = (PvSourceCache){
        .files = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_cached)};
    g_queue_init (&sources->by_use);
}

void
pv_source_cache_clear (PvSourceCache *sources)
{
    g_assert (sources != NULL);
    g_clear_pointer (&sources->files, g_hash_table_unref);
    g_queue_init (&sources->by_use);
}

bool
pv_source_cache_find (PvSourceCache *sources, const char *path, const PvSourceFile **ret_file)
{
    g_assert (sources != NULL && path != NULL && ret_file != NULL);
    Cached *cached = g_hash_table_lookup (sources->files, path);
    *ret_file = cached != NULL ? cached->file : NULL;
    if (*ret_file != NULL) {
        g_queue_unlink (&sources->by_use, &cached->link);
        g_queue_push_head_link (&sources->by_use, &cached->link);
    }
    return cached != NULL;
}

const PvSourceFile *
pv_source_cache_add (PvSourceCache *sources, const char *path, PvSourceFile *file)
{
    g_assert (sources != NULL && path != NULL);
    Cached *cached = g_new0 (Cached, 1);
    cached->path = g_strdup (path);
    cached->file = file;
    cached->link.data = cached;
    g_hash_table_insert (sources->files, cached->path, cached);
    if (file == NULL)
        return NULL;
    cached->n_bytes = file->text->size_bytes + file->text->n_lines * sizeof (uint32_t);
    sources->n_bytes += cached->n_bytes;
    g_queue_push_head_link (&sources->by_use, &cached->link);
    while (sources->n_bytes > MAX_BYTES && sources->by_use.length > 1) {
        Cached *oldest = g_queue_pop_tail_link (&sources->by_use)->data;
        sources->n_bytes -= oldest->n_bytes;
        g_hash_table_remove (sources->files, oldest->path);
    }
    return file;
}
