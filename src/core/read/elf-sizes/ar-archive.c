/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ar archives as System V and GNU binutils write them (ar(5)): "!<arch>\n", then a header of 60
 * bytes and the data of each member, at even offsets. Names end in "/"; "/123" is an offset in the
 * member "//"; "/" and "/SYM64/" are the index of symbols. BSD writes "#1/N", and the name into the
 * first N bytes of the data.
 */
#include "core/read/elf-sizes/ar-archive.h"

#include <glib.h>
#include <string.h>

enum { HEADER_SIZE = 60, NAME_LEN = 16, SIZE_OFFSET = 48, SIZE_LEN = 10 };

static const char magic[] = "!<arch>\n", thin_magic[] = "!<thin>\n";

static bool
is_thin (const uint8_t *data, size_t size_bytes)
{
    return size_bytes >= strlen (thin_magic) && memcmp (data, thin_magic, strlen (thin_magic)) == 0;
}

bool
ar_archive_sniff (const uint8_t *data, size_t size_bytes)
{
    return is_thin (data, size_bytes) ||
           (size_bytes >= strlen (magic) && memcmp (data, magic, strlen (magic)) == 0);
}

void
ar_archive_init (ArArchive *archive, const uint8_t *data, uint64_t size_bytes)
{
    g_assert (archive != NULL && ar_archive_sniff (data, size_bytes));
    *archive = (ArArchive){.data = data,
                           .size_bytes = size_bytes,
                           .offset = strlen (magic),
                           .is_thin = is_thin (data, size_bytes)};
}

/* Reads a decimal number with blanks after it; false if the text is anything else. */
static bool
read_number (const char *text, size_t len, uint64_t *ret_number)
{
    size_t n = 0;
    *ret_number = 0;
    for (; n < len && g_ascii_isdigit (text[n]); n++)
        *ret_number = *ret_number * 10 + (uint64_t)(text[n] - '0');
    for (size_t i = n; i < len; i++)
        if (text[i] != ' ')
            return false;
    return n > 0;
}

static size_t
trim (const char *text, size_t len)
{
    while (len > 0 && text[len - 1] == ' ')
        len--;
    return len;
}

/* A name in the member "//" ends with "/\n". */
static void
take_long_name (const ArArchive *archive, ArMember *member)
{
    uint64_t offset;
    if (!read_number (member->name + 1, NAME_LEN - 1, &offset) ||
        offset >= archive->names_size_bytes)
        return;
    const char *name = archive->names + offset;
    size_t len = archive->names_size_bytes - offset;
    const char *end = memchr (name, '\n', len);
    len = end != NULL ? (size_t)(end - name) : len;
    member->name = name;
    member->name_len = len > 0 && name[len - 1] == '/' ? len - 1 : len;
}

static void
take_bsd_name (ArMember *member)
{
    uint64_t len;
    if (!read_number (member->name + 3, NAME_LEN - 3, &len) || len > member->size_bytes)
        return;
    member->name += HEADER_SIZE;
    member->name_len = strnlen (member->name, len);
    member->offset += len;
    member->size_bytes -= len;
}

static void
name_member (const ArArchive *archive, ArMember *member)
{
    const char *name = member->name;
    size_t len = trim (name, NAME_LEN);
    member->name_len = len;
    if (len == 2 && memcmp (name, "//", 2) == 0) {
        member->kind = AR_MEMBER_NAMES;
    } else if ((len == 1 && name[0] == '/') || (len == 7 && memcmp (name, "/SYM64/", 7) == 0)) {
        member->kind = AR_MEMBER_INDEX;
    } else if (name[0] == '/') {
        take_long_name (archive, member);
    } else if (len > 3 && memcmp (name, "#1/", 3) == 0 && !archive->is_thin) {
        take_bsd_name (member);
        if (member->name_len >= 9 && memcmp (member->name, "__.SYMDEF", 9) == 0)
            member->kind = AR_MEMBER_INDEX;
    } else if (len > 0 && name[len - 1] == '/') {
        member->name_len--;
    }
}

bool
ar_archive_next (ArArchive *archive, ArMember *member)
{
    g_assert (archive != NULL && member != NULL);
    uint64_t left = archive->size_bytes - archive->offset;
    if (left < HEADER_SIZE)
        return false;
    const char *header = (const char *)archive->data + archive->offset;
    *member =
        (ArMember){.kind = AR_MEMBER_FILE, .name = header, .offset = archive->offset + HEADER_SIZE};
    if (memcmp (header + HEADER_SIZE - 2, "`\n", 2) != 0 ||
        !read_number (header + SIZE_OFFSET, SIZE_LEN, &member->size_bytes))
        return false;
    uint64_t said_bytes = member->size_bytes;
    member->is_cut = said_bytes > left - HEADER_SIZE;
    member->size_bytes = MIN (said_bytes, left - HEADER_SIZE);
    uint64_t end = member->offset + member->size_bytes;
    name_member (archive, member);
    if (archive->is_thin && member->kind == AR_MEMBER_FILE) {
        end = member->offset;
        member->size_bytes = said_bytes;
        member->is_cut = false;
        member->is_elsewhere = true;
    }
    if (member->kind == AR_MEMBER_NAMES) {
        archive->names = (const char *)archive->data + member->offset;
        archive->names_size_bytes = member->size_bytes;
    }
    archive->offset = MIN (end + end % 2, archive->size_bytes);
    return true;
}
