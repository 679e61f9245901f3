/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Whether an answer whose length nobody told is whole, by its own form: packed by gzip, a protobuf
 * message, or the text of a heap. Needed because an answer of HTTP/1.0 without a length has no end
 * but that of the connection. Of other content nothing is said, and damage is the reader's to tell.
 */
typedef enum {
    PV_WHOLE_START,
    PV_WHOLE_GZIP,
    PV_WHOLE_LINES,
    PV_WHOLE_TAG,     /* protobuf: in the number and type of a field */
    PV_WHOLE_VARINT,  /* in its value */
    PV_WHOLE_LENGTH,  /* in the length of what follows */
    PV_WHOLE_CONTENT, /* in what follows */
    PV_WHOLE_UNKNOWN,
} PvWholeState;

enum { PV_WHOLE_BEGIN_BYTES = 64 };

typedef struct {
    PvWholeState state;
    char begin[PV_WHOLE_BEGIN_BYTES]; /* what it is recognized by */
    size_t n_begin;
    GConverter *unpacker;
    uint64_t n_unpacked;
    bool is_at_end; /* of a packed stream; of a line */
    uint64_t number;
    unsigned shift;
    uint64_t n_left;
} PvWholeCheck;

/* Starts out zeroed. */
void pv_whole_check_add (PvWholeCheck *check, const void *data, size_t size);
/* Once all was added. */
bool pv_whole_check_is_whole (PvWholeCheck *check);
void pv_whole_check_clear (PvWholeCheck *check);
