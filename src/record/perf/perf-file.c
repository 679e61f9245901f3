/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mappings get their build-ids in place. The command line feature is a u32 count and strings. The
 * new one is appended; in file mode the feature table's entry then points to it. */
#include "record/perf/perf-file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/build-id.h"
#include "core/model/profile/perf-format.h"

enum {
    DATA_SECTION_OFFSET = 40,
    BITMAP_OFFSET = 72,
    RECORD_HEADER_BYTES = 8,
    BLOCK_BYTES = 1 << 16,
    STRING_ALIGNMENT = 64,
    MAX_COMMAND_BYTES = 60000, /* records are limited to 65535 bytes */
};

typedef struct {
    uint32_t type;
    uint16_t misc;
    uint16_t size_bytes;
} RecordHeader;

typedef struct {
    int fd;
    uint64_t size_bytes;
    uint8_t header[PERF_FILE_HEADER_BYTES];
    bool is_stream;
    bool is_complete; /* perf has completed the header; unknown for streams */
    uint64_t data_start, data_end;
} PerfFile;

/* Reading */

static uint64_t
get_u64 (const uint8_t *bytes)
{
    uint64_t value;
    memcpy (&value, bytes, sizeof value);
    return value;
}

static void
close_file (PerfFile *file)
{
    if (file->fd >= 0)
        close (file->fd);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PerfFile, close_file)

static bool
read_layout (PerfFile *file, size_t n_read)
{
    if (n_read < PERF_PIPE_HEADER_BYTES || memcmp (file->header, PERF_MAGIC, 8) != 0)
        return false;
    uint64_t header_bytes = get_u64 (file->header + 8);
    if (header_bytes == PERF_PIPE_HEADER_BYTES) {
        file->is_stream = true;
        file->data_start = PERF_PIPE_HEADER_BYTES;
        file->data_end = file->size_bytes;
        return true;
    }
    if (header_bytes != PERF_FILE_HEADER_BYTES || n_read < PERF_FILE_HEADER_BYTES)
        return false;
    file->data_start = get_u64 (file->header + DATA_SECTION_OFFSET);
    uint64_t data_bytes = get_u64 (file->header + DATA_SECTION_OFFSET + 8);
    if (file->data_start < PERF_FILE_HEADER_BYTES || file->data_start > file->size_bytes ||
        data_bytes > file->size_bytes - file->data_start)
        return false;
    file->is_complete = data_bytes != 0;
    file->data_end = file->is_complete ? file->data_start + data_bytes : file->size_bytes;
    return true;
}

static bool
open_file (const char *path, int flags, PerfFile *ret_file)
{
    *ret_file = (PerfFile){.fd = g_open (path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)};
    struct stat status;
    if (ret_file->fd < 0 || fstat (ret_file->fd, &status) != 0 || !S_ISREG (status.st_mode))
        return false;
    ret_file->size_bytes = (uint64_t)status.st_size;
    ssize_t n = pread (ret_file->fd, ret_file->header, PERF_FILE_HEADER_BYTES, 0);
    return n > 0 && read_layout (ret_file, (size_t)n);
}

typedef struct {
    const PerfFile *file;
    uint64_t next;  /* offset of the next record */
    uint64_t start; /* of block */
    size_t n_bytes; /* in block */
    uint8_t *block;
} Walk;

static void
end_walk (Walk *walk)
{
    g_free (walk->block);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Walk, end_walk)

/* Returns size_bytes at offset; NULL: beyond the end. */
static const uint8_t *
get_bytes (Walk *walk, uint64_t offset, size_t size_bytes)
{
    if (offset > walk->file->data_end || size_bytes > walk->file->data_end - offset)
        return NULL;
    if (walk->block == NULL)
        walk->block = g_malloc (BLOCK_BYTES);
    if (offset < walk->start || offset + size_bytes > walk->start + walk->n_bytes) {
        ssize_t n = pread (walk->file->fd, walk->block, BLOCK_BYTES, (off_t)offset);
        walk->start = offset;
        walk->n_bytes = n > 0 ? (size_t)n : 0;
        if (walk->n_bytes < size_bytes)
            return NULL;
    }
    return walk->block + (offset - walk->start);
}

