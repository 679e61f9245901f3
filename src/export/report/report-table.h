/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/columns/column.h"
#include "core/write/table.h"
#include "export/options/export-options.h"

/*
 * The parts that reports of amounts share: which amounts there are, how much of them is printed,
 * what comes before the tables, and tables of rows by columns.
 */
typedef enum {
    PV_AMOUNTS_OF_ONE,   /* of an unsigned measure */
    PV_AMOUNTS_SIGNED,   /* differences */
    PV_AMOUNTS_COMPARED, /* both sides of a comparison, and their difference */
} PvReportAmounts;

typedef struct {
    PvPrint print;
    const PvExportOptions *options;
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    const PvQuery *query;
    const PvCallTree *tree; /* NULL: there are only sums */
    PvReportAmounts amounts;
    PvChanges *changes; /* of functions, unless there is a tree of an unsigned measure; or NULL */
    PvFormat format;
    const PvTextSink *sink;
    GString *remarks; /* see pv_report_write () */
    PvUnit unit;
    uint64_t whole;
    double min_weight;
    uint32_t max_rows;
    unsigned max_width; /* of a line of text; 0: unlimited */
    bool has_heading;   /* text: the totals of a comparison have been written */
} PvReport;

void pv_report_clear (PvReport *report);
/* Finds the limits for amounts that add up to the whole. */
void pv_report_set_whole (PvReport *report, uint64_t whole);
/* The tree that rows are of, which must outlive the report; its symbols replace the others. If the
 * measure is signed, or profiles are compared, changes are estimated. */
void pv_report_set_tree (PvReport *report, const PvCallTree *tree);

bool pv_report_is_text (const PvReport *report);
/* True unless a row has too little, or is noise that is hidden; row: of the changes, if there are
 * some. */
bool pv_report_shows (const PvReport *report, uint64_t total, const PvChanges *changes,
                      uint32_t row);
/* The measure, of a pair the one that stands for it; NULL: the profile has none. */
const PvMeasure *pv_report_get_measure (const PvReport *report);
/* Writes a row's self or total cost: a share of the whole, or a change. g_free () it. */
char *pv_report_format_cost (const PvReport *report, const PvRow *row, bool is_self);
/* Both, as a part of a heading: “self 1.2 %, total 3.4 %”. g_free () it. */
char *pv_report_format_costs (const PvReport *report, const PvRow *row);

/* Writes the start of a report: in text the totals of both sides of a comparison, once, in tsv and
 * csv the line of --header, in json the first members of an object. */
void pv_report_begin (const PvReport *report);
/* Says in text why there is no table; in other formats, whose tables are empty then, as a remark.
 * False: there is something, or a table to write. */
bool pv_report_append_nothing_matches (const PvReport *report);
/* In text, how many rows are missing, unless the user asked for that many. */
void pv_report_append_rest (const PvReport *report, uint32_t n_shown, uint32_t n_rows);

/* Begins a table of other things than functions, whose cells the report adds: of columns without an
 * id only in text, of those without a title only in other formats. member: in json, the table is
 * this member, the last one, of the object that was begun; NULL: it is all there is. */
PvTable *pv_report_begin_rows (const PvReport *report, const char *member,
                               const PvTableColumn *columns, unsigned n_columns);
/* Frees the table. In text, says how many of n_rows rows are missing. */
void pv_report_end_rows (const PvReport *report, const char *member, PvTable *table,
                         uint32_t n_rows);

/* When a column is printed. Bits from PV_REPORT_FIRST_OWN_FLAG on are the report's own. */
enum {
    PV_IN_TEXT = 1 << 0,
    PV_IN_PLAIN = 1 << 1, /* tsv, csv, json */
    PV_IN_JSON = 1 << 2,
    PV_OF_ONE = 1 << 3, /* << PvReportAmounts */
    PV_OF_SIGNED = 1 << 4,
    PV_OF_COMPARED = 1 << 5,
    PV_HAS_INTERVALS = 1 << 6, /* changes are uncertain, and there is room to say so */
    PV_HAS_RENAMES = 1 << 7,   /* some functions are on one side under another name, or inlined */
    PV_REPORT_FIRST_OWN_FLAG = 1 << 8,
};

typedef struct {
    PvColumn column;
    const char *id;        /* in tsv and json */
    const char *title;     /* in text, to be translated; NULL: that of the query's groups */
    unsigned needs, lacks; /* flags: all of these, and none of those */
} PvReportColumn;

/* The amounts of both sides for people: the change first, and what is needed to judge it. */
#define PV_TEXT_SIDES                                                                              \
    {PV_SELF (PV_SHOW_CHANGE), "", NC_ ("column", "Self change"), PV_IN_TEXT | PV_OF_COMPARED},    \
        {PV_SELF (PV_SHOW_PERCENT), "", "%", PV_IN_TEXT | PV_OF_COMPARED},                         \
        {PV_SELF (PV_SHOW_INTERVAL), "", NC_ ("column", "Between"),                                \
         PV_IN_TEXT | PV_HAS_INTERVALS},                                                           \
        {PV_SELF (PV_SHOW_BASE), "", NC_ ("column", "Base"), PV_IN_TEXT | PV_OF_COMPARED},         \
        {PV_SELF (PV_SHOW_NEW), "", NC_ ("column", "New"), PV_IN_TEXT | PV_OF_COMPARED},           \
        {PV_TOTAL (PV_SHOW_CHANGE), "", NC_ ("column", "Total change"),                            \
         PV_IN_TEXT | PV_OF_COMPARED},                                                             \
        {PV_TOTAL (PV_SHOW_PERCENT), "", "%", PV_IN_TEXT | PV_OF_COMPARED},                        \
        {PV_TOTAL (PV_SHOW_INTERVAL), "", NC_ ("column", "Between"),                               \
         PV_IN_TEXT | PV_HAS_INTERVALS},                                                           \
    {                                                                                              \
        {PV_COLUMN_NOISE}, "", "", PV_IN_TEXT | PV_OF_COMPARED                                     \
    }

