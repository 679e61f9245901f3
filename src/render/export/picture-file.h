/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <stdbool.h>

#include "core/model/profile/profile.h"

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

/* Begins a file of the kind that the extension of path says: .svg, .png, .pdf; without a size.
 * device_scale counts if it is from 1 to 8. Sets a G_FILE_ERROR. */
bool pv_picture_file_init (PvPictureFile *ret_file, const char *path, const char *title,
                           double device_scale, GError **error);

/* The maximum width and height of a picture, in pixels of the drawing. */
double pv_picture_get_max_side (const PvPictureFile *file);

typedef void (*PvPictureDraw) (cairo_t *cr, void *data);
/* Appends well-formed elements to the end of an SVG, after everything drawn. */
typedef void (*PvPictureAppend) (GString *svg, void *data);

/* Draws the picture in memory and replaces path atomically; append may be NULL. */
bool pv_picture_write (const char *path, const PvPictureFile *file, PvPictureDraw draw,
                       PvPictureAppend append, void *data, GError **error);

/* Escapes a text for XML. Characters that XML cannot represent become spaces. */
void pv_picture_append_escaped (GString *svg, const char *text);
/* Appends a title, which viewers show as a tooltip: up to three lines; NULL: no title. */
void pv_picture_append_title (GString *svg, const char *first, const char *second,
                              const char *third);
/* The same in a box of its own. */
void pv_picture_append_tip (GString *svg, const cairo_rectangle_int_t *box, const char *first,
                            const char *second, const char *third);

/* Appends “cycles: 5.3 s in total”, and “, 530 samples”, or waits. measure: below the number of
 * measures, unless the profile has none. */
void pv_picture_append_total (GString *text, const PvProfile *profile, PvMeasureId measure,
                              uint64_t total);
void pv_picture_append_samples (GString *text, const PvProfile *profile, PvMeasureId measure,
                                uint64_t n_samples);
