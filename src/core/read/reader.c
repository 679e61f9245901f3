/*
 * Which reader a file is for. Packed files (gzip, zstd, xz, by their magic numbers) are unpacked
 * into memory first, whatever their name is.
 */
#include "core/read/reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "core/read/unpack.h"

#define SNIFF_BYTES          65536u
#define DEFAULT_MAX_UNPACKED (UINT64_C (4) << 30)

static const PvReader *const readers[] = {
    &pv_perf_data_reader,
};

static bool
read_file (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
           const PvReadContext *context, GError **error)
{
    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t size = pv_mapped_file_get_size (file);
    if (size == 0) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_UNKNOWN_FORMAT,
                             _ ("The file is empty"));
        return false;
    }
    for (size_t i = 0; i < G_N_ELEMENTS (readers); i++)
        if (readers[i]->sniff (data, MIN (size, SNIFF_BYTES)))
            return readers[i]->read (file, path, builder, context, error);
    g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_UNKNOWN_FORMAT,
                         _ ("This is no profile of a known format"));
    return false;
}

static bool
unpack_and_read (PvMappedFile *file, const char *path, uint64_t max_unpacked_bytes,
                 PvProfileBuilder *builder, const PvReadContext *context, GError **error)
{
    if (max_unpacked_bytes == 0)
        max_unpacked_bytes = DEFAULT_MAX_UNPACKED;
    PvPacking packing =
        pv_unpack_sniff (pv_mapped_file_get_data (file), pv_mapped_file_get_size (file));
    if (packing == PV_PACKING_NONE)
        return read_file (file, path, builder, context, error);

    bool is_truncated = false;
    g_autoptr (PvMappedFile) unpacked =
        pv_unpack (file, packing, max_unpacked_bytes, context->job, &is_truncated, error);
    if (unpacked == NULL)
        return false;
    if (is_truncated)
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_TRUNCATED_FILE, 0,
                                 _ ("The compressed file is damaged or cut off. What could be "
                                    "unpacked is shown."));
    return read_file (unpacked, path, builder, context, error);
}

bool
pv_read (const char *path, uint64_t max_unpacked_bytes, PvProfileBuilder *builder,
         const PvReadContext *context, GError **error)
{
    pv_job_set_stage (context->job, PV_STAGE_OPEN, 0);
    struct stat status;
    g_autofree char *main_path = NULL;
    if (stat (path, &status) == 0 && S_ISDIR (status.st_mode)) {
        /* A directory that perf record made. */
        main_path = g_build_filename (path, "data", NULL);
        if (stat (main_path, &status) != 0) {
            g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_UNKNOWN_FORMAT,
                                 _ ("This folder is no recording: it has no file “data”"));
            return false;
        }
        path = main_path;
    }
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, error);
    return file != NULL &&
           unpack_and_read (file, path, max_unpacked_bytes, builder, context, error);
}

bool
pv_read_bytes (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context,
               GError **error)
{
    return unpack_and_read (file, NULL, 0, builder, context, error);
}