/* False at the end and at damaged records; walk->next tells which. */
static bool
next_record (Walk *walk, uint32_t *ret_type)
{
    const uint8_t *bytes = get_bytes (walk, walk->next, RECORD_HEADER_BYTES);
    RecordHeader header;
    if (bytes == NULL)
        return false;
    memcpy (&header, bytes, sizeof header);
    uint64_t left = walk->file->data_end - walk->next;
    if (header.size_bytes < RECORD_HEADER_BYTES || header.size_bytes > left)
        return false;
    uint64_t more_bytes = 0;
    if (header.type == PERF_RECORD_HEADER_TRACING_DATA || header.type == PERF_RECORD_AUXTRACE) {
        /* More data follows the record. */
        bytes = get_bytes (walk, walk->next, 16);
        if (bytes == NULL || header.size_bytes < 12)
            return false;
        more_bytes = get_u64 (bytes + RECORD_HEADER_BYTES);
        if (header.type == PERF_RECORD_HEADER_TRACING_DATA)
            more_bytes = (uint32_t)more_bytes;
        if (more_bytes > left - header.size_bytes)
            return false;
    }
    walk->next += header.size_bytes + more_bytes;
    *ret_type = header.type;
    return true;
}

bool
pv_perf_file_has_samples (const char *path)
{
    g_assert (path != NULL);
    g_auto (PerfFile) file;
    if (!open_file (path, O_RDONLY, &file))
        return false;
    g_auto (Walk) walk = {.file = &file, .next = file.data_start};
    uint32_t type;
    while (next_record (&walk, &type))
        if (type == PERF_RECORD_SAMPLE || type == PERF_RECORD_SWITCH ||
            type == PERF_RECORD_SWITCH_CPU_WIDE || type == PERF_RECORD_COMPRESSED ||
            type == PERF_RECORD_COMPRESSED2 || type == PERF_RECORD_AUXTRACE)
            return true;
    return false;
}

uint64_t
pv_perf_file_count_lost (const char *path)
{
    g_assert (path != NULL);
    g_auto (PerfFile) file;
    uint64_t n_records = 0, n_samples = 0; /* of LOST and of LOST_SAMPLES: see perf-records.c */
    if (!open_file (path, O_RDONLY, &file))
        return 0;
    g_auto (Walk) walk = {.file = &file, .next = file.data_start};
    for (;;) {
        uint64_t start = walk.next;
        uint32_t type;
        if (!next_record (&walk, &type))
            return MAX (n_records, n_samples);
        if (type != PERF_RECORD_LOST && type != PERF_RECORD_LOST_SAMPLES)
            continue;
        /* LOST has the id of the event before the number. */
        uint64_t offset = start + RECORD_HEADER_BYTES + (type == PERF_RECORD_LOST ? 8 : 0);
        const uint8_t *bytes = offset + 8 <= walk.next ? get_bytes (&walk, offset, 8) : NULL;
        uint64_t *sum = type == PERF_RECORD_LOST ? &n_records : &n_samples;
        if (bytes != NULL)
            *sum += MIN (get_u64 (bytes), UINT64_MAX - *sum);
    }
}

/* Build-ids */

/* Offsets and sizes in an MMAP2 record, in bytes. */
enum {
    MAP_PID_OFFSET = 8,
    MAP_START_OFFSET = 16,
    MAP_IDENTITY_OFFSET = 40, /* device and inode, or the size of the build-id and itself */
    MAP_IDENTITY_BYTES = 24,
    MAP_ID_BYTES = 20,
    MAP_PATH_OFFSET = 72,
    MAP_ID_BIT = 1 << 14, /* in misc: a build-id */
};

static bool
write_all (int fd, const void *data, size_t size_bytes, uint64_t offset)
{
    const uint8_t *bytes = data;
    while (size_bytes > 0) {
        ssize_t n = pwrite (fd, bytes, size_bytes, (off_t)offset);
        if (n <= 0)
            return false;
        bytes += n;
        offset += (uint64_t)n;
        size_bytes -= (size_t)n;
    }
    return true;
}

/* A build-id with its size, in the place of a mapping's device and inode. */
typedef struct {
    uint8_t bytes[MAP_IDENTITY_BYTES];
} Identity;

static unsigned
hash_identity (const void *identity)
{
    uint64_t words[MAP_IDENTITY_BYTES / 8];
    memcpy (words, identity, sizeof words);
    uint64_t mixed = (words[0] ^ words[2]) * UINT64_C (0x9e3779b97f4a7c15) ^ words[1];
    return (unsigned)(mixed ^ mixed >> 32);
}

