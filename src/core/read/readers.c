/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the reader for a file. Packed files (gzip, zstd, xz, bzip2) are recognized by their magic
 * numbers, whatever their names are, and their content by its first bytes.
 */
#include "core/read/readers.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "core/read/beginning.h"
#include "core/read/folded/folded-line.h"
#include "core/read/foreign.h"
#include "core/read/text/text.h"
#include "core/read/unpack/unpack.h"

#define SNIFF_BYTES          65536u
#define MOST_SNIFFED_BYTES   (SNIFF_BYTES << 8)
#define MAX_FOREIGN_LINES    400u /* before a profile */
#define MAX_LEVELS           4u   /* of a file in a file: headers, packed, text of 16 bits */
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

/* One line with a name and a number may be anything: it is a stack if the name of the file says so,
 * which exports have, or another tool's. */
static bool
is_named_folded (const char *path, const uint8_t *data, size_t size)
{
    static const char *const endings[] = {".folded", ".collapsed"};
    g_autofree char *name = path != NULL ? g_ascii_strdown (path, -1) : g_strdup ("");
    char *packing = strrchr (name, '.');
    if (packing != NULL && (strcmp (packing, ".gz") == 0 || strcmp (packing, ".zst") == 0))
        *packing = '\0';
    for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
        if (g_str_has_suffix (name, endings[i]))
            return folded_sniff_named (data, size) && !pv_foreign_is_text (data, size);
    return false;
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

/* The reader of a file, or the place of another file in it. */
typedef struct {
    const PvReader *reader; /* NULL: see below */
    size_t offset;          /* so many unpacked bytes before the other file */
    bool is_utf16;          /* it is of 16 bits */
} Found;

static const PvReader *find_in_bytes (const uint8_t *data, size_t size, unsigned level);

/* A remark, with which no profile begins. */
static bool
is_remark (const uint8_t *data, size_t size)
{
    PvText text = pv_text (data, size);
    return pv_text_begins (text, "#") && !pv_text_begins (text, "# callgrind format") &&
           !pv_text_begins (text, "# ========");
}

/* True if a profile begins here, after lines of something else. */
static bool
begins_here (const uint8_t *data, size_t size, unsigned level)
{
    if (is_remark (data, size))
        return false;
    if (pv_unpack_sniff (data, size) != PV_PACKING_NONE)
        return find_in_bytes (data, size, level + 1) != NULL;
    for (size_t i = 0; i < G_N_ELEMENTS (readers); i++)
        if (readers[i]->sniff_after_lines != NULL && readers[i]->sniff_after_lines (data, size))
            return true;
    return false;
}

/* Where a profile begins after lines that are none of it: what a program prints, or a collector,
 * before it. 0: nowhere. */
static size_t
skip_lines (const uint8_t *data, size_t size, unsigned level)
{
    static const uint8_t byte_order_mark[] = {0xef, 0xbb, 0xbf};
    size_t offset = 0;
    if (pv_foreign_is_known (data, size))
        return 0;
    if (size > sizeof byte_order_mark &&
        memcmp (data, byte_order_mark, sizeof byte_order_mark) == 0 &&
        begins_here (data + sizeof byte_order_mark, size - sizeof byte_order_mark, level))
        return sizeof byte_order_mark;
    for (unsigned i = 0; i < MAX_FOREIGN_LINES && pv_beginning_next_line (data, size, &offset); i++)
        if (begins_here (data + offset, size - offset, level))
            return offset;
    return 0;
}

/* Looks for text of 16 bits, and for a profile behind what a server said before it. Readers of text
 * might take lines of that for their own, so this comes first. */
static bool
is_wrapped (const uint8_t *data, size_t size, Found *ret)
{
    *ret = (Found){.is_utf16 = pv_beginning_is_utf16 (data, size)};
    if (!ret->is_utf16)
        ret->offset = pv_beginning_skip_headers (data, size);
    return ret->is_utf16 || ret->offset > 0;
}

static bool
find_reader (PvUnpackStream *stream, const char *path, unsigned level, Found *ret, GError **error)
{
    size_t size;
    *ret = (Found){0};
    const uint8_t *data = pv_unpack_stream_peek (stream, SNIFF_BYTES, &size);
    if (size == 0 && pv_unpack_stream_get_end (stream) == PV_UNPACK_DAMAGED)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT, _ ("The compressed file is damaged"));
    if (size == 0)
        return pv_read_fail (error, PV_READ_ERROR_UNKNOWN_FORMAT, _ ("The file is empty"));
    if (level < MAX_LEVELS && is_wrapped (data, size, ret))
        return true;
    ret->reader = sniff (data, size);
    if (ret->reader == NULL && is_named_folded (path, data, size))
        ret->reader = &pv_folded_reader;
    if (ret->reader != NULL)
        return true;
    ret->offset = level < MAX_LEVELS ? skip_lines (data, size, level) : 0;
    if (ret->offset > 0)
        return true;
    g_autofree char *message = pv_foreign_describe (data, size);
    if (size == SNIFF_BYTES && memchr (data, 0, size) == NULL)
        ret->reader = sniff_more (stream);
    if (ret->reader != NULL)
        return true;
    return pv_read_fail (error, PV_READ_ERROR_UNKNOWN_FORMAT, "%s", message);
}

