/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the reader for a file. Packed files (gzip, zstd, xz, bzip2) are recognized by their magic
 * numbers, whatever their names are, and their content by its first bytes.
 */
#include "core/read/readers.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "core/read/foreign.h"
#include "core/read/unpack/unpack.h"

#define SNIFF_BYTES          65536u
#define MOST_SNIFFED_BYTES   (SNIFF_BYTES << 8)
#define DEFAULT_MAX_UNPACKED (UINT64_C (4) << 30)
#define DEFAULT_MAX_STREAMED (UINT64_C (256) << 30)

#define ADDRESS(name) &pv_##name##_reader,
static const PvReader *const readers[] = {PV_READERS (ADDRESS)};

/* Takes the names. */
static char *
join_names (GPtrArray *names)
{
    g_assert (names->len > 1);
    g_autofree char *last = g_ptr_array_steal_index (names, names->len - 1);
    g_ptr_array_add (names, NULL);
    g_autofree char *others = g_strjoinv (", ", (char **)names->pdata);
    g_ptr_array_unref (names);
    /* Translators: several things with commas, and the last one */
    return g_strdup_printf (_ ("%s and %s"), others, last);
}

static void
add_names (GPtrArray *names, const char *text)
{
    if (text == NULL)
        return;
    g_auto (GStrv) parts = g_strsplit (text, ", ", -1);
    for (unsigned i = 0; parts[i] != NULL; i++)
        g_ptr_array_add (names, g_strdup (parts[i]));
}

void
pv_readers_describe (char **ret_recordings, char **ret_profiles, char **ret_others)
{
    GPtrArray *recordings = g_ptr_array_new_with_free_func (g_free);
    GPtrArray *profiles = g_ptr_array_new_with_free_func (g_free);
    GPtrArray *others = g_ptr_array_new_with_free_func (g_free);
    for (size_t i = 0; i < G_N_ELEMENTS (readers); i++) {
        add_names (recordings, readers[i]->recordings);
        add_names (profiles, readers[i]->profiles);
        if (readers[i]->others != NULL)
            g_ptr_array_add (others, g_strdup (_ (readers[i]->others)));
    }
    *ret_recordings = join_names (recordings);
    *ret_profiles = join_names (profiles);
    *ret_others = join_names (others);
}

static const PvReader *
sniff (const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < G_N_ELEMENTS (readers); i++)
        if (readers[i]->sniff (data, size))
            return readers[i] != &pv_folded_reader || !pv_foreign_is_text (data, size) ? readers[i]
                                                                                       : NULL;
    return NULL;
}

/* Text may have a first line, or a first list of JSON, that is longer than what is looked at of
 * other files. */
static const PvReader *
sniff_more (PvUnpackStream *stream)
{
    const PvReader *reader = NULL;
    size_t size = SNIFF_BYTES;
    for (size_t most = SNIFF_BYTES; size == most && most < MOST_SNIFFED_BYTES && reader == NULL;) {
        most <<= 4;
        const uint8_t *data = pv_unpack_stream_peek (stream, most, &size);
        reader = sniff (data, size);
    }
    return reader;
}

static const PvReader *
find_reader (PvUnpackStream *stream, GError **error)
{
    size_t size;
    const uint8_t *data = pv_unpack_stream_peek (stream, SNIFF_BYTES, &size);
    if (size == 0 && pv_unpack_stream_get_end (stream) == PV_UNPACK_DAMAGED)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT, _ ("The compressed file is damaged"));
    if (size == 0)
        return pv_read_fail (error, PV_READ_ERROR_UNKNOWN_FORMAT, _ ("The file is empty"));
    const PvReader *reader = sniff (data, size);
    if (reader != NULL)
        return reader;
    g_autofree char *message = pv_foreign_describe (data, size);
    if (size == SNIFF_BYTES && memchr (data, 0, size) == NULL)
        reader = sniff_more (stream);
    if (reader != NULL)
        return reader;
    return pv_read_fail (error, PV_READ_ERROR_UNKNOWN_FORMAT, "%s", message);
}

static bool
unpack_and_read (const PvReader *reader, PvMappedFile *file, const char *path, PvPacking packing,
                 uint64_t max_unpacked_bytes, PvProfileBuilder *builder,
                 const PvReadContext *context, GError **error)
{
    if (packing == PV_PACKING_NONE)
        return pv_reader_read (reader, file, NULL, path, builder, context, error);

    bool is_truncated = false;
    g_autoptr (PvMappedFile) unpacked =
        pv_unpack (file, packing, max_unpacked_bytes, context->job, &is_truncated, error);
    if (unpacked == NULL)
        return false;
    if (is_truncated)
        pv_note_truncated (builder, _ ("The compressed file is damaged or truncated. The part that "
                                       "could be unpacked is shown."));
    return pv_reader_read (reader, unpacked, NULL, path, builder, context, error);
}

static bool
read_file (PvMappedFile *file, const char *path, uint64_t max_unpacked_bytes,
           PvProfileBuilder *builder, const PvReadContext *given, GError **error)
{
    PvPacking packing =
        pv_unpack_sniff (pv_mapped_file_get_data (file), pv_mapped_file_get_size (file));
    uint64_t max_streamed = max_unpacked_bytes > 0 ? max_unpacked_bytes : DEFAULT_MAX_STREAMED;
    uint64_t max_in_memory = max_unpacked_bytes > 0 ? max_unpacked_bytes : DEFAULT_MAX_UNPACKED;
    g_autoptr (PvUnpackStream) stream = pv_unpack_stream_new (file, packing, max_streamed);
    const PvReader *reader = find_reader (stream, error);
    if (reader == NULL)
        return false;
    PvReadContext limited = *given, *context = &limited;
    limited.max_unpacked_bytes = max_in_memory;
    if (reader->keeps_all)
        pv_unpack_stream_set_max (stream, max_in_memory);
    if (reader->read_stream != NULL)
        return pv_reader_read (reader, file, stream, path, builder, context, error);
    g_clear_pointer (&stream, pv_unpack_stream_free);
    return unpack_and_read (reader, file, path, packing, max_in_memory, builder, context, error);
}

bool
pv_read (const char *path, uint64_t max_unpacked_bytes, PvProfileBuilder *builder,
         const PvReadContext *context, GError **error)
{
    g_assert (path != NULL && builder != NULL && context != NULL);
    g_assert (error == NULL || *error == NULL);
    pv_job_set_stage (context->job, PV_STAGE_OPEN, 0);
    struct stat status;
    g_autofree char *main_path = NULL;
    if (stat (path, &status) == 0 && S_ISDIR (status.st_mode)) {
        /* A directory written by perf record. */
        main_path = g_build_filename (path, "data", NULL);
        if (stat (main_path, &status) != 0)
            return pv_read_fail (error, PV_READ_ERROR_UNKNOWN_FORMAT,
                                 _ ("This folder is not a recording: it has no file “data”"));
        path = main_path;
    }
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, error);
    return file != NULL && read_file (file, path, max_unpacked_bytes, builder, context, error);
}

const PvReader *
pv_read_find_reader (PvMappedFile *file)
{
    g_assert (file != NULL);
    PvPacking packing =
        pv_unpack_sniff (pv_mapped_file_get_data (file), pv_mapped_file_get_size (file));
    g_autoptr (PvUnpackStream) stream = pv_unpack_stream_new (file, packing, DEFAULT_MAX_STREAMED);
    return find_reader (stream, NULL);
}

bool
pv_read_bytes (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context,
               GError **error)
{
    g_assert (file != NULL && builder != NULL && context != NULL);
    return read_file (file, NULL, 0, builder, context, error);
}
