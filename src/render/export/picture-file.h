/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <stdbool.h>

/* Picture files; the caller draws their contents. */
typedef enum {
    PV_PICTURE_SVG,
    PV_PICTURE_PNG,
    PV_PICTURE_PDF,
} PvPictureKind;

typedef struct {
    PvPictureKind kind;
    double width; /* pixels of the drawing, whole */
    double height;
    double device_scale; /* for PNG; 1 for the others */
    const char *title;   /* of the document; may be NULL */
} PvPictureFile;

/* Decides by the extension of path: .svg, .png, .pdf. Sets a G_FILE_ERROR. */
bool pv_picture_find_kind (const char *path, PvPictureKind *ret_kind, GError **error);

/* The maximum width and height of a picture, in pixels of the drawing. */
double pv_picture_get_max_side (PvPictureKind kind, double device_scale);

typedef void (*PvPictureDraw) (cairo_t *cr, void *data);
/* Appends well-formed elements to the end of an SVG, after everything drawn. */
typedef void (*PvPictureAppend) (GString *svg, void *data);

/* Draws the picture in memory and replaces path atomically; append may be NULL. */
bool pv_picture_write (const char *path, const PvPictureFile *file, PvPictureDraw draw,
                       PvPictureAppend append, void *data, GError **error);

/* Escapes a text for XML. Characters that XML cannot represent become spaces. */
void pv_picture_append_escaped (GString *svg, const char *text);
