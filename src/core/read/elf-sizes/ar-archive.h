/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The members of a library (ar archive), as GNU and BSD write them.
 */
typedef enum {
    AR_MEMBER_FILE,
    AR_MEMBER_INDEX, /* of symbols */
    AR_MEMBER_NAMES, /* long names of others */
} ArMemberKind;

typedef struct {
    ArMemberKind kind;
    const char *name; /* not terminated */
    size_t name_len;
    uint64_t offset; /* of its data in the archive */
    uint64_t size_bytes;
    bool is_cut;       /* the archive ends before its data does */
    bool is_elsewhere; /* its data is in the file of that name (relative to the archive's folder) */
} ArMember;

typedef struct {
    const uint8_t *data;
    uint64_t size_bytes;
    uint64_t offset; /* of the next member's header */
    const char *names;
    size_t names_size_bytes;
    bool is_thin; /* has only the names of its object files */
} ArArchive;

bool ar_archive_sniff (const uint8_t *data, size_t size_bytes);
/* Starts before the first member; data must live as long as the archive and its members. */
void ar_archive_init (ArArchive *archive, const uint8_t *data, uint64_t size_bytes);
/* False at the end, or where the rest is damaged: archive->offset is where the members end. */
bool ar_archive_next (ArArchive *archive, ArMember *ret_member);
