/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perf-writer.h"

#include <string.h>
#include <zstd.h>

#include "core/base/error.h"
#include "core/model/profile/labels.h"

const WriterAttr writer_plain_attr = {
    .type = 1,
    .sample_period = 1000,
    .sample_type = WRITER_SAMPLE_TYPE,
    .flags = WRITER_FLAGS,
};

Writer *
writer_new (bool swap, bool is_pipe)
{
    Writer *writer = g_new0 (Writer, 1);
    writer->swap = swap;
    writer->is_pipe = is_pipe;
    writer->records = g_byte_array_new ();
    writer->attrs = g_byte_array_new ();
    writer->ids = g_byte_array_new ();
    writer->features = g_byte_array_new ();
    writer->feature_sizes = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    writer->attr_size = 136;
    return writer;
}

void
writer_free (Writer *writer)
{
    g_byte_array_unref (writer->records);
    g_byte_array_unref (writer->attrs);
    g_byte_array_unref (writer->ids);
    g_byte_array_unref (writer->features);
    g_array_unref (writer->feature_sizes);
    g_free (writer);
}

static void
put (const Writer *writer, GByteArray *out, uint64_t value, unsigned size)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[writer->swap ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
    g_byte_array_append (out, bytes, size);
}

static void
put_numbers (const Writer *writer, GByteArray *out, unsigned size, const uint64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put (writer, out, values[i], size);
}

#define put_all(writer, out, size, ...)                                                            \
    put_numbers (writer, out, size, (const uint64_t[]){__VA_ARGS__},                               \
                 G_N_ELEMENTS (((const uint64_t[]){__VA_ARGS__})))

static void
put_attr (const Writer *writer, GByteArray *out, const WriterAttr *attr)
{
    guint start = out->len;
    put_all (writer, out, 4, attr->type, writer->attr_size);
    put_all (writer, out, 8, attr->config, attr->sample_period, attr->sample_type,
             attr->read_format);
    for (unsigned i = 0; i < 8; i++) {
        uint8_t byte = 0;
        for (unsigned bit = 0; bit < 8; bit++)
            if ((attr->flags >> (8 * i + bit) & 1) != 0)
                byte |= 1u << (writer->swap ? 7 - bit : bit);
        g_byte_array_append (out, &byte, 1);
    }
    put_all (writer, out, 8, 0, 0);
    if (writer->attr_size > 64)
        put (writer, out, 0, 8);
    if (writer->attr_size > 72)
        put (writer, out, attr->branch_sample_type, 8);
    if (writer->attr_size > 80) {
        put (writer, out, attr->sample_regs_user, 8);
        put_all (writer, out, 4, attr->sample_stack_user, 0);
    }
    if (writer->attr_size > 96)
        put (writer, out, attr->sample_regs_intr, 8);
    if (writer->attr_size > 104) {
        put (writer, out, 0, 4);
        put_all (writer, out, 2, attr->sample_max_stack, 0);
    }
    while (out->len - start < writer->attr_size)
        put (writer, out, 0xee, 1); /* fields of the future */
}

void
writer_attr (Writer *writer, const WriterAttr *attr, const uint64_t *ids, size_t n_ids)
{
    if (writer->is_pipe) {
        writer_begin (writer, 64, 0);
        put_attr (writer, writer->records, attr);
        writer_put (writer, 8, ids, n_ids);
        writer_end (writer);
        return;
    }
    put_attr (writer, writer->attrs, attr);
    put_all (writer, writer->attrs, 8, 104 + writer->ids->len, 8 * n_ids);
    put_numbers (writer, writer->ids, 8, ids, n_ids);
}

void
writer_begin (Writer *writer, uint32_t type, uint16_t misc)
{
    writer->record_start = writer->records->len;
    writer_u32 (writer, type);
    writer_u16 (writer, misc);
    writer_u16 (writer, 0);
}

void
writer_u16 (Writer *writer, uint16_t value)
{
    put (writer, writer->records, value, 2);
}

void
writer_u32 (Writer *writer, uint32_t value)
{
    put (writer, writer->records, value, 4);
}

