/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/exports.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/output.h"
#include "core/load/page/save-page.h"
#include "core/load/save-callgrind.h"
#include "core/load/save-firefox.h"
#include "core/load/save-pack.h"
#include "core/load/save-pprof.h"
#include "core/load/save-speedscope.h"
#include "export/pictures.h"
#include "export/report/report.h"
#include "render/draw/palette-json.h"
#include "render/draw/palette.h"

/* Writers */

/* True if samples were written; else an error. */
static bool
check_written (const PvExportRequest *request, bool is_written, uint64_t n_samples, GError **error)
{
    if (is_written && n_samples == 0)
        pv_export_set_nothing_matches (request, error);
    return is_written && n_samples > 0;
}

static bool
write_folded (const PvExportRequest *request, const char *path, PvJob *job, GError **error)
{
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build (request->profile, request->symbols, request->query, NULL, job, error);
    return tree != NULL && check_written (request, true, tree->total[0], error) &&
           pv_report_export_folded (tree, path, error);
}

static bool
write_pprof (const PvExportRequest *request, const char *path, PvJob *job, GError **error)
{
    uint64_t n_samples = 0;
    bool is_written = pv_save_pprof (request->profile, request->symbols, request->query, path,
                                     &n_samples, job, error);
    return check_written (request, is_written, n_samples, error);
}

static bool
write_speedscope (const PvExportRequest *request, const char *path, PvJob *job, GError **error)
{
    g_autofree char *title = pv_export_make_title (request);
    uint64_t n_samples = 0;
    bool is_written = pv_save_speedscope (request->profile, request->symbols, request->query, title,
                                          path, &n_samples, job, error);
    return check_written (request, is_written, n_samples, error);
}

static bool
write_firefox (const PvExportRequest *request, const char *path, PvJob *job, GError **error)
{
    g_autofree char *title = pv_export_make_title (request);
    uint64_t n_samples = 0;
    bool is_written =
        pv_save_firefox (request->profile, request->symbols, request->query, title, path,
                         g_str_has_suffix (path, ".gz"), &n_samples, job, error);
    return check_written (request, is_written, n_samples, error);
}

static bool
write_callgrind (const PvExportRequest *request, const char *path, PvJob *job, GError **error)
{
    uint64_t n_samples = 0;
    bool is_written = pv_save_callgrind (request->profile, request->symbols, request->query, path,
                                         &n_samples, job, error);
    return check_written (request, is_written, n_samples, error);
}

static bool
write_page (const PvExportRequest *request, const char *path, PvJob *job, GError **error)
{
    g_autofree char *json = pv_palette_format_json ();
    const PvPageColors colors = {json, pv_palette_hue_by_choice};
    bool has_any = false;
    bool is_written = pv_save_page (request->profile, request->symbols, request->query, &colors,
                                    request->name, path, &has_any, job, error);
    return check_written (request, is_written, has_any, error);
}

static bool
write_pack (const PvExportRequest *request, const char *path, PvJob *job, GError **error)
{
    const PvPackSources sources = {.options = &request->options->symbols,
                                   .paths = request->sources};
    return pv_save_pack (request->profile, request->symbols,
                         request->options->with_sources ? &sources : NULL, path, job, error);
}

static bool
write_table (const PvExportRequest *request, const char *path, PvJob *job, GError **error)
{
    const PvExportOptions *options = request->options;
    g_autoptr (GString) text = g_string_new (NULL);
    PvPrint print = options->print != PV_PRINT_NONE ? options->print : PV_PRINT_TOP;
    PvWriter writer;
    if (!pv_writer_open (&writer, path, error))
        return false;
    bool is_done =
        pv_report_write (print, options, request->profile, request->symbols, request->query,
                         pv_export_find (path)->format,
                         &(PvTextSink){text, pv_writer_take, &writer}, request->remarks, error);
    pv_writer_take (text, &writer);
    return pv_writer_close (&writer, is_done ? error : NULL) && is_done;
}

/* The table */

