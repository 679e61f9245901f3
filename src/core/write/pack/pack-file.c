/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/pack/pack-file.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/array.h"
#include "core/model/pack/pack-format.h"

enum { LEVEL = 6 };

typedef PV_ARRAY (uint8_t) Bytes;

struct PvPackFile {
    PvWriter *out;
    bool is_too_long;       /* a section is */
    Bytes bytes;            /* of the section at hand */
    Bytes strings;          /* that are not written yet */
    GHashTable *string_ids; /* string -> id */
    Bytes packed;
    ZSTD_CCtx *context;
};

static void
put_u32 (uint8_t *place, uint32_t number)
{
    number = GUINT32_TO_LE (number);
    memcpy (place, &number, sizeof number);
}

PvPackFile *
pv_pack_file_new (PvWriter *out, uint32_t version)
{
    g_assert (out != NULL && version > 0 && version <= PV_PACK_VERSION);
    PvPackFile *self = g_new0 (PvPackFile, 1);
    self->out = out;
    self->string_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    self->context = ZSTD_createCCtx ();
    if (self->context == NULL)
        self->out->code = ENOMEM;
    uint8_t header[PV_PACK_HEADER_BYTES] = {0};
    memcpy (header, PV_PACK_MAGIC, PV_PACK_MAGIC_BYTES);
    put_u32 (header + PV_PACK_MAGIC_BYTES, version);
    pv_writer_write (out, (const char *)header, sizeof header);
    return self;
}

void
pv_pack_file_free (PvPackFile *self)
{
    if (self == NULL)
        return;
    pv_array_clear (&self->bytes);
    pv_array_clear (&self->strings);
    pv_array_clear (&self->packed);
    g_hash_table_unref (self->string_ids);
    ZSTD_freeCCtx (self->context);
    g_free (self);
}

static void
put_number (Bytes *bytes, uint64_t number)
{
    while (number >= 0x80) {
        pv_array_push (bytes, (uint8_t)(number | 0x80));
        number >>= 7;
    }
    pv_array_push (bytes, (uint8_t)number);
}

void
pv_pack_file_put (PvPackFile *self, uint64_t number)
{
    put_number (&self->bytes, number);
}

void
pv_pack_file_put_signed (PvPackFile *self, int64_t number)
{
    put_number (&self->bytes, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}

void
pv_pack_file_put_bytes (PvPackFile *self, const void *bytes, size_t size_bytes)
{
    pv_array_append (&self->bytes, (const uint8_t *)bytes, size_bytes);
}

void
pv_pack_file_put_string (PvPackFile *self, const char *string)
{
    if (string == NULL) {
        put_number (&self->bytes, 0);
        return;
    }
    uint32_t id = GPOINTER_TO_UINT (g_hash_table_lookup (self->string_ids, string));
    if (id == 0) {
        size_t len = strlen (string);
        id = g_hash_table_size (self->string_ids) + 1;
        g_hash_table_insert (self->string_ids, g_strdup (string), GUINT_TO_POINTER (id));
        put_number (&self->strings, len);
        pv_array_append (&self->strings, (const uint8_t *)string, len);
    }
    put_number (&self->bytes, id);
}

size_t
pv_pack_file_get_size (const PvPackFile *self)
{
    return self->bytes.len + self->strings.len;
}

static void
write_section (PvPackFile *self, uint32_t tag, const Bytes *bytes)
{
    static const uint8_t nothing;
    if (bytes->len > PV_PACK_MAX_SECTION_BYTES)
        self->is_too_long = true;
    if (self->out->code != 0 || self->is_too_long)
        return;
    size_t bound = ZSTD_compressBound (bytes->len);
    pv_array_resize (&self->packed, PV_PACK_SECTION_BYTES + bound);
    uint8_t *start = self->packed.data;
    size_t n_packed =
        ZSTD_compressCCtx (self->context, start + PV_PACK_SECTION_BYTES, bound,
                           bytes->data != NULL ? bytes->data : &nothing, bytes->len, LEVEL);
    if (ZSTD_isError (n_packed)) {
        self->out->code = ENOMEM;
        return;
    }
    put_u32 (start + 4, tag);
    put_u32 (start + 8, (uint32_t)n_packed);
    put_u32 (start + 12, (uint32_t)bytes->len);
    put_u32 (start, (uint32_t)crc32_z (0, start + 4, PV_PACK_SECTION_BYTES - 4 + n_packed));
    pv_writer_write (self->out, (const char *)start, PV_PACK_SECTION_BYTES + n_packed);
}

void
pv_pack_file_end_section (PvPackFile *self, uint32_t tag)
{
    if (self->strings.len > 0)
        write_section (self, PV_PACK_STRINGS, &self->strings);
    self->strings.len = 0;
    write_section (self, tag, &self->bytes);
    self->bytes.len = 0;
}

bool
pv_pack_file_finish (PvPackFile *self, GError **error)
{
    g_assert (error == NULL || *error == NULL);
    g_assert (self->bytes.len == 0);
    pv_pack_file_end_section (self, PV_PACK_END);
    if (self->out->code == 0 && self->is_too_long)
        g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                             _ ("A part of the profile is too large for a pack"));
    return self->out->code != 0 || !self->is_too_long;
}