void
writer_u64 (Writer *writer, uint64_t value)
{
    put (writer, writer->records, value, 8);
}

void
writer_put (Writer *writer, unsigned size, const uint64_t *values, size_t n)
{
    put_numbers (writer, writer->records, size, values, n);
}

void
writer_bytes (Writer *writer, const void *data, size_t size)
{
    g_byte_array_append (writer->records, data, (guint)size);
}

void
writer_string (Writer *writer, const char *string)
{
    static const char padding[8];
    size_t len = strlen (string);
    writer_bytes (writer, string, len);
    writer_bytes (writer, padding, 8 - len % 8);
}

void
writer_end (Writer *writer)
{
    size_t size = writer->records->len - writer->record_start;
    uint8_t *p = writer->records->data + writer->record_start + 6;
    p[writer->swap] = size & 0xff;
    p[!writer->swap] = size >> 8 & 0xff;
    bool is_of_simpleperf = !writer->swap && p[-5] == 0x80 && p[-4] == 0;
    if (is_of_simpleperf)
        p[-2] = size >> 16 & 0xff;
}

void
writer_feature_bytes (Writer *writer, unsigned bit, const void *data, size_t size)
{
    for (unsigned i = 0; i < G_N_ELEMENTS (writer->feature_bits); i++)
        g_assert_true (i < bit / 64 ||
                       writer->feature_bits[i] >> (i == bit / 64 ? bit % 64 : 0) == 0);
    writer->feature_bits[bit / 64] |= UINT64_C (1) << bit % 64;
    uint64_t wide = size;
    g_array_append_val (writer->feature_sizes, wide);
    g_byte_array_append (writer->features, data, (guint)size);
}

void
writer_feature_string (Writer *writer, unsigned bit, const char *string)
{
    g_autoptr (GByteArray) section = g_byte_array_new ();
    put (writer, section, 64, 4);
    char padded[64] = "";
    g_strlcpy (padded, string, sizeof padded);
    g_byte_array_append (section, (const uint8_t *)padded, sizeof padded);
    writer_feature_bytes (writer, bit, section->data, section->len);
}

void
writer_compress (Writer *writer, size_t offset, uint32_t type, size_t piece)
{
    g_autoptr (GByteArray) plain = g_byte_array_new ();
    g_byte_array_append (plain, writer->records->data + offset,
                         writer->records->len - (guint)offset);
    g_byte_array_set_size (writer->records, (guint)offset);

    size_t bound = ZSTD_compressBound (plain->len) + 1024;
    g_autofree uint8_t *packed = g_malloc (bound);
    ZSTD_CCtx *context = ZSTD_createCCtx ();
    ZSTD_inBuffer in = {plain->data, plain->len, 0};
    ZSTD_outBuffer out = {packed, bound, 0};
    size_t left;
    do {
        left = ZSTD_compressStream2 (context, &out, &in, ZSTD_e_flush);
        g_assert_false (ZSTD_isError (left));
    } while (in.pos < in.size || left > 0);
    ZSTD_freeCCtx (context);
    for (size_t at = 0; at < out.pos; at += piece) {
        size_t size = MIN (piece, out.pos - at);
        writer_begin (writer, type, 0);
        if (type == 83)
            writer_u64 (writer, size);
        writer_bytes (writer, packed + at, size);
        while (type == 83 && (writer->records->len - writer->record_start) % 8 != 0)
            writer_bytes (writer, "\xaa", 1);
        writer_end (writer);
    }
}