/* The amounts of both sides for other programs. */
#define PV_PLAIN_SIDES                                                                             \
    {PV_SELF (PV_SHOW_BASE), "self_base", "", PV_IN_PLAIN | PV_OF_COMPARED},                       \
        {PV_SELF (PV_SHOW_NEW), "self_new", "", PV_IN_PLAIN | PV_OF_COMPARED},                     \
        {PV_SELF (PV_SHOW_CHANGE), "self_delta", "", PV_IN_PLAIN | PV_OF_COMPARED},                \
        {PV_TOTAL (PV_SHOW_BASE), "total_base", "", PV_IN_PLAIN | PV_OF_COMPARED},                 \
        {PV_TOTAL (PV_SHOW_NEW), "total_new", "", PV_IN_PLAIN | PV_OF_COMPARED},                   \
    {                                                                                              \
        PV_TOTAL (PV_SHOW_CHANGE), "total_delta", "", PV_IN_PLAIN | PV_OF_COMPARED                 \
    }

/* Where the true changes are, 95 of 100 times. */
#define PV_PLAIN_INTERVALS                                                                         \
    {PV_SELF (PV_SHOW_LOW), "self_change_low", "", PV_IN_JSON | PV_HAS_INTERVALS},                 \
        {PV_SELF (PV_SHOW_HIGH), "self_change_high", "", PV_IN_JSON | PV_HAS_INTERVALS},           \
        {PV_TOTAL (PV_SHOW_LOW), "total_change_low", "", PV_IN_JSON | PV_HAS_INTERVALS},           \
    {                                                                                              \
        PV_TOTAL (PV_SHOW_HIGH), "total_change_high", "", PV_IN_JSON | PV_HAS_INTERVALS            \
    }

/* The same of calls, which have totals only. */
#define PV_PLAIN_CALL_INTERVALS                                                                    \
    {PV_TOTAL (PV_SHOW_LOW), "change_low", "", PV_IN_JSON | PV_HAS_INTERVALS},                     \
    {                                                                                              \
        PV_TOTAL (PV_SHOW_HIGH), "change_high", "", PV_IN_JSON | PV_HAS_INTERVALS                  \
    }

/* The amounts of lines and instructions: all for other programs, and what there is room for. */
#define PV_LINE_AMOUNTS                                                                            \
    {PV_SELF (PV_SHOW_CHANGE), "", NC_ ("column", "Self change"), PV_IN_TEXT | PV_OF_COMPARED},    \
        {PV_TOTAL (PV_SHOW_BASE), "", NC_ ("column", "Base"), PV_IN_TEXT | PV_OF_COMPARED},        \
        {PV_TOTAL (PV_SHOW_NEW), "", NC_ ("column", "New"), PV_IN_TEXT | PV_OF_COMPARED},          \
        {PV_TOTAL (PV_SHOW_CHANGE), "", NC_ ("column", "Total change"),                            \
         PV_IN_TEXT | PV_OF_COMPARED},                                                             \
        {PV_SELF (PV_SHOW_SHARE), "", NC_ ("column", "Self %"), PV_IN_TEXT, PV_OF_COMPARED},       \
        {PV_TOTAL (PV_SHOW_SHARE), "", NC_ ("column", "Total %"), PV_IN_TEXT, PV_OF_COMPARED},     \
        {PV_SELF (PV_SHOW_AMOUNT), "self", NC_ ("column", "Self"), 0, PV_OF_COMPARED},             \
        {PV_TOTAL (PV_SHOW_AMOUNT), "total", NC_ ("column", "Total"), 0, PV_OF_COMPARED},          \
        PV_PLAIN_SIDES

/* Columns beside the amounts: the extra ones of pv_columns, the measures of files that are joined
 * with the one shown, and the formulas of the query. */
typedef struct PvExtras PvExtras;

PvExtras *pv_extras_new (const PvProfile *profile, const PvQuery *query, PvTableKind table);
void pv_extras_free (PvExtras *extras); /* NULL is accepted */
/* The measures that their values come from, PvMeasureId; g_array_unref () it. */
GArray *pv_extras_list_measures (const PvExtras *extras, const PvProfile *profile,
                                 PvMeasureId shown);

/* Amounts of a line or an instruction by side; without sides, the first has all. */
typedef struct {
    uint64_t self[PV_N_SIDES];
    uint64_t total[PV_N_SIDES];
} PvLineAmounts;

/* Sets the row's amounts, which are parts of the report's whole. */
void pv_report_set_amounts (const PvReport *report, const PvLineAmounts *amounts, PvRow *row);

typedef struct PvReportTable PvReportTable;

/* member: in json, the table is this member, the last one, of the object that was begun. flags: the
 * report's own; extras: NULL: none. is_sparse: in text, amounts of 0 are empty. */
PvReportTable *pv_report_table_begin (const PvReport *report, const char *member,
                                      const PvReportColumn *columns, unsigned n_columns,
                                      unsigned flags, const PvExtras *extras, bool is_sparse);
/* words: as many as there are columns of words and numbers; NULL: an empty cell. */
void pv_report_table_add (PvReportTable *table, const PvRow *row, const char *const *words);
/* Frees the table. In text, says how many of n_rows rows are missing; 0: none is. */
void pv_report_table_end (PvReportTable *table, uint32_t n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvExtras, pv_extras_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvReport, pv_report_clear)
