/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/save-pack.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/mapped-file.h"
#include "core/base/output.h"
#include "core/model/pack/pack-format.h"
#include "core/symbolize/files/file-roots.h"
#include "core/symbolize/location-weights.h"
#include "core/write/pack/pack.h"

/* --- source code --- */

typedef struct {
    const char *path;
    uint64_t weight;
} HotFile;

typedef PV_ARRAY (HotFile) HotFiles;

/* Whatever a profile says, only such files are put into a pack. */
static bool
is_source_name (const char *path)
{
    static const char *const endings[] = {
        "ada", "adb",   "ads",  "asm", "c",   "cc",   "cl",  "clj", "cpp", "cs",  "cu",  "cxx",
        "c++", "d",     "dart", "erl", "ex",  "f",    "f03", "f08", "f90", "f95", "for", "fs",
        "go",  "h",     "hh",   "hpp", "hs",  "hxx",  "h++", "i",   "inc", "inl", "ipp", "java",
        "jl",  "js",    "jsx",  "kt",  "l",   "ll",   "lua", "m",   "mjs", "ml",  "mli", "mm",
        "nim", "pas",   "php",  "pl",  "pm",  "py",   "pyx", "r",   "rb",  "rs",  "s",   "scala",
        "sx",  "swift", "tcc",  "ts",  "tsx", "vala", "vue", "y",   "zig",
    };
    const char *base = strrchr (path, '/');
    const char *dot = base != NULL ? strrchr (base, '.') : NULL;
    if (dot == NULL || dot == base + 1)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
        if (g_ascii_strcasecmp (dot + 1, endings[i]) == 0)
            return true;
    return false;
}

/* Counts by location the samples of the default measure's set; of a heap, the allocations. */
static uint64_t *
count_samples (const PvProfile *profile)
{
    g_autofree uint64_t *of_stack = g_new0 (uint64_t, profile->n_stacks);
    uint64_t *of_location = g_new0 (uint64_t, profile->n_locations);
    if (profile->heap != NULL) {
        g_autofree uint64_t *self = g_new0 (uint64_t, profile->n_locations);
        pv_location_weights_add (profile, of_location, self);
        return of_location;
    }
    const PvSampleSet *set =
        profile->n_measures > 0 ? pv_profile_get_measure_set (profile, 0) : NULL;
    for (uint32_t i = 0; set != NULL && i < set->n_samples; i++)
        of_stack[set->stack[i]]++;
    for (PvStackId s = profile->n_stacks; s-- > 1;) {
        of_stack[profile->parent_of_stack[s]] += of_stack[s];
        of_location[profile->location_of_stack[s]] += of_stack[s];
    }
    return of_location;
}

static int
compare_files (const void *a, const void *b)
{
    const HotFile *left = a, *right = b;
    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return strcmp (left->path, right->path);
}

static void
add_weight (HotFiles *files, GHashTable *index_of_path, const char *path, uint64_t weight)
{
    if (path == NULL || *path != '/' || !is_source_name (path))
        return;
    size_t index = GPOINTER_TO_SIZE (g_hash_table_lookup (index_of_path, path));
    if (index == 0) {
        HotFile file = {.path = path};
        pv_array_push (files, file);
        index = files->len;
        g_hash_table_insert (index_of_path, (void *)path, GSIZE_TO_POINTER (index));
    }
    files->data[index - 1].weight += weight;
}

/* Lists files, those of the hottest functions first. */
static void
list_files (const PvProfile *profile, const PvSymbolTable *symbols, HotFiles *files)
{
    g_autofree uint64_t *n_samples = count_samples (profile);
    g_autoptr (GHashTable) index_of_path = g_hash_table_new (g_str_hash, g_str_equal);
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (symbols, l, &n_frames);
        for (uint32_t i = 0; i < n_frames && n_samples[l] > 0; i++) {
            const PvFunction *function = &symbols->functions[frames[i].function];
            const char *path = frames[i].file != NULL ? frames[i].file : function->file;
            add_weight (files, index_of_path, path, n_samples[l]);
        }
    }
    if (files->len > 0)
        qsort (files->data, files->len, sizeof (HotFile), compare_files);
}

/* The path without links, if that is inside of the folder, and still the name of source code: links
 * and ".." may lead anywhere. */
static char *
resolve (const char *path, const char *folder)
{
    char *real = realpath (path, NULL), *root = realpath (folder, NULL);
    size_t root_len = root != NULL ? strlen (root) : 0;
    bool is_inside = real != NULL && root != NULL && strncmp (real, root, root_len) == 0 &&
                     (root[root_len - 1] == '/' || real[root_len] == '/') && is_source_name (real);
    char *copy = is_inside ? g_strdup (real) : NULL;
    free (real);
    free (root);
    return copy;
}

/* Where a source file is on this machine: in the folders that the user has named for those of the
 * recorded machine, or, where there are none of these, at its path. NULL: not there. */