GByteArray *
writer_build (const Writer *writer)
{
    GByteArray *out = g_byte_array_new ();
    g_byte_array_append (out, (const uint8_t *)(writer->swap ? "2ELIFREP" : "PERFILE2"), 8);
    if (writer->is_pipe) {
        put (writer, out, 16, 8);
        g_byte_array_append (out, writer->records->data, writer->records->len);
        return out;
    }
    uint64_t attrs_offset = 104 + writer->ids->len;
    uint64_t data_offset = attrs_offset + writer->attrs->len;
    put_all (writer, out, 8, 104, writer->attr_size + 16, attrs_offset, writer->attrs->len,
             data_offset, writer->is_unfinished ? 0 : writer->records->len, 0, 0);
    put_numbers (writer, out, 8, writer->feature_bits, G_N_ELEMENTS (writer->feature_bits));
    g_byte_array_append (out, writer->ids->data, writer->ids->len);
    g_byte_array_append (out, writer->attrs->data, writer->attrs->len);
    g_byte_array_append (out, writer->records->data, writer->records->len);
    uint64_t at = data_offset + writer->records->len + 16 * writer->feature_sizes->len;
    for (guint i = 0; i < writer->feature_sizes->len; i++) {
        uint64_t size = g_array_index (writer->feature_sizes, uint64_t, i);
        put_all (writer, out, 8, at, size);
        at += size;
    }
    g_byte_array_append (out, writer->features->data, writer->features->len);
    return out;
}

PvProfile *
read_bytes (const void *data, size_t size, const PvReadContext *context, GError **error)
{
    static const PvReadContext no_context;
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    if (!pv_read_bytes (file, builder, context != NULL ? context : &no_context, error))
        return NULL;
    return pv_profile_builder_snapshot (builder);
}

PvProfile *
writer_read (const Writer *writer, const PvReadContext *context, GError **error)
{
    g_autoptr (GByteArray) bytes = writer_build (writer);
    g_autoptr (GError) local_error = NULL;
    PvProfile *profile = read_bytes (bytes->data, bytes->len, context, &local_error);
    if (error == NULL)
        g_assert_no_error (local_error);
    else if (local_error != NULL)
        g_propagate_error (error, g_steal_pointer (&local_error));
    return profile;
}

/* --- records ------------------------------------------------------------------------------------
 */

static void
trailer (Writer *writer, uint32_t pid, uint32_t tid, uint64_t time)
{
    writer_u32s (writer, pid, tid);
    writer_u64 (writer, time);
}

void
writer_mmap (Writer *writer, uint64_t time, uint32_t pid, uint64_t start, uint64_t size,
             uint64_t offset, const char *path)
{
    writer_begin (writer, 1, MODE_USER);
    writer_u32s (writer, pid, pid);
    writer_u64s (writer, start, size, offset);
    writer_string (writer, path);
    trailer (writer, pid, pid, time);
    writer_end (writer);
}

void
writer_kernel_mmap (Writer *writer, uint64_t start, uint64_t size, uint64_t pgoff, const char *path)
{
    writer_begin (writer, 1, MODE_KERNEL);
    writer_u32s (writer, UINT32_MAX, 0);
    writer_u64s (writer, start, size, pgoff);
    writer_string (writer, path);
    trailer (writer, 0, 0, 0);
    writer_end (writer);
}

void
writer_mmap2 (Writer *writer, uint64_t time, uint32_t pid, uint64_t start, uint64_t size,
              uint64_t offset, uint64_t inode, uint32_t prot, const char *path)
{
    writer_begin (writer, 10, MODE_USER);
    writer_u32s (writer, pid, pid);
    writer_u64s (writer, start, size, offset);
    writer_u32s (writer, 8, 1);
    writer_u64s (writer, inode, PERF_WRITER_GENERATION);
    writer_u32s (writer, prot, 2);
    writer_string (writer, path);
    trailer (writer, pid, pid, time);
    writer_end (writer);
}

void
writer_comm (Writer *writer, uint64_t time, uint32_t pid, uint32_t tid, const char *comm,
             bool is_exec)
{
    writer_begin (writer, 3, is_exec ? 1u << 13 : 0);
    writer_u32s (writer, pid, tid);
    writer_string (writer, comm);
    trailer (writer, pid, tid, time);
    writer_end (writer);
}

void
writer_task (Writer *writer, uint32_t type, uint64_t time, uint32_t pid, uint32_t tid,
             uint32_t ppid, uint32_t ptid)
{
    writer_begin (writer, type, 0);
    writer_u32s (writer, pid, ppid, tid, ptid);
    writer_u64 (writer, time);
    trailer (writer, pid, tid, time);
    writer_end (writer);
}