const PvExport pv_exports[] = {
    {.endings = {".svg"}, .content = PV_EXPORT_PICTURE, .write = pv_export_write_picture},
    {.endings = {".png"}, .content = PV_EXPORT_PICTURE, .write = pv_export_write_picture},
    {.endings = {".pdf"}, .content = PV_EXPORT_PICTURE, .write = pv_export_write_picture},
    {.endings = {".html", ".htm"},
     .label = N_ ("We_b Page (.html)…"),
     .title = N_ ("Save as Web Page"),
     .filter = N_ ("Web page (.html)"),
     .content = PV_EXPORT_PAGE,
     .write = write_page},
    {.endings = {".dot"},
     .label = N_ ("_Graphviz (.dot)…"),
     .title = N_ ("Save the Call Graph for Graphviz"),
     .filter = N_ ("Graph (.dot)"),
     .content = PV_EXPORT_GRAPH,
     .write = pv_export_write_dot},
    {.endings = {".folded"},
     .label = N_ ("Fol_ded Stacks (.folded)…"),
     .title = N_ ("Save Folded Stacks"),
     .filter = N_ ("Folded stacks (.folded)"),
     .content = PV_EXPORT_STACKS,
     .has_measure = true,
     .write = write_folded},
    {.endings = {".pb.gz"},
     .label = N_ ("pp_rof Profile (.pb.gz)…"),
     .title = N_ ("Save as pprof Profile"),
     .filter = N_ ("Profile for pprof (.pb.gz)"),
     .content = PV_EXPORT_STACKS,
     .no_groups = N_ ("keeps threads and labels as they are"),
     .write = write_pprof},
    {.endings = {".speedscope.json"},
     .label = N_ ("_Speedscope (.speedscope.json)…"),
     .title = N_ ("Save for Speedscope"),
     .filter = N_ ("Profile for Speedscope (.speedscope.json)"),
     .content = PV_EXPORT_STACKS,
     .no_groups = N_ ("has a profile for each thread"),
     .no_signed = true,
     .has_measure = true,
     .write = write_speedscope},
    {.endings = {".profile.json.gz", ".profile.json"},
     .label = N_ ("_Firefox Profiler (.profile.json.gz)…"),
     .title = N_ ("Save for the Firefox Profiler"),
     .filter = N_ ("Profile for the Firefox Profiler (.profile.json.gz)"),
     .content = PV_EXPORT_STACKS,
     .no_groups = N_ ("keeps threads as they are"),
     .has_measure = true,
     .write = write_firefox},
    {.endings = {".callgrind"},
     .prefix = "callgrind.out.",
     .label = N_ ("_KCachegrind (.callgrind)…"),
     .title = N_ ("Save for KCachegrind"),
     .filter = N_ ("Callgrind file (.callgrind)"),
     .content = PV_EXPORT_STACKS,
     .no_groups = N_ ("has functions and their calls"),
     .no_signed = true,
     .write = write_callgrind},
    {.endings = {".tsv"},
     .label = N_ ("Functions as _TSV (.tsv)…"),
     .title = N_ ("Save the Functions as a Table"),
     .filter = N_ ("Table with tabs (.tsv)"),
     .content = PV_EXPORT_TABLE,
     .format = PV_FORMAT_TSV,
     .has_measure = true,
     .write = write_table},
    {.endings = {".csv"},
     .label = N_ ("Functions as _CSV (.csv)…"),
     .title = N_ ("Save the Functions as a Table"),
     .filter = N_ ("Table with commas (.csv)"),
     .content = PV_EXPORT_TABLE,
     .format = PV_FORMAT_CSV,
     .has_measure = true,
     .write = write_table},
    {.endings = {".json"},
     .label = N_ ("Functions as _JSON (.json)…"),
     .title = N_ ("Save the Functions as JSON"),
     .filter = N_ ("JSON (.json)"),
     .content = PV_EXPORT_TABLE,
     .format = PV_FORMAT_JSON,
     .has_measure = true,
     .write = write_table},
    {.endings = {".profview"},
     .label = N_ ("Pack to _Open Elsewhere (.profview)…"),
     .title = N_ ("Pack to Open Elsewhere"),
     .filter = N_ ("Pack of a profile (.profview)"),
     .content = PV_EXPORT_PACK,
     .no_groups = N_ ("has the whole profile"),
     .write = write_pack},
};
const size_t pv_n_exports = G_N_ELEMENTS (pv_exports);

/* The length of the ending that a name has; 0: none. A name that is nothing else has no ending. */
static size_t
match_ending (const PvExport *export, const char *name)
{
    size_t longest = 0;
    for (size_t i = 0; i < G_N_ELEMENTS (export->endings) && export->endings[i] != NULL; i++) {
        const char *ending = export->endings[i];
        if (g_str_has_suffix (name, ending) && strcmp (name, ending) != 0)
            longest = MAX (longest, strlen (ending));
    }
    return longest;
}

const PvExport *
pv_export_find (const char *path)
{
    g_assert (path != NULL);
    g_autofree char *base = g_path_get_basename (path);
    g_autofree char *name = g_ascii_strdown (base, -1);
    const PvExport *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < pv_n_exports; i++) {
        size_t length = match_ending (&pv_exports[i], name);
        if (length > longest)
            found = &pv_exports[i];
        longest = MAX (longest, length);
    }
    for (size_t i = 0; i < pv_n_exports && found == NULL; i++)
        if (pv_exports[i].prefix != NULL && g_str_has_prefix (name, pv_exports[i].prefix))
            found = &pv_exports[i];
    return found;
}

char *
pv_export_list_endings (void)
{
    g_autoptr (GPtrArray) endings = g_ptr_array_new ();
    for (size_t i = 0; i < pv_n_exports; i++)
        for (size_t e = 0; e < G_N_ELEMENTS (pv_exports[i].endings); e++)
            if (pv_exports[i].endings[e] != NULL)
                g_ptr_array_add (endings, (gpointer)pv_exports[i].endings[e]);
    const char *last = g_ptr_array_steal_index (endings, endings->len - 1);
    g_ptr_array_add (endings, NULL);
    g_autofree char *others = g_strjoinv (", ", (char **)endings->pdata);
    /* Translators: all endings of file names but the last one, and that */
    return g_strdup_printf (_ ("%s or %s"), others, last);
}

bool
pv_export_write (const PvExport *export, const PvExportRequest *request, const char *path,
                 PvJob *job, GError **error)
{
    g_assert (export != NULL && request != NULL && path != NULL);
    const PvProfile *profile = request->profile;
    PvMeasureId measure = request->query->measure;
    g_auto (PvOutput) output = {.mode = -1};
    if (export->no_signed && pv_profile_has_weights (profile, measure) &&
        pv_profile_get_pair (profile, measure) != NULL) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                     /* Translators: an ending of file names */
                     _ ("signed amounts cannot be written as %s"), export->endings[0]);
        return false;
    }
    return pv_output_begin (&output, path, error) &&
           export->write (request, output.work_path, job, error) &&
           pv_output_commit (&output, error);
}
