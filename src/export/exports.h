/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/export-request.h"

/*
 * The table of what can be written of a profile: pictures, stacks for other tools, tables, a page
 * for browsers, a pack. The option --export and the menu and dialogs of the window are made from
 * it.
 */
typedef enum {
    PV_EXPORT_PICTURE,
    PV_EXPORT_GRAPH,  /* as text, for another program to draw */
    PV_EXPORT_STACKS, /* that the query leaves, for other tools */
    PV_EXPORT_TABLE,
    PV_EXPORT_PAGE, /* for browsers */
    PV_EXPORT_PACK, /* the whole profile, whatever the query is */
} PvExportContent;

typedef struct {
    /* Endings of file names; the first one is proposed, the longest one of a name decides. */
    const char *endings[3];
    const char *prefix; /* of file names that need no ending; or NULL */
    const char *label;  /* in the window's menu; NULL: not there */
    const char *title;  /* of its dialog */
    const char *filter; /* in the dialog */
    PvExportContent content;
    PvFormat format; /* of a table */
    /* Why groups do not apply, after the ending; NULL: they do. */
    const char *no_groups;
    bool no_signed;   /* cannot have amounts with a sign */
    bool has_measure; /* has one measure alone, which the title names */
    /* Writes a file that is not seen before it is complete. False with an error, which names no
     * file; if nothing matches the query, a G_OPTION_ERROR_FAILED. */
    bool (*write) (const PvExportRequest *request, const char *path, PvJob *job, GError **error);
} PvExport;

extern const PvExport pv_exports[];
extern const size_t pv_n_exports;

/* Finds an export by the ending of a file name; NULL: no such ending. */
const PvExport *pv_export_find (const char *path);
/* The endings of all: ".svg, .png or .pdf"; g_free () it. */
char *pv_export_list_endings (void);

/* Writes the file as a whole, or not at all. False with an error: a G_FILE_ERROR about the file
 * does not name it, any other is about the request. Any thread. */
bool pv_export_write (const PvExport *export, const PvExportRequest *request, const char *path,
                      PvJob *job, GError **error);