void
writer_sample (Writer *writer, uint16_t mode, uint64_t time, uint32_t pid, uint32_t tid,
               uint64_t ip, uint64_t period, const uint64_t *chain, size_t n)
{
    writer_begin (writer, 9, mode);
    writer_u64 (writer, ip);
    writer_u32s (writer, pid, tid);
    writer_u64s (writer, time, period, n);
    writer_put (writer, 8, chain, n);
    writer_end (writer);
}

/* --- looking at profiles ------------------------------------------------------------------------
 */

static void
append (GByteArray *out, const void *data, size_t size)
{
    g_byte_array_append (out, data, (guint)size);
}

static GByteArray *
tracing_data (const char *system, const char *const *formats, uint32_t n_formats)
{
    GByteArray *out = g_byte_array_new ();
    append (out, "\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0", 20);
    for (unsigned i = 0; i < 2; i++) {
        const char *name = i == 0 ? "header_page" : "header_event";
        uint64_t size = 3;
        append (out, name, strlen (name) + 1);
        append (out, &size, 8);
        append (out, "abc", 3);
    }
    uint32_t zero = 0, one = 1;
    append (out, &zero, 4);
    append (out, &one, 4);
    append (out, system, strlen (system) + 1);
    append (out, &n_formats, 4);
    for (uint32_t i = 0; i < n_formats; i++) {
        uint64_t size = strlen (formats[i]);
        append (out, &size, 8);
        append (out, formats[i], size);
    }
    while (out->len % 8 != 0)
        append (out, "", 1);
    return out;
}

/* The blob has a byte order of its own. */
void
writer_tracing (Writer *writer, const char *system, const char *const *formats, uint32_t n_formats)
{
    g_autoptr (GByteArray) tracing = tracing_data (system, formats, n_formats);
    writer_begin (writer, 66, 0);
    writer_u32 (writer, tracing->len);
    writer_end (writer);
    writer_bytes (writer, tracing->data, tracing->len);
}

char *
stack_text (const PvProfile *profile, PvStackId stack)
{
    GString *text = g_string_new (NULL);
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        PvLocationId location = profile->location_of_stack[stack];
        const PvModule *module = &profile->modules[profile->module_of_location[location]];
        g_autofree char *frame =
            g_strdup_printf ("%s%s+0x%" G_GINT64_MODIFIER "x",
                             profile->kind_of_location[location] == PV_LOCATION_EXACT ? "!" : "",
                             module->name, profile->address_of_location[location]);
        if (text->len > 0)
            g_string_prepend_c (text, ';');
        g_string_prepend (text, frame);
    }
    return g_string_free (text, FALSE);
}

char *
labels_text (const PvProfile *profile, const PvSampleSet *set, uint32_t sample)
{
    GString *text = g_string_new (NULL);
    uint32_t labels = set->label_set != NULL ? set->label_set[sample] : 0;
    for (uint32_t i = profile->first_label_of_set[labels];
         i < profile->first_label_of_set[labels + 1]; i++) {
        g_autofree char *value = pv_label_format (&profile->labels[i]);
        g_string_append_printf (text, "%s%s=%s", text->len > 0 ? ", " : "", profile->labels[i].key,
                                value);
    }
    return g_string_free (text, FALSE);
}

const PvSampleSet *
find_set (const PvProfile *profile, const char *name)
{
    for (uint32_t i = 0; i < profile->n_sets; i++)
        if (strcmp (profile->sets[i].name, name) == 0)
            return &profile->sets[i];
    return NULL;
}

const PvModule *
find_module (const PvProfile *profile, const char *path)
{
    for (uint32_t i = 1; i < profile->n_modules; i++)
        if (strcmp (profile->modules[i].path, path) == 0)
            return &profile->modules[i];
    return NULL;
}

bool
perf_has_note (const PvProfile *profile, PvNoteKind kind)
{
    for (uint32_t i = 0; i < profile->n_notes; i++)
        if (profile->notes[i].kind == kind)
            return true;
    return false;
}
