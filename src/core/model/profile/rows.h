/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"

/*
 * The members of the rows of PV_PROFILE_TABLES, for all that is done with every table in the same
 * way: names get pseudonyms (anonymous/), strings and ids become those of the profile that several
 * are merged into (merge/), and packs have the members one after the other (pack/pack-format.h).
 *
 * A member that is not listed is computed from the others, or the table has code of its own for it.
 */
typedef enum {
    PV_MEMBER_NONE, /* ends the list */
    PV_MEMBER_TEXT, /* const char *; NULL: none */
    PV_MEMBER_NAME, /* the same, but from a pack NULL comes back as "" */
    PV_MEMBER_BOOL,
    PV_MEMBER_CHAR,
    PV_MEMBER_INT32,
    PV_MEMBER_INT64,
    PV_MEMBER_UINT64,
    PV_MEMBER_END_NS,    /* uint64_t; UINT64_MAX: it has not ended, which is 0 in a pack */
    PV_MEMBER_ENUM,      /* its values are below n_values */
    PV_MEMBER_OPEN_ENUM, /* the same; those that a later version adds are 0 to this one */
    PV_MEMBER_ROWS,      /* pointer to an array of rows; their number is a uint32_t */
    PV_MEMBER_MODULE,    /* from here on ids */
    PV_MEMBER_PROCESS,
    PV_MEMBER_THREAD,
    PV_MEMBER_STACK,
} PvMemberType;

/* The thing that a text names, and so the kind of pseudonym that it gets. */
typedef enum {
    PV_NAMES_NOTHING, /* a word of the recorder, which may stay */
    PV_NAMES_FILE,
    PV_NAMES_PROCESS,
    PV_NAMES_THREAD,
    PV_NAMES_VALUE,
    PV_NAMES_ANYTHING, /* sentences: they become "" */
} PvNamed;

typedef struct PvRowMember {
    PvMemberType type;
    uint16_t offset;
    PvNamed names;                  /* of texts */
    uint32_t n_values;              /* of enums */
    uint16_t offset_of_n;           /* of rows: where their number is */
    size_t size_bytes;              /* of one of the rows */
    const struct PvRowMember *rows; /* their members */
} PvRowMember;

typedef struct {
    size_t size_bytes;          /* of a row */
    const PvRowMember *members; /* in the order of packs; the last one is PV_MEMBER_NONE */
} PvRowType;

extern const PvRowType pv_row_types[PV_N_PROFILE_TABLES];

/* The row may be changed there if it is the caller's. */
static inline void *
pv_row_member (const PvRowMember *member, const void *row)
{
    return (char *)row + member->offset;
}

/* A member that is rows: how many, and where. */
static inline uint32_t *
pv_row_count (const PvRowMember *member, const void *row)
{
    return (uint32_t *)((char *)row + member->offset_of_n);
}

/* How the texts and ids of a row become those of another profile. */
typedef struct {
    const char *(*map_text) (void *user, PvNamed names, const char *text);
    uint32_t (*map_id) (void *user, PvMemberType type, uint32_t id); /* NULL: ids stay */
    void *user;
    PvArena *arena; /* rows in the row are copied to it */
} PvRowMapping;

/* Maps what is in a copy of a row. */
void pv_row_map (void *row, const PvRowMember *members, const PvRowMapping *mapping);
