/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <stdbool.h>

/* Pictures as files; the caller draws them. */
typedef enum {
    PV_PICTURE_SVG,
    PV_PICTURE_PNG,
    PV_PICTURE_PDF,
} PvPictureKind;

typedef struct {
    PvPictureKind kind;
    double width; /* pixels of the drawing, whole */
    double height;
    double device_scale; /* of a PNG; 1 for the others */
    const char *title;   /* of the document; may be NULL */
} PvPictureFile;

/* By the ending of path: .svg, .png, .pdf. Errors are of G_FILE_ERROR. */
bool pv_picture_find_kind (const char *path, PvPictureKind *ret_kind, GError **error);

/* The longest side of such a picture. */
double pv_picture_get_max_side (PvPictureKind kind, double device_scale);

typedef void (*PvPictureDraw) (cairo_t *cr, void *data);
/* What to put at the end of an SVG, behind everything that was drawn: elements, well-formed. */
typedef void (*PvPictureAppend) (GString *svg, void *data);

/* Draws the picture into memory and replaces path with it in a single step; append may be NULL. */
bool pv_picture_write (const char *path, const PvPictureFile *file, PvPictureDraw draw,
                       PvPictureAppend append, void *data, GError **error);

/* Escapes a text for XML. What XML has no way to write becomes a space. */
void pv_picture_append_escaped (GString *svg, const char *text);
