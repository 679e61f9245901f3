/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/export/picture-file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/intern.h"
#include "core/base/output.h"
#include "render/export/png.h"

enum {
    MAX_SIDE = 32767,     /* of a cairo image, in device pixels */
    MAX_PDF_SIDE = 14400, /* of a PDF page (ISO 32000-1, annex C) */
};

bool
pv_picture_file_init (PvPictureFile *ret_file, const char *path, const char *title,
                      double device_scale, GError **error)
{
    g_assert (ret_file != NULL && path != NULL);
    static const struct {
        const char *ending;
        PvPictureKind kind;
    } kinds[] = {{".svg", PV_PICTURE_SVG}, {".png", PV_PICTURE_PNG}, {".pdf", PV_PICTURE_PDF}};
    size_t len = strlen (path);
    for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
        size_t n = strlen (kinds[i].ending);
        if (len <= n || g_ascii_strcasecmp (path + len - n, kinds[i].ending) != 0)
            continue;
        *ret_file = (PvPictureFile){.kind = kinds[i].kind, .title = title, .device_scale = 1};
        if (kinds[i].kind == PV_PICTURE_PNG && device_scale >= 1 && device_scale <= 8)
            ret_file->device_scale = device_scale;
        return true;
    }
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                 _ ("pictures are written as .svg, .png or .pdf"));
    return false;
}

double
pv_picture_get_max_side (const PvPictureFile *file)
{
    double max = file->kind == PV_PICTURE_PDF ? MAX_PDF_SIDE : MAX_SIDE;
    return floor (max / file->device_scale);
}

static cairo_status_t
append_bytes (void *data, const unsigned char *bytes, unsigned n)
{
    g_byte_array_append (data, bytes, n);
    return CAIRO_STATUS_SUCCESS;
}

/* The title names a file, maybe with bytes that are no text. */
static void
set_title (cairo_surface_t *surface, const char *title)
{
    g_autofree char *shown = pv_make_showable (title, strlen (title));
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, shown);
}

static cairo_surface_t *
make_surface (const PvPictureFile *file, GByteArray *bytes)
{
    double scale = file->device_scale;
    cairo_surface_t *surface = NULL;
    switch (file->kind) {
    case PV_PICTURE_SVG:
        surface =
            cairo_svg_surface_create_for_stream (append_bytes, bytes, file->width, file->height);
        cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
        break;
    case PV_PICTURE_PDF:
        surface =
            cairo_pdf_surface_create_for_stream (append_bytes, bytes, file->width, file->height);
        if (file->title != NULL)
            set_title (surface, file->title);
        cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "profview");
        break;
    case PV_PICTURE_PNG:
        surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)(file->width * scale),
                                              (int)(file->height * scale));
        cairo_surface_set_device_scale (surface, scale, scale);
        break;
    }
    return surface;
}

void
pv_picture_append_escaped (GString *svg, const char *text)
{
    char *clean = g_strdup (text);
    g_strdelimit (clean, "\n\t", ' ');
    char *shown = pv_make_showable (clean, strlen (clean));
    g_free (clean);
    clean = shown;
    char *escaped = g_markup_escape_text (clean, -1);
    g_string_append (svg, escaped);
    g_free (escaped);
    g_free (clean);
}

void
pv_picture_append_title (GString *svg, const char *first, const char *second, const char *third)
{
    const char *const lines[] = {first, second, third};
    g_string_append (svg, "<title>");
    for (size_t i = 0; i < G_N_ELEMENTS (lines) && lines[i] != NULL; i++) {
        g_string_append (svg, i > 0 ? "\n" : "");
        pv_picture_append_escaped (svg, lines[i]);
    }
    g_string_append (svg, "</title>");
}

void
pv_picture_append_tip (GString *svg, const cairo_rectangle_int_t *box, const char *first,
                       const char *second, const char *third)
{
    g_string_append_printf (svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">", box->x,
                            box->y, box->width, box->height);
    pv_picture_append_title (svg, first, second, third);
    g_string_append (svg, "</rect>\n");
}

