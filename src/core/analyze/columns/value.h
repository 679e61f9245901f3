/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/columns/sort-keys.h"
#include "core/analyze/query/formula.h"
#include "core/analyze/tree/call-tree.h"

/*
 * The value of a row in a column, and the three forms that it has: text for people, text for other
 * programs, and its place in an order. Cells of the window, of reports and of exported tables are
 * all made of it. Any thread.
 */
typedef enum {
    PV_VALUE_NONE,     /* not known, or nothing */
    PV_VALUE_WORDS,    /* text, and a line if it is the name of a file */
    PV_VALUE_FOLDED,   /* instead of a name: amount is the number of small functions or samples */
    PV_VALUE_LINE,     /* a number that is not grouped */
    PV_VALUE_ADDRESS,  /* amount, in hexadecimal digits */
    PV_VALUE_AMOUNT,   /* amount and whole, in the unit */
    PV_VALUE_NET,      /* the same, but amount is an int64_t: the difference of a signed measure */
    PV_VALUE_CHANGE,   /* a part of the change, in the unit */
    PV_VALUE_FORMULA,  /* number; NAN: none */
    PV_VALUE_COUNT,    /* amount */
    PV_VALUE_LIFETIME, /* amount, in milliseconds */
    PV_VALUE_NOISE,    /* is_noise as a word */
} PvValueKind;

/* The part of an amount that a column shows. From PV_SHOW_CHANGE on they are those of a comparison.
 */
typedef enum {
    PV_SHOW_AMOUNT,
    PV_SHOW_SHARE, /* of the whole */
    PV_SHOW_CHANGE,
    PV_SHOW_PERCENT, /* the change, in percent of the base */
    PV_SHOW_BASE,
    PV_SHOW_NEW,
    PV_SHOW_INTERVAL, /* of the change */
    PV_SHOW_LOW,      /* its ends */
    PV_SHOW_HIGH,
} PvShow;

/* One row of a comparison. */
typedef struct {
    uint64_t base, newer;
    bool is_noise; /* chance explains it; or nothing changed, and that might be chance too */
    bool is_exact; /* there is no interval */
    int64_t low, high;
} PvChange;

typedef struct {
    PvValueKind kind;
    PvShow show;
    PvUnit unit;
    uint32_t line; /* of words; 0: none */
    union {
        struct {
            const char *text; /* borrowed */
            const char *name; /* the text in full, of functions and nodes; borrowed */
            size_t length;    /* of the text in bytes; 0: all of it */
        };
        struct {
            uint64_t amount;
            uint64_t whole;         /* 100 % */
            const PvCallTree *tree; /* of a folded node; borrowed */
        };
        struct {
            double number;
            const PvFormula *formula; /* borrowed */
        };
        PvChange change;
        bool is_noise; /* chance explains self and total of the row */
    };
} PvValue;

static inline int64_t
pv_value_get_net (const PvValue *value)
{
    return (int64_t)value->amount;
}

/* For people: “12.4 ms”, “+3 %”; NULL: no text. g_free () it. */
char *pv_value_format (const PvValue *value);
/* For other programs: plain integers, shares and percents with two digits after the point; NULL: no
 * text. g_free () it. */
char *pv_value_format_plain (const PvValue *value);
/* Sets the sort key's value, but not its row. Changes are ordered by their size, percents from gone
 * to new; values that are not known come before all amounts and after all words. Text that nobody
 * else holds goes to texts. */
void pv_value_order (const PvValue *value, PvSortKey *key, GStringChunk *texts);
/* True if the value is 0 or nothing, so that a table of mostly empty rows leaves it out. */
bool pv_value_is_zero (const PvValue *value);