static gboolean
have_same_identity (const void *a, const void *b)
{
    return memcmp (a, b, sizeof (Identity)) == 0;
}

/* The next mapping of a process without a build-id, complete in the walk's block; NULL: there are
 * no more. */
static const uint8_t *
next_mapping (Walk *walk, uint64_t *ret_start)
{
    for (;;) {
        uint32_t type;
        *ret_start = walk->next;
        if (!next_record (walk, &type))
            return NULL;
        size_t size_bytes = walk->next - *ret_start;
        if (type != PERF_RECORD_MMAP2 || size_bytes <= MAP_PATH_OFFSET)
            continue;
        const uint8_t *record = get_bytes (walk, *ret_start, size_bytes);
        RecordHeader header;
        int32_t pid;
        if (record == NULL)
            continue;
        memcpy (&header, record, sizeof header);
        memcpy (&pid, record + MAP_PID_OFFSET, sizeof pid);
        if ((header.misc & MAP_ID_BIT) == 0 && pid > 0)
            return record;
    }
}

/* Finds the build-id for a mapping of a process that was looked at. */
static bool
find_build_id (const uint8_t *record, PvPerfBuildIds *ids, Identity *ret_identity)
{
    RecordHeader header;
    int32_t pid;
    uint8_t id[PV_BUILD_ID_MAX];
    memcpy (&header, record, sizeof header);
    memcpy (&pid, record + MAP_PID_OFFSET, sizeof pid);
    g_autofree char *path =
        g_strndup ((const char *)record + MAP_PATH_OFFSET, header.size_bytes - MAP_PATH_OFFSET);
    size_t size = pv_perf_build_ids_find (ids, pid, get_u64 (record + MAP_START_OFFSET), path, id);
    if (size == 0 || size > MAP_ID_BYTES)
        return false;
    *ret_identity = (Identity){{(uint8_t)size}};
    memcpy (ret_identity->bytes + MAP_IDENTITY_BYTES - MAP_ID_BYTES, id, size);
    return true;
}

/* Files by device, inode and its generation, with their build-ids: processes that ended before they
 * were looked at may have run the same ones. A file with two builds, as it was written to, has
 * NULL. */
static GHashTable *
list_files (const PerfFile *file, PvPerfBuildIds *ids)
{
    static const Identity none;
    GHashTable *files = g_hash_table_new_full (hash_identity, have_same_identity, g_free, g_free);
    g_auto (Walk) walk = {.file = file, .next = file->data_start};
    const uint8_t *record;
    uint64_t start;
    while ((record = next_mapping (&walk, &start)) != NULL) {
        Identity build_id;
        void *known;
        const uint8_t *identity = record + MAP_IDENTITY_OFFSET;
        if (have_same_identity (identity, &none) || !find_build_id (record, ids, &build_id))
            continue;
        bool is_listed = g_hash_table_lookup_extended (files, identity, NULL, &known);
        if (!is_listed || (known != NULL && !have_same_identity (known, &build_id)))
            g_hash_table_insert (files, g_memdup2 (identity, sizeof (Identity)),
                                 is_listed ? NULL : g_memdup2 (&build_id, sizeof build_id));
    }
    return files;
}

void
pv_perf_file_set_build_ids (const char *path, PvPerfBuildIds *ids)
{
    g_assert (path != NULL && ids != NULL);
    if (!pv_perf_build_ids_has_any (ids))
        return;
    g_auto (PerfFile) file;
    if (!open_file (path, O_RDWR, &file))
        return;
    g_autoptr (GHashTable) files = list_files (&file, ids);
    g_auto (Walk) walk = {.file = &file, .next = file.data_start};
    const uint8_t *record;
    uint64_t start;
    while ((record = next_mapping (&walk, &start)) != NULL) {
        RecordHeader header;
        Identity build_id;
        const Identity *of_file = g_hash_table_lookup (files, record + MAP_IDENTITY_OFFSET);
        if (!find_build_id (record, ids, &build_id)) {
            if (of_file == NULL)
                continue;
            build_id = *of_file;
        }
        memcpy (&header, record, sizeof header);
        header.misc |= MAP_ID_BIT;
        /* The bit comes last: without it, the file says less, but nothing wrong. */
        if (!write_all (file.fd, &build_id, sizeof build_id, start + MAP_IDENTITY_OFFSET) ||
            !write_all (file.fd, &header, sizeof header, start))
            return;
    }
}