void
pv_picture_append_total (GString *text, const PvProfile *profile, PvMeasureId measure,
                         uint64_t total)
{
    const PvMeasure *row =
        pv_profile_has_weights (profile, measure) ? &profile->measures[measure] : NULL;
    g_autofree char *amount = pv_format_amount (total, row != NULL ? row->unit : PV_UNIT_COUNT);
    if (row != NULL && row->name != NULL)
        g_string_append_printf (text, _ ("%s: %s in total"), row->name, amount);
    else
        g_string_append_printf (text, _ ("%s in total"), amount);
}

void
pv_picture_append_samples (GString *text, const PvProfile *profile, PvMeasureId measure,
                           uint64_t n_samples)
{
    g_autofree char *samples = pv_format_count (n_samples);
    const bool is_of_waits =
        pv_profile_has_weights (profile, measure) && pv_profile_counts_waits (profile, measure);
    /* Translators: follows “cycles: 3.21 G in total” */
    g_string_append_printf (
        text,
        is_of_waits
            ? g_dngettext (GETTEXT_PACKAGE, ", %s wait", ", %s waits", (gulong)n_samples)
            : g_dngettext (GETTEXT_PACKAGE, ", %s sample", ", %s samples", (gulong)n_samples),
        samples);
}

static bool
render (const PvPictureFile *file, PvPictureDraw draw, void *data, GByteArray *bytes,
        GError **error)
{
    cairo_surface_t *surface = make_surface (file, bytes);
    cairo_t *cr = cairo_create (surface);
    draw (cr, data);
    cairo_status_t status = cairo_status (cr);
    cairo_destroy (cr);
    if (status == CAIRO_STATUS_SUCCESS && file->kind == PV_PICTURE_PNG &&
        !pv_png_append (bytes, surface))
        status = CAIRO_STATUS_NO_MEMORY;
    cairo_surface_finish (surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status (surface);
    cairo_surface_destroy (surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return true;
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, _ ("cannot draw the picture: %s"),
                 cairo_status_to_string (status));
    return false;
}

/* cairo has no tooltips: elements come after its picture, before the end of the document. Frees the
 * picture before they are made: neither is small. */
static void
write_elements (PvWriter *writer, GByteArray *bytes, PvPictureAppend append, void *data)
{
    static const char end_tag[] = "</svg>";
    const char *end = g_strrstr_len ((const char *)bytes->data, bytes->len, end_tag);
    const size_t len = end != NULL ? (size_t)(end - (const char *)bytes->data) : bytes->len;
    pv_writer_write (writer, (const char *)bytes->data, len);
    g_byte_array_unref (bytes);
    if (end == NULL)
        return;
    GString *svg = g_string_new (NULL);
    append (svg, data);
    g_string_append_printf (svg, "%s\n", end_tag);
    pv_writer_write (writer, svg->str, svg->len);
    g_string_free (svg, TRUE);
}

/* Frees the bytes. append NULL: there is nothing more. */
static bool
write_file (const char *path, GByteArray *bytes, PvPictureAppend append, void *data, GError **error)
{
    g_auto (PvOutput) output = {.mode = -1};
    PvWriter writer;
    if (!pv_output_begin (&output, path, error) ||
        !pv_writer_open (&writer, output.work_path, error)) {
        g_byte_array_unref (bytes);
        return false;
    }
    if (append != NULL) {
        write_elements (&writer, bytes, append, data);
    } else {
        pv_writer_write (&writer, (const char *)bytes->data, bytes->len);
        g_byte_array_unref (bytes);
    }
    return pv_writer_close (&writer, error) && pv_output_commit (&output, error);
}

bool
pv_picture_write (const char *path, const PvPictureFile *file, PvPictureDraw draw,
                  PvPictureAppend append, void *data, GError **error)
{
    g_assert (path != NULL && file != NULL && draw != NULL);

    GByteArray *bytes = g_byte_array_new ();
    if (render (file, draw, data, bytes, error))
        return write_file (path, bytes, file->kind == PV_PICTURE_SVG ? append : NULL, data, error);
    g_byte_array_unref (bytes);
    return false;
}