/* The other file in unpacked bytes, or in their beginning. */
static PvMappedFile *
take_part (PvMappedFile *unpacked, const Found *found, PvJob *job, GError **error)
{
    const uint8_t *data = pv_mapped_file_get_data (unpacked);
    size_t size = pv_mapped_file_get_size (unpacked);
    if (found->is_utf16)
        return pv_beginning_recode_utf16 (data, size, job, error);
    return pv_mapped_file_new_part (unpacked, MIN (found->offset, size));
}

/* The reader for a file, by its first bytes. NULL with error. */
static const PvReader *
find_in_file (PvMappedFile *file, unsigned level, GError **error)
{
    Found found;
    size_t size;
    PvPacking packing =
        pv_unpack_sniff (pv_mapped_file_get_data (file), pv_mapped_file_get_size (file));
    g_autoptr (PvUnpackStream) stream = pv_unpack_stream_new (file, packing, DEFAULT_MAX_STREAMED);
    if (!find_reader (stream, pv_mapped_file_get_path (file), level, &found, error))
        return NULL;
    if (found.reader != NULL)
        return found.reader;
    const uint8_t *data = pv_unpack_stream_peek (stream, SNIFF_BYTES, &size);
    g_autoptr (PvMappedFile) first = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    g_autoptr (PvMappedFile) part = take_part (first, &found, NULL, error);
    return part != NULL ? find_in_file (part, level + 1, error) : NULL;
}

static const PvReader *
find_in_bytes (const uint8_t *data, size_t size, unsigned level)
{
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    return find_in_file (file, level, NULL);
}

/* --- reading --- */

typedef struct {
    PvMappedFile *file;
    const char *path;
    uint64_t max_unpacked_bytes; /* 0: the defaults */
    PvProfileBuilder *builder;
    const PvReadContext *context;
    unsigned level;
} Input;

static uint64_t
get_max_in_memory (const Input *input)
{
    return input->max_unpacked_bytes > 0 ? input->max_unpacked_bytes : DEFAULT_MAX_UNPACKED;
}

/* The end of a packed file may be followed by zeros; a program that appends to a file may have
 * written another profile there. */
static bool
check_rest (const Input *input, uint64_t position, GError **error)
{
    size_t size = pv_mapped_file_get_size (input->file), offset = (size_t)MIN (position, size);
    const uint8_t *data = pv_mapped_file_get_data (input->file);
    while (offset < size && data[offset] == 0)
        offset++;
    if (offset == size)
        return true;
    if (find_in_bytes (data + offset, MIN (size - offset, SNIFF_BYTES), input->level) != NULL)
        return pv_reader_fail_several (error);
    pv_note_warning (input->builder,
                     g_dngettext (GETTEXT_PACKAGE,
                                  "Behind the end of the packed file is %" PRIu64
                                  " byte more, which is left out.",
                                  "Behind the end of the packed file are %" PRIu64
                                  " bytes more, which are left out.",
                                  (gulong)(size - offset)),
                     (uint64_t)(size - offset));
    return true;
}

/* The unpacked bytes. NULL with error. */
static PvMappedFile *
unpack (const Input *input, PvPacking packing, GError **error)
{
    bool is_truncated = false;
    uint64_t position = 0;
    if (packing == PV_PACKING_NONE)
        return pv_mapped_file_ref (input->file);
    g_autoptr (PvMappedFile) unpacked =
        pv_unpack (input->file, packing, get_max_in_memory (input), input->context->job,
                   &is_truncated, &position, error);
    if (unpacked == NULL)
        return NULL;
    if (is_truncated)
        pv_note_truncated (input->builder,
                           _ ("The compressed file is damaged or truncated. The part that could be "
                              "unpacked is shown."));
    else if (!check_rest (input, position, error))
        return NULL;
    return g_steal_pointer (&unpacked);
}

static bool
read_stream (const Input *input, const PvReader *reader, PvUnpackStream *stream, bool is_packed,
             GError **error)
{
    if (reader->keeps_all)
        pv_unpack_stream_set_max (stream, get_max_in_memory (input));
    if (!pv_reader_read (reader, input->file, stream, input->path, input->builder, input->context,
                         error))
        return false;
    bool is_complete = pv_unpack_stream_get_end (stream) == PV_UNPACK_COMPLETE;
    return !is_packed || !is_complete ||
           check_rest (input, pv_unpack_stream_get_position (stream), error);
}