/* The command */

static void
append_u32 (GByteArray *bytes, uint32_t value)
{
    g_byte_array_append (bytes, (const uint8_t *)&value, sizeof value);
}

static void
append_feature (GByteArray *bytes, const char *command)
{
    static const uint8_t zeros[STRING_ALIGNMENT];
    size_t len = strlen (command);
    if (len > MAX_COMMAND_BYTES) {
        len = MAX_COMMAND_BYTES;
        while (len > 0 && ((uint8_t)command[len] & 0xc0) == 0x80)
            len--;
    }
    size_t padded = (len + STRING_ALIGNMENT) / STRING_ALIGNMENT * STRING_ALIGNMENT;
    append_u32 (bytes, 1);
    append_u32 (bytes, (uint32_t)padded);
    g_byte_array_append (bytes, (const uint8_t *)command, (unsigned)len);
    g_byte_array_append (bytes, zeros, (unsigned)(padded - len));
}

static bool
append_to_file (const PerfFile *file, const GByteArray *bytes)
{
    if (write_all (file->fd, bytes->data, bytes->len, file->size_bytes))
        return true;
    /* No space: restore the old size. */
    int code = ftruncate (file->fd, (off_t)file->size_bytes);
    (void)code;
    return false;
}

/* Readers use the last command. */
static bool
add_to_stream (const PerfFile *file, const char *command)
{
    g_auto (Walk) walk = {.file = file, .next = file->data_start};
    g_autoptr (GByteArray) feature = g_byte_array_new ();
    g_autoptr (GByteArray) record = g_byte_array_new ();
    uint32_t type;
    uint64_t number = PERF_FEATURE_CMDLINE;
    while (next_record (&walk, &type))
        ;
    if (walk.next != file->data_end || walk.next == file->data_start)
        return false;
    append_feature (feature, command);
    RecordHeader header = {.type = PERF_RECORD_HEADER_FEATURE,
                           .size_bytes = (uint16_t)(sizeof header + sizeof number + feature->len)};
    g_byte_array_append (record, (const uint8_t *)&header, sizeof header);
    g_byte_array_append (record, (const uint8_t *)&number, sizeof number);
    g_byte_array_append (record, feature->data, feature->len);
    return append_to_file (file, record);
}

/* Offset of the command's entry in the feature table; 0: none. */
static uint64_t
find_entry (const PerfFile *file)
{
    unsigned n_before = 0, n_all = 0;
    for (unsigned bit = 0; bit < 64 * PERF_N_FEATURE_WORDS; bit++) {
        bool is_set = (get_u64 (file->header + BITMAP_OFFSET + bit / 64 * 8) >> bit % 64 & 1) != 0;
        n_before += is_set && bit < PERF_FEATURE_CMDLINE;
        n_all += is_set;
    }
    bool has_command = (get_u64 (file->header + BITMAP_OFFSET) >> PERF_FEATURE_CMDLINE & 1) != 0;
    if (!has_command || n_all * UINT64_C (16) > file->size_bytes - file->data_end)
        return 0;
    return file->data_end + n_before * UINT64_C (16);
}

static bool
change_entry (const PerfFile *file, const char *command)
{
    uint64_t entry = file->is_complete ? find_entry (file) : 0, old[2];
    if (entry == 0 || pread (file->fd, old, sizeof old, (off_t)entry) != sizeof old ||
        old[0] < file->data_end || old[0] > file->size_bytes || old[1] == 0 ||
        old[1] > file->size_bytes - old[0])
        return false;
    g_autoptr (GByteArray) feature = g_byte_array_new ();
    append_feature (feature, command);
    uint64_t new[2] = {file->size_bytes, feature->len};
    return append_to_file (file, feature) && write_all (file->fd, new, sizeof new, entry);
}

bool
pv_perf_file_set_command (const char *path, const char *command)
{
    g_assert (path != NULL && command != NULL);
    g_auto (PerfFile) file;
    if (!open_file (path, O_RDWR, &file))
        return false;
    return file.is_stream ? add_to_stream (&file, command) : change_entry (&file, command);
}
