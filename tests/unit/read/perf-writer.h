/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/mapped-file.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"

/*
 * Writes small perf.data files for the tests, in either byte order and as file or pipe, by the
 * letter of the format and sharing nothing with the reader but the numbers of the specification.
 */
typedef struct {
    bool swap; /* as if on a machine of the other byte order */
    bool is_pipe;
    bool is_unfinished; /* data.size stays 0, as when the recorder is killed */
    GByteArray *records;
    GByteArray *attrs; /* entries of attr_size + 16 */
    GByteArray *ids;
    GByteArray *features; /* sections in ascending order of bit */
    uint64_t feature_bits[4];
    GArray *feature_sizes;
    uint32_t attr_size;
    size_t record_start;
} Writer;

typedef struct {
    uint32_t type;
    uint64_t config;
    uint64_t sample_period;
    uint64_t sample_type;
    uint64_t read_format;
    uint64_t flags; /* bit n is flag n */
    uint64_t branch_sample_type;
    uint64_t sample_regs_user;
    uint32_t sample_stack_user;
    uint64_t sample_regs_intr;
    uint16_t sample_max_stack;
} WriterAttr;

Writer *writer_new (bool swap, bool is_pipe);
void writer_free (Writer *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Writer, writer_free)

void writer_attr (Writer *writer, const WriterAttr *attr, const uint64_t *ids, size_t n_ids);

/* A record: begin, put its body, end. Those from type 32768 on get sizes of 32 bits. */
void writer_begin (Writer *writer, uint32_t type, uint16_t misc);
void writer_u16 (Writer *writer, uint16_t value);
void writer_u32 (Writer *writer, uint32_t value);
void writer_u64 (Writer *writer, uint64_t value);
/* Several numbers after each other: writer_u64s (writer, time, period). */
#define writer_u32s(writer, ...) WRITER_PUT (writer, 4, __VA_ARGS__)
#define writer_u64s(writer, ...) WRITER_PUT (writer, 8, __VA_ARGS__)
#define WRITER_PUT(writer, size, ...)                                                              \
    writer_put (writer, size, (const uint64_t[]){__VA_ARGS__},                                     \
                G_N_ELEMENTS (((const uint64_t[]){__VA_ARGS__})))
void writer_put (Writer *writer, unsigned size, const uint64_t *values, size_t n);
void writer_bytes (Writer *writer, const void *data, size_t size);
/* With NUL, padded to a multiple of 8. */
void writer_string (Writer *writer, const char *string);
void writer_end (Writer *writer);

/* One whole feature section; in ascending order of bit. The value is what put_... wrote last. */
void writer_feature_string (Writer *writer, unsigned bit, const char *string);
void writer_feature_bytes (Writer *writer, unsigned bit, const void *data, size_t size);

/* Replaces the records from offset on by COMPRESSED (81) or COMPRESSED2 (83) records of at most
 * piece bytes of zstd output each. */
void writer_compress (Writer *writer, size_t offset, uint32_t type, size_t piece);

GByteArray *writer_build (const Writer *writer);
/* Reads what was written; *ret_error may be NULL if it must succeed. */
PvProfile *writer_read (const Writer *writer, const PvReadContext *context, GError **error);
PvProfile *read_bytes (const void *data, size_t size, const PvReadContext *context, GError **error);

/* Common records with a trailer of TID and TIME (sample_type bits 1 and 2). */
void writer_mmap (Writer *writer, uint64_t time, uint32_t pid, uint64_t start, uint64_t size,
                  uint64_t offset, const char *path);
void writer_kernel_mmap (Writer *writer, uint64_t start, uint64_t size, uint64_t pgoff,
                         const char *path);
enum { PERF_WRITER_GENERATION = 5 }; /* of all inodes */
void writer_mmap2 (Writer *writer, uint64_t time, uint32_t pid, uint64_t start, uint64_t size,
                   uint64_t offset, uint64_t inode, uint32_t prot, const char *path);
void writer_comm (Writer *writer, uint64_t time, uint32_t pid, uint32_t tid, const char *comm,
                  bool is_exec);
void writer_task (Writer *writer, uint32_t type, uint64_t time, uint32_t pid, uint32_t tid,
                  uint32_t ppid, uint32_t ptid);
/* IP, TID, TIME, PERIOD and CALLCHAIN (which may be NULL with n 0). */
void writer_sample (Writer *writer, uint16_t mode, uint64_t time, uint32_t pid, uint32_t tid,
                    uint64_t ip, uint64_t period, const uint64_t *chain, size_t n);

/* A pipe's record of tracepoints: their format texts, without the common parts. */
void writer_tracing (Writer *writer, const char *system, const char *const *formats,
                     uint32_t n_formats);

#define WRITER_SAMPLE_TYPE (1u | 1u << 1 | 1u << 2 | 1u << 5 | 1u << 8)
#define WRITER_FLAGS       (UINT64_C (1) << 18 | UINT64_C (1) << 20) /* sample_id_all, exclude_guest */
#define MODE_KERNEL        1
#define MODE_USER          2
#define CONTEXT_KERNEL     ((uint64_t)-128)
#define CONTEXT_USER       ((uint64_t)-512)

/* A cpu-clock event of WRITER_SAMPLE_TYPE. */
extern const WriterAttr writer_plain_attr;

/* "module+0xaddress" (with "!" before an exact one), root first, separated by ";". */
char *stack_text (const PvProfile *profile, PvStackId stack);
/* "key=value, key=value"; "" for none. */
char *labels_text (const PvProfile *profile, const PvSampleSet *set, uint32_t sample);
const PvSampleSet *find_set (const PvProfile *profile, const char *name);
const PvModule *find_module (const PvProfile *profile, const char *path);
bool perf_has_note (const PvProfile *profile, PvNoteKind kind);