static char *
find_source (const PvFileRoots *roots, const char *path)
{
    g_autofree char *mapped = pv_file_roots_map (roots, path);
    char *found = NULL;
    for (size_t i = 0; i < roots->maps.len && mapped != NULL && found == NULL; i++)
        found = resolve (mapped, roots->maps.data[i].to);
    if (found == NULL && roots->sysroot != NULL) {
        g_autofree char *inside = pv_path_in_root (roots->sysroot, path);
        found = inside != NULL ? resolve (inside, roots->sysroot) : NULL;
    }
    bool is_anywhere = roots->sysroot == NULL && roots->maps.len == 0;
    return found == NULL && is_anywhere ? resolve (path, "/") : found;
}

/* Source code that goes into a pack: its name in the profile, and the text, of which one owns it.
 */
typedef struct {
    const PvEmbeddedSource *known; /* came with the profile */
    PvMappedFile *file;            /* is here */
    char *path;                    /* of it */
    const uint8_t *text;
    size_t size_bytes;
} Source;

static void
source_clear (Source *source)
{
    pv_mapped_file_unref (source->file);
    g_free (source->path);
}

/* False if there is none, or no text. */
static bool
open_source (const PvProfile *profile, const PvFileRoots *roots, const char *path, size_t max_bytes,
             Source *source)
{
    *source = (Source){.known = pv_profile_find_source (profile, path)};
    if (source->known != NULL) {
        source->path = g_strdup (path);
        source->text = (const uint8_t *)source->known->text;
        source->size_bytes = source->known->size_bytes;
    } else if ((source->path = find_source (roots, path)) != NULL &&
               (source->file = pv_mapped_file_open (source->path, NULL)) != NULL) {
        source->text = pv_mapped_file_get_data (source->file);
        source->size_bytes = pv_mapped_file_get_size (source->file);
    }
    return source->size_bytes > 0 && source->size_bytes <= MIN (max_bytes, PV_SAVED_SOURCE_BYTES) &&
           memchr (source->text, '\0', source->size_bytes) == NULL;
}

/* Finds the sources, and writes them if there is a pack. Their paths go to `paths`, if there is
 * one. */
static bool
take_sources (const PvProfile *profile, const PvSymbolTable *symbols,
              const PvSymbolOptions *options, PvPackFile *pack, GPtrArray *paths, PvJob *job,
              GError **error)
{
    HotFiles files = {0};
    PvFileRoots roots;
    pv_file_roots_init (&roots, options);
    list_files (profile, symbols, &files);
    size_t n_bytes = 0;
    unsigned n_taken = 0;
    bool continues = true;
    for (size_t i = 0; i < files.len && n_taken < PV_SAVED_SOURCES && continues; i++) {
        Source source;
        bool is_open = open_source (profile, &roots, files.data[i].path,
                                    PV_SAVED_SOURCES_SIZE - n_bytes, &source);
        g_autofree char *copy =
            is_open && pack != NULL ? g_memdup2 (source.text, source.size_bytes) : NULL;
        /* Meanwhile the file may have become shorter. */
        bool is_text = copy != NULL && memchr (copy, '\0', source.size_bytes) == NULL;
        if (is_text)
            pv_pack_write_source (pack, files.data[i].path, copy, source.size_bytes);
        if (is_text || (is_open && pack == NULL)) {
            n_bytes += source.size_bytes;
            n_taken++;
            if (paths != NULL)
                g_ptr_array_add (paths, g_strdup (source.path));
        }
        source_clear (&source);
        continues = pv_job_check (job, error);
    }
    pv_array_clear (&files);
    pv_file_roots_clear (&roots);
    return continues;
}

GPtrArray *
pv_pack_find_sources (const PvProfile *profile, const PvSymbolTable *symbols,
                      const PvSymbolOptions *options, PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && options != NULL);
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    return take_sources (profile, symbols, options, NULL, paths, job, error)
               ? g_steal_pointer (&paths)
               : NULL;
}

/* --- the file --- */

/* NULL, or why the profile cannot be in a pack. */
static const char *
find_hindrance (const PvProfile *profile)
{
    if (profile->compared != NULL)
        return _ ("a pack holds one profile, not a comparison; pack both sides instead");
    if (profile->n_joined > 0)
        return _ ("a pack holds one profile; pack each of those that are shown together");
    return NULL;
}

static bool
write_pack (const PvProfile *profile, const PvSymbolTable *symbols, const PvPackSources *sources,
            PvWriter *out, PvJob *job, GError **error)
{
    uint32_t version = profile->heap != NULL ? PV_PACK_VERSION : PV_PACK_VERSION_PLAIN;
    g_autoptr (PvPackFile) pack = pv_pack_file_new (out, version);
    return pv_pack_write (pack, profile, symbols, job, error) &&
           (sources == NULL ||
            take_sources (profile, symbols, sources->options, pack, sources->paths, job, error)) &&
           pv_pack_file_finish (pack, error);
}

bool
pv_save_pack (const PvProfile *profile, const PvSymbolTable *symbols, const PvPackSources *sources,
              const char *path, PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && path != NULL);
    const char *hindrance = find_hindrance (profile);
    if (hindrance != NULL) {
        g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, hindrance);
        return false;
    }
    PvWriter writer;
    if (!pv_writer_open (&writer, path, error))
        return false;
    bool is_done = write_pack (profile, symbols, sources, &writer, job, error);
    return pv_writer_close (&writer, is_done ? error : NULL) && is_done;
}