static void
note_foreign_lines (const Input *input, const uint8_t *data, size_t offset)
{
    unsigned n = 0;
    for (const uint8_t *at = data; at < data + offset; at++)
        n += *at == '\n';
    if (n == 0)
        return;
    pv_note_info (input->builder,
                  g_dngettext (GETTEXT_PACKAGE,
                               "The file has %u line before the profile, which is left out.",
                               "The file has %u lines before the profile, which are left out.", n),
                  n);
}

static bool read_file (const Input *input, GError **error);

/* Reads what is in the file as another file. The facts are of the one on disk. */
static bool
read_part (const Input *input, PvPacking packing, const Found *found, GError **error)
{
    g_autoptr (PvMappedFile) unpacked = unpack (input, packing, error);
    if (unpacked == NULL)
        return false;
    g_autoptr (PvMappedFile) part = take_part (unpacked, found, input->context->job, error);
    if (part == NULL)
        return false;
    Input inner = *input;
    inner.file = part;
    inner.level++;
    if (!read_file (&inner, error))
        return false;
    PvFacts *facts = pv_profile_builder_facts (input->builder);
    facts->size_bytes = pv_mapped_file_get_size (input->file);
    facts->modified_at = pv_mapped_file_get_mtime (input->file);
    if (found->offset > 0)
        note_foreign_lines (input, pv_mapped_file_get_data (unpacked), found->offset);
    return true;
}

static bool
read_file (const Input *input, GError **error)
{
    PvPacking packing = pv_unpack_sniff (pv_mapped_file_get_data (input->file),
                                         pv_mapped_file_get_size (input->file));
    g_autoptr (PvUnpackStream) stream = pv_unpack_stream_new (
        input->file, packing,
        input->max_unpacked_bytes > 0 ? input->max_unpacked_bytes : DEFAULT_MAX_STREAMED);
    Found found;
    if (!find_reader (stream, pv_mapped_file_get_path (input->file), input->level, &found, error))
        return false;
    if (found.reader != NULL && found.reader->read_stream != NULL)
        return read_stream (input, found.reader, stream, packing != PV_PACKING_NONE, error);
    g_clear_pointer (&stream, pv_unpack_stream_free);
    if (found.reader == NULL)
        return read_part (input, packing, &found, error);
    g_autoptr (PvMappedFile) unpacked = unpack (input, packing, error);
    return unpacked != NULL && pv_reader_read (found.reader, unpacked, NULL, input->path,
                                               input->builder, input->context, error);
}

/* path may be NULL; max_unpacked_bytes 0: the defaults. */
static bool
start_reading (PvMappedFile *file, const char *path, uint64_t max_unpacked_bytes,
               PvProfileBuilder *builder, const PvReadContext *context, GError **error)
{
    PvReadContext limited = *context;
    const Input input = {.file = file,
                         .path = path,
                         .max_unpacked_bytes = max_unpacked_bytes,
                         .builder = builder,
                         .context = &limited};
    limited.max_unpacked_bytes = get_max_in_memory (&input);
    return read_file (&input, error);
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
                                 _ ("There is no profile in this folder"));
        path = main_path;
    }
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, error);
    return file != NULL && start_reading (file, path, max_unpacked_bytes, builder, context, error);
}

const PvReader *
pv_read_find_reader (PvMappedFile *file)
{
    g_assert (file != NULL);
    return find_in_file (file, 0, NULL);
}

char *
pv_read_describe_foreign (PvMappedFile *file, bool *ret_is_known)
{
    g_assert (file != NULL && ret_is_known != NULL);
    g_autoptr (GError) error = NULL;
    size_t size;
    PvPacking packing =
        pv_unpack_sniff (pv_mapped_file_get_data (file), pv_mapped_file_get_size (file));
    g_autoptr (PvUnpackStream) stream = pv_unpack_stream_new (file, packing, DEFAULT_MAX_STREAMED);
    const uint8_t *data = pv_unpack_stream_peek (stream, SNIFF_BYTES, &size);
    *ret_is_known = size > 0 && pv_foreign_is_known (data, size);
    find_in_file (file, 0, &error);
    return error != NULL ? g_strdup (error->message) : pv_foreign_describe (data, size);
}

const PvReader *
pv_read_find_obvious_reader (PvMappedFile *file)
{
    g_assert (file != NULL);
    return find_in_file (file, MAX_LEVELS, NULL);
}

bool
pv_read_bytes (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context,
               GError **error)
{
    g_assert (file != NULL && builder != NULL && context != NULL);
    return start_reading (file, NULL, 0, builder, context, error);
}
