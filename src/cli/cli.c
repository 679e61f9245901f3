/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/check.h"
#include "cli/graph-export.h"
#include "cli/loading/comparing.h"
#include "cli/loading/progress-line.h"
#include "cli/loading/sources.h"
#include "cli/loading/stream.h"
#include "cli/loading/symbol-fetching.h"
#include "cli/options/fetching.h"
#include "cli/options/options-parse.h"
#include "cli/recording.h"
#include "cli/source-export.h"
#include "core/analyze/series/series-build.h"
#include "core/analyze/tree/sandwich.h"
#include "core/base/intern.h"
#include "core/load/load.h"
#include "core/load/page/save-page.h"
#include "core/load/save-callgrind.h"
#include "core/load/save-firefox.h"
#include "core/load/save-pack.h"
#include "core/load/save-pprof.h"
#include "core/load/save-speedscope.h"
#include "core/model/anonymous/anonymize.h"
#include "core/write/escape.h"
#include "export/report/print-parts.h"
#include "export/report/report.h"
#include "export/report/runs-report.h"
#include "export/report/timeline.h"
#include "fetch/fetch-url.h"
#include "render/draw/palette-json.h"
#include "render/draw/palette.h"
#include "render/draw/work-kinds.h"
#include "render/export/export.h"

/* What is written for the name of a file that nobody is to know. */
#define ANONYMOUS_NAME "profile"

enum { DEFAULT_WIDTH = 1200, CHART_LAYERS = 12 };
enum { EXIT_OK = 0, EXIT_CANNOT_READ = 1, EXIT_BAD_USAGE = 2, EXIT_CHECK_FAILED = 3 };

static bool
is_option (const char *argument, const char *name)
{
    size_t length = strlen (name);
    return strncmp (argument, name, length) == 0 &&
           (argument[length] == '\0' || argument[length] == '=');
}

static bool
has_option (int argc, char **argv, const char *const *names, size_t n_names)
{
    for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
        for (size_t n = 0; n < n_names; n++)
            if (is_option (argv[i], names[n]))
                return true;
    return false;
}

static bool
has_display (void)
{
    const char *x11 = g_getenv ("DISPLAY");
    const char *wayland = g_getenv ("WAYLAND_DISPLAY");
    return (x11 != NULL && *x11 != '\0') || (wayland != NULL && *wayland != '\0');
}

bool
pv_cli_is_recording (int argc, char **argv)
{
    static const char *const names[] = {"--record"};
    return has_option (argc, argv, names, G_N_ELEMENTS (names));
}

bool
pv_cli_is_headless (int argc, char **argv)
{
    static const char *const always[] = {"--print", "--export",  "--check",
                                         "--help",  "--version", "-h"};
    static const char *const without_window[] = {"--output", "--duration"};
    if (has_option (argc, argv, always, G_N_ELEMENTS (always)))
        return true;
    return pv_cli_is_recording (argc, argv) &&
           (!has_display () ||
            has_option (argc, argv, without_window, G_N_ELEMENTS (without_window)));
}

static int
fail (int status, const char *file, const char *message)
{
    g_autofree char *shown_file = file != NULL ? pv_make_showable (file, strlen (file)) : NULL;
    g_auto (GStrv) lines = g_strsplit (message, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        char *shown = pv_make_showable (*line, strlen (*line));
        g_free (*line);
        *line = shown;
    }
    g_autofree char *text = g_strjoinv ("\n", lines);
    if (file != NULL)
        fprintf (stderr, "profview: %s: %s\n", shown_file, text);
    else
        fprintf (stderr, "profview: %s\n", text);
    return status;
}

static int
fail_usage (const char *message)
{
    fail (EXIT_BAD_USAGE, NULL, message);
    fprintf (stderr, "%s\n", _ ("Try “profview --help”."));
    return EXIT_BAD_USAGE;
}

static void
insert_paths (GVariantDict *request, const char *key, char **paths)
{
    if (paths != NULL)
        g_variant_dict_insert_value (request, key,
                                     g_variant_new_bytestring_array ((const char **)paths, -1));
}

/* Whether the files are compared or joined: then one of them is named in each message. */
static bool
has_sides (const PvOptions *options)
{
    return options->is_diff || options->with_files != NULL;
}

static void
insert_scale (GVariantDict *request, const PvOptions *options)
{
    g_variant_dict_insert (request, "scale", "u", (guint32)options->out.scale);
    if (options->out.scale_function != NULL)
        g_variant_dict_insert (request, "scale-function", "s", options->out.scale_function);
}

/* What a window needs to know of a comparison. */
static void
insert_comparison (GVariantDict *request, const PvOptions *options)
{
    g_auto (GStrv) own = pv_cli_compare_list_words (options, false, false);
    g_auto (GStrv) base = pv_cli_compare_list_words (options, true, true);
    g_auto (GStrv) new_ = pv_cli_compare_list_words (options, true, false);
    g_variant_dict_insert (request, "diff", "b", true);
    insert_paths (request, "base-files", options->base_files);
    insert_paths (request, "query", own);
    insert_paths (request, "base-query", base);
    insert_paths (request, "new-query", new_);
    insert_paths (request, "rename", options->renames);
    insert_scale (request, options);
    if (options->width_part == PV_PART_SIDE)
        g_variant_dict_insert (request, "width-side", "u", (guint32)options->width_side);
    g_variant_dict_insert (request, "side-by-side", "b", options->out.is_side_by_side);
}

/* The same of what is joined. */
static void
insert_joined (GVariantDict *request, const PvOptions *options)
{
    g_auto (GStrv) own = pv_cli_compare_list_words (options, false, false);
    g_auto (GStrv) sides = pv_cli_compare_list_words (options, true, false);
    insert_paths (request, "with-files", options->with_files);
    insert_paths (request, "query", own);
    insert_paths (request, "side-query", sides);
}

/* Runs are asked all words; the comparison of two of them, in the way of all comparisons. */
static void
insert_runs (GVariantDict *request, const PvOptions *options)
{
    g_auto (GStrv) own = pv_cli_compare_list_words (options, false, false);
    g_auto (GStrv) sides = pv_cli_compare_list_words (options, true, false);
    g_variant_dict_insert (request, "runs", "b", true);
    insert_paths (request, "query", own);
    insert_paths (request, "new-query", sides);
    insert_paths (request, "runs-query", options->words.options);
    insert_scale (request, options);
}

/* Path maps are byte strings too: they may not be UTF-8. */
static GVariant *
make_window_request (const PvOptions *options)
{
    g_auto (GVariantDict) request;
    char *sysroots[] = {options->sysroot, NULL};
    g_variant_dict_init (&request, NULL);
    insert_paths (&request, "files", options->files);
    insert_paths (&request, "sysroot", sysroots);
    insert_paths (&request, "symbol-path", options->symbol_paths);
    insert_paths (&request, "map-path", options->path_maps);
    if (options->is_diff)
        insert_comparison (&request, options);
    else if (options->with_files != NULL)
        insert_joined (&request, options);
    else if (options->is_runs)
        insert_runs (&request, options);
    else
        insert_paths (&request, "query", options->words.options);
    g_variant_dict_insert (&request, "no-demangle", "b", options->no_demangle);
    g_variant_dict_insert (&request, "merge", "b", options->is_merged);
    g_variant_dict_insert (&request, "series", "b", options->is_series);
    return g_variant_ref_sink (g_variant_dict_end (&request));
}

/* The options are copies of the arguments; the command to record keeps its own. */
static void
hide_secrets (int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
        pv_fetch_hide_secrets (argv[i]);
}

int
pv_cli_parse_for_window (int argc, char **argv, GVariant **ret_request, PvRecordPlan **ret_plan)
{
    g_assert (ret_request != NULL && ret_plan != NULL);

    g_autoptr (GError) error = NULL;
    g_auto (PvOptions) options;
    pv_options_init (&options);
    *ret_request = NULL;
    *ret_plan = NULL;
    if (argc > 1 && g_str_has_prefix (argv[1], "--gapplication-"))
        return EXIT_OK;
    bool is_parsed = pv_options_parse (&options, argc, argv, &error);
    hide_secrets (argc, argv);
    if (!is_parsed)
        return fail_usage (error->message);
    if (options.headless_option != NULL) {
        g_autofree char *message = g_strdup_printf (
            _ ("%s can only be used with --print or --export"), options.headless_option);
        return fail_usage (message);
    }
    *ret_request = make_window_request (&options);
    *ret_plan = g_steal_pointer (&options.record_plan);
    return EXIT_OK;
}

/* For errors after reading: options do not apply to this profile, or output cannot be written. */
static int
fail_with (const char *file, const GError *error)
{
    bool is_usage = (error->domain == G_REGEX_ERROR && error->code != G_REGEX_ERROR_MATCH) ||
                    g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
    return fail (is_usage ? EXIT_BAD_USAGE : EXIT_CANNOT_READ, file, error->message);
}

/* --- writing --- */

typedef struct {
    FILE *file;
    int code; /* errno of the first failed write; or 0 */
} Writer;

static void
write_text (Writer *writer, const char *text, size_t len)
{
    errno = 0;
    if (writer->code == 0 && fwrite (text, 1, len, writer->file) != len)
        writer->code = errno != 0 ? errno : EIO;
}

/* The write callback of a PvTextSink: writes the text and empties it. */
static void
write_piece (GString *text, void *writer)
{
    write_text (writer, text->str, text->len);
    g_string_truncate (text, 0);
}

static void
write_rest (Writer *writer)
{
    if (writer->code == 0 && fflush (writer->file) != 0)
        writer->code = errno;
}

/* --- print --- */

static void
begin_source (const PvOptions *options, const PvCliSource *source, unsigned index, GString *out)
{
    g_autofree char *name = options->is_anonymous
                                ? g_strdup_printf (ANONYMOUS_NAME " %u", index + 1)
                                : g_filename_display_name (source->title);
    g_autofree char *line = NULL;
    switch (options->out.format) {
    case PV_FORMAT_TEXT:
        g_string_append_printf (out, "%s== %s ==\n", index > 0 ? "\n" : "", name);
        break;
    case PV_FORMAT_TSV:
    case PV_FORMAT_CSV:
        line = g_strconcat ("# ", name, NULL);
        pv_format_append_cell (options->out.format, out, true, line);
        g_string_append_c (out, '\n');
        break;
    case PV_FORMAT_JSON:
        g_string_append (out, index > 0 ? ",\n{\"file\": " : "[{\"file\": ");
        pv_json_append_string (out, name);
        g_string_append (out, ", \"result\":\n");
        break;
    }
}

/* State of printing one file after the other. */
typedef struct {
    const PvOptions *options;
    bool has_headings; /* there are several files */
    unsigned n_begun;
    const PvCliSource *source; /* current; NULL once its heading is printed */
    Writer writer;
} Printing;

/* Like write_piece (), with the source's heading before its first text. */
static void
print_piece (GString *text, void *user)
{
    Printing *printing = user;
    const PvCliSource *source = g_steal_pointer (&printing->source);
    if (source != NULL && printing->has_headings) {
        g_autoptr (GString) heading = g_string_new (NULL);
        begin_source (printing->options, source, printing->n_begun++, heading);
        write_piece (heading, &printing->writer);
    }
    write_piece (text, &printing->writer);
}

static bool
load (const PvOptions *options, const PvCliSource *source, PvCliLoaded *loaded, GError **error)
{
    return has_sides (options) ? pv_cli_compare_load (options, loaded, error)
                               : pv_cli_source_load (source, options, loaded, error);
}

/* Puts pseudonyms in place of names. */
static void
anonymize (PvCliLoaded *loaded)
{
    PvCliLoaded hidden;
    pv_anonymize (loaded->profile, loaded->symbols, &hidden.profile, &hidden.symbols);
    pv_cli_loaded_clear (loaded);
    *loaded = hidden;
}

/* The query of the options about what was loaded. Names that are looked for would be those that
 * must not be seen, and are not there. */
static bool
prepare (const PvOptions *options, PvCliLoaded *loaded, PvQuery *query, GError **error)
{
    if (options->is_anonymous)
        anonymize (loaded);
    if (!pv_cli_make_query (options, loaded, query, error))
        return false;
    bool asks_names = query->n_labels > 0 || options->out.function != NULL;
    for (uint32_t i = 0; i < query->n_transforms; i++)
        asks_names |= query->transforms[i].expression != NULL;
    if (!options->is_anonymous || !asks_names)
        return true;
    pv_query_clear (query);
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         _ ("--anonymize does not go with options that look for names. Export a "
                            "pack with it, and ask that for its pseudonyms"));
    return false;
}

/* Says on standard error which conditions of --check do not hold. */
static int
judge_checks (const PvOptions *options, const char *path, const PvCliLoaded *loaded,
              const PvQuery *query)
{
    int status = EXIT_OK;
    for (char **condition = options->checks; condition != NULL && *condition != NULL; condition++) {
        g_autofree char *failure = NULL;
        g_autoptr (GError) error = NULL;
        if (!pv_check_judge (*condition, loaded->profile, loaded->symbols, query, &failure, &error))
            return fail_with (path, error);
        if (failure != NULL)
            status = fail (EXIT_CHECK_FAILED, path, failure);
    }
    return status;
}

static int
print_source (Printing *printing, const PvCliSource *source)
{
    const PvOptions *options = printing->options;
    const char *path = has_sides (options) ? NULL : source->title;
    g_autoptr (GError) error = NULL;
    g_auto (PvCliLoaded) loaded = {0};
    PvQuery query;
    if (!load (options, source, &loaded, &error) || !prepare (options, &loaded, &query, &error))
        return fail_with (path, error);
    g_autoptr (GString) text = g_string_new (NULL);
    printing->source = source;
    bool is_done =
        options->out.print == PV_PRINT_NONE ||
        pv_report_write (options->out.print, &options->out, loaded.profile, loaded.symbols, &query,
                         options->out.format, &(PvTextSink){text, print_piece, printing}, &error);
    bool is_complete = is_done && pv_query_check_complete (&query, &error);
    int judged = is_complete ? judge_checks (options, path, &loaded, &query) : EXIT_OK;
    pv_query_clear (&query);
    if (!is_done)
        return fail_with (path, error);
    if (printing->has_headings && options->out.format == PV_FORMAT_JSON)
        g_string_append_c (text, '}');
    if (options->out.print != PV_PRINT_NONE)
        print_piece (text, printing);
    return is_complete ? judged : fail_with (path, error);
}

/* Prints one file as it is. Several get a heading each in text, a comment line each in TSV, or form
 * an array of objects in JSON. If a file cannot be read, the others are still printed. */
static int
print_all (const PvOptions *options)
{
    g_autoptr (GPtrArray) sources = pv_cli_sources_new (options);
    Printing printing = {
        .options = options, .has_headings = sources->len > 1, .writer.file = stdout};
    bool is_array = printing.has_headings && options->out.format == PV_FORMAT_JSON;
    int status = EXIT_OK;
    for (guint i = 0; i < sources->len && printing.writer.code == 0; i++) {
        int source_status = print_source (&printing, sources->pdata[i]);
        status = MAX (status, source_status);
        write_rest (&printing.writer);
    }
    const char *end = !is_array ? "" : printing.n_begun > 0 ? "]\n" : "[]\n";
    write_text (&printing.writer, end, strlen (end));
    write_rest (&printing.writer);
    if (printing.writer.code != 0)
        return fail (EXIT_CANNOT_READ, _ ("standard output"), g_strerror (printing.writer.code));
    return status;
}

/* --- export --- */

typedef enum {
    EXPORT_UNKNOWN,
    EXPORT_PICTURE,
    EXPORT_DOT,
    EXPORT_FOLDED,
    EXPORT_PPROF,
    EXPORT_SPEEDSCOPE,
    EXPORT_FIREFOX,
    EXPORT_CALLGRIND,
    EXPORT_PAGE,
    EXPORT_TSV,
    EXPORT_CSV,
    EXPORT_JSON,
    EXPORT_PACK
} ExportKind;

/* The last matching ending wins, so longer endings come later. A bare ".svg" has no ending. */
static ExportKind
find_export_kind (const char *path)
{
    static const struct {
        const char *ending;
        ExportKind kind;
    } kinds[] = {{".svg", EXPORT_PICTURE},
                 {".png", EXPORT_PICTURE},
                 {".pdf", EXPORT_PICTURE},
                 {".dot", EXPORT_DOT},
                 {".folded", EXPORT_FOLDED},
                 {".pb.gz", EXPORT_PPROF},
                 {".tsv", EXPORT_TSV},
                 {".csv", EXPORT_CSV},
                 {".json", EXPORT_JSON},
                 {".speedscope.json", EXPORT_SPEEDSCOPE},
                 {".profile.json", EXPORT_FIREFOX},
                 {".profile.json.gz", EXPORT_FIREFOX},
                 {".callgrind", EXPORT_CALLGRIND},
                 {".html", EXPORT_PAGE},
                 {".htm", EXPORT_PAGE},
                 {".profview", EXPORT_PACK}};
    g_autofree char *base = g_path_get_basename (path);
    g_autofree char *name = g_ascii_strdown (base, -1);
    ExportKind kind = EXPORT_UNKNOWN;
    for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
        if (g_str_has_suffix (name, kinds[i].ending) && strcmp (name, kinds[i].ending) != 0)
            kind = kinds[i].kind;
    }
    /* As callgrind names its files: "callgrind.out.PID". */
    if (kind == EXPORT_UNKNOWN && g_str_has_prefix (name, "callgrind.out."))
        return EXPORT_CALLGRIND;
    return kind;
}

static bool
is_export_table (ExportKind kind)
{
    return kind == EXPORT_TSV || kind == EXPORT_CSV || kind == EXPORT_JSON;
}

static PvFormat
get_table_format (ExportKind kind)
{
    return kind == EXPORT_TSV ? PV_FORMAT_TSV : kind == EXPORT_CSV ? PV_FORMAT_CSV : PV_FORMAT_JSON;
}

/* NULL, or the usage error. */
static const char *
check_export (const PvOptions *options)
{
    ExportKind kind = find_export_kind (options->export_path);
    bool is_table = is_export_table (kind);
    if (options->is_anonymous && options->out.with_sources)
        return _ ("--anonymize does not go with --with-sources");
    if (kind == EXPORT_UNKNOWN)
        return _ (
            "--export: the name must end in .svg, .png, .pdf, .dot, .folded, .pb.gz, "
            ".speedscope.json, .profile.json, .profile.json.gz, .callgrind, .profview, .html, "
            ".tsv, .csv or .json");
    if (!is_table && options->out.print != PV_PRINT_NONE)
        return _ ("--export: tables (--print) can only be written as .tsv, .csv or .json");
    if (!is_table && (options->out.limit != PV_LIMIT_DEFAULT ||
                      options->out.min_percent != PV_MIN_PERCENT_DEFAULT))
        return _ ("--limit and --min-percent are for tables, not for pictures or stacks");
    if (!is_table && options->is_runs)
        return _ ("--export: runs can only be written as .tsv, .csv or .json");
    if (kind == EXPORT_PPROF && options->words.query.grouping != PV_GROUP_NONE)
        return _ ("--group does not apply to .pb.gz, which keeps threads and labels as they are");
    if (kind == EXPORT_SPEEDSCOPE && options->words.query.grouping != PV_GROUP_NONE)
        return _ (
            "--group does not apply to .speedscope.json, which has a profile for each thread");
    if (kind == EXPORT_FIREFOX && options->words.query.grouping != PV_GROUP_NONE)
        return _ ("--group does not apply to .profile.json, which keeps threads as they are");
    if (kind == EXPORT_CALLGRIND && options->words.query.grouping != PV_GROUP_NONE)
        return _ ("--group does not apply to .callgrind, which has functions and their calls");
    if (kind == EXPORT_PACK && options->words.query.grouping != PV_GROUP_NONE)
        return _ ("--group does not apply to .profview, which has the whole profile");
    if (kind != EXPORT_PACK && options->out.with_sources)
        return _ ("--with-sources is for packs: .profview");
    if (kind != EXPORT_PICTURE && (options->out.width != 0 || options->out.height != 0))
        return _ ("--width and --height are for pictures");
    if (kind != EXPORT_TSV && kind != EXPORT_CSV && options->out.has_header)
        return _ ("--header applies to tables in TSV or CSV: --format=tsv or --export=NAME.tsv");
    if (kind != EXPORT_PICTURE && options->out.chart != PV_N_CHARTS)
        return _ ("--chart is for pictures: .svg, .png or .pdf");
    bool is_graph =
        kind == EXPORT_DOT || (kind == EXPORT_PICTURE && options->out.view == PV_VIEW_GRAPH);
    if (is_graph && options->words.query.grouping != PV_GROUP_NONE)
        return _ ("--group does not apply to call graphs");
    if (!is_graph && pv_cli_has_graph_options (options))
        return _ ("--nodecount, --nodefraction, --edgefraction, --callers and --callees are for "
                  "call graphs: .dot, or --view=graph");
    if (kind == EXPORT_DOT && options->out.view == PV_VIEW_GRAPH)
        return NULL;
    if (kind != EXPORT_PICTURE && options->out.view != PV_VIEW_UNSET)
        return _ ("--view is for pictures: .svg, .png or .pdf");
    if (options->out.chart != PV_N_CHARTS && options->out.view != PV_VIEW_UNSET)
        return _ ("--view and --chart cannot be used together");
    return NULL;
}

static bool
export_table (const PvOptions *options, const char *out_path, const PvCliLoaded *loaded,
              const PvQuery *query, PvFormat format, GError **error)
{
    g_autoptr (GString) text = g_string_new (NULL);
    PvPrint print = options->out.print != PV_PRINT_NONE ? options->out.print : PV_PRINT_TOP;
    Writer writer = {.file = fopen (out_path, "we")};
    bool is_done = true;
    if (writer.file != NULL) {
        is_done = pv_report_write (print, &options->out, loaded->profile, loaded->symbols, query,
                                   format, &(PvTextSink){text, write_piece, &writer}, error);
        write_piece (text, &writer);
        write_rest (&writer);
    }
    if (writer.file == NULL || (fclose (writer.file) != 0 && writer.code == 0))
        writer.code = errno;
    if (is_done && writer.code != 0)
        g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (writer.code),
                             g_strerror (writer.code));
    return is_done && writer.code == 0;
}

/* what: NULL for the name alone. */
static char *
make_title (const char *path, const char *what)
{
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *shown = NULL;
    if (g_str_equal (path, "-"))
        shown = g_strdup (_ ("standard input"));
    else if (pv_fetching_is_url (path))
        shown = g_strdup (path);
    else
        shown = g_filename_display_name (name);
    return what != NULL ? g_strdup_printf ("%s: %s", shown, what) : g_steal_pointer (&shown);
}

static char *
make_title_of_measure (const char *path, const PvProfile *profile, const PvQuery *query)
{
    bool has_measure = query->measure < profile->n_measures;
    return make_title (path, has_measure ? profile->measures[query->measure].name : NULL);
}

static void
set_nothing_matches (const PvProfile *profile, GError **error)
{
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                         profile->heap != NULL ? _ ("nothing matches the query")
                                               : _ ("no samples match the query"));
}

static bool
export_pprof (const char *out_path, const PvCliLoaded *loaded, const PvQuery *query, PvJob *job,
              GError **error)
{
    uint64_t n_samples;
    if (!pv_save_pprof (loaded->profile, loaded->symbols, query, out_path, &n_samples, job, error))
        return false;
    if (n_samples == 0)
        set_nothing_matches (loaded->profile, error);
    return n_samples > 0;
}

static bool
export_speedscope (const char *path, const char *out_path, const PvCliLoaded *loaded,
                   const PvQuery *query, PvJob *job, GError **error)
{
    g_autofree char *title = make_title_of_measure (path, loaded->profile, query);
    uint64_t n_samples;
    if (pv_profile_get_pair (loaded->profile, query->measure) != NULL) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                             _ ("what goes both ways cannot be written as .speedscope.json"));
        return false;
    }
    if (!pv_save_speedscope (loaded->profile, loaded->symbols, query, title, out_path, &n_samples,
                             job, error))
        return false;
    if (n_samples == 0)
        set_nothing_matches (loaded->profile, error);
    return n_samples > 0;
}

static bool
export_firefox (const PvOptions *options, const char *path, const char *out_path,
                const PvCliLoaded *loaded, const PvQuery *query, PvJob *job, GError **error)
{
    g_autofree char *title = make_title_of_measure (path, loaded->profile, query);
    g_autofree char *name = g_ascii_strdown (options->export_path, -1);
    uint64_t n_samples;
    if (!pv_save_firefox (loaded->profile, loaded->symbols, query, title, out_path,
                          g_str_has_suffix (name, ".gz"), &n_samples, job, error))
        return false;
    if (n_samples == 0)
        set_nothing_matches (loaded->profile, error);
    return n_samples > 0;
}

static bool
export_callgrind (const char *out_path, const PvCliLoaded *loaded, const PvQuery *query, PvJob *job,
                  GError **error)
{
    uint64_t n_samples;
    if (query->measure < loaded->profile->n_measures &&
        pv_profile_get_pair (loaded->profile, query->measure) != NULL) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                             _ ("what goes both ways cannot be written as .callgrind"));
        return false;
    }
    if (!pv_save_callgrind (loaded->profile, loaded->symbols, query, out_path, &n_samples, job,
                            error))
        return false;
    if (n_samples == 0)
        set_nothing_matches (loaded->profile, error);
    return n_samples > 0;
}

static bool
export_page (const char *path, const char *out_path, const PvCliLoaded *loaded,
             const PvQuery *query, PvJob *job, GError **error)
{
    g_autofree char *title = make_title (path, NULL);
    g_autofree char *colors_json = pv_palette_format_json ();
    const PvPageColors colors = {colors_json, pv_palette_hue_by_module};
    bool has_any;
    if (!pv_save_page (loaded->profile, loaded->symbols, query, &colors, title, out_path, &has_any,
                       job, error))
        return false;
    if (!has_any)
        set_nothing_matches (loaded->profile, error);
    return has_any;
}

static double
get_width (const PvOptions *options)
{
    return options->out.width != 0 ? options->out.width : DEFAULT_WIDTH;
}

/* What is narrower than half a point of a flame graph is folded if that saves much. NULL, with an
 * error, if nothing matches. */
static PvCallTree *
build_picture_tree (const PvOptions *options, const PvCliLoaded *loaded, const PvQuery *query,
                    bool may_fold, GError **error)
{
    const PvTreeDetail detail = {.parts = (uint32_t)(get_width (options) * 2)};
    bool is_folded = may_fold && loaded->profile->n_stacks >= PV_FOLD_MIN_STACKS;
    g_autoptr (PvCallTree) tree =
        is_folded ? pv_call_tree_build_folded (loaded->profile, loaded->symbols, query, &detail,
                                               NULL, NULL, error)
                  : pv_call_tree_build (loaded->profile, loaded->symbols, query, NULL, NULL, error);
    if (tree != NULL && tree->total[0] == 0) {
        set_nothing_matches (loaded->profile, error);
        return NULL;
    }
    return g_steal_pointer (&tree);
}

/* The same without nodes. */
static PvCallTree *
build_stacks (const PvCliLoaded *loaded, const PvQuery *query, GError **error)
{
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (loaded->profile, loaded->symbols, query, NULL, NULL, error);
    if (tree != NULL && tree->total[0] == 0) {
        set_nothing_matches (loaded->profile, error);
        return NULL;
    }
    return g_steal_pointer (&tree);
}

/* Where there is a change: values is NULL otherwise. */
static void
color_by_change (PvFlameView *view, const PvNodeValues *values, const char *scale)
{
    if (values == NULL)
        return;
    view->colors = PV_COLOR_BY_CHANGE;
    view->values = values;
    view->scale_text = scale;
}

static bool
export_tree (const PvOptions *options, const char *path, const char *out_path,
             const PvCliLoaded *loaded, const PvQuery *query, ExportKind kind, GError **error)
{
    g_autoptr (PvCallTree) tree =
        build_picture_tree (options, loaded, query, kind != EXPORT_FOLDED, error);
    if (tree == NULL)
        return false;
    if (kind == EXPORT_FOLDED)
        return pv_report_export_folded (tree, out_path, error);
    g_autofree char *title = make_title_of_measure (path, loaded->profile, query);
    g_autofree char *scale = pv_print_describe_scale (&options->out, tree);
    g_autoptr (PvNodeValues) values =
        pv_node_values_have_sides (tree) ? pv_node_values_build (tree, NULL, NULL) : NULL;
    PvFlameView view;
    pv_flame_view_init (&view);
    view.width = get_width (options);
    view.height = options->out.height;
    color_by_change (&view, values, scale);
    if (options->out.is_side_by_side && values != NULL && values->tree_of_side[0] != NULL)
        return pv_export_side_by_side (out_path, values, &(PvFlameRange){0, 0, 1}, &view, title,
                                       error);
    if (options->out.view == PV_VIEW_TREEMAP)
        return pv_export_treemap (out_path, pv_node_values_find_new (values, tree), &view, title,
                                  error);
    return pv_export_flame_graph (out_path, tree, &view, title, error);
}

/* The busiest thread in the query's time range, of which it spans what the query says, else all
 * that the thread has. */
static bool
export_flame_chart (const PvOptions *options, const char *path, const char *out_path,
                    const PvCliLoaded *loaded, const PvQuery *query, GError **error)
{
    if (!pv_timeline_check ("--view=flamechart", loaded->profile, query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree = build_picture_tree (options, loaded, query, true, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvFlameChart) chart = pv_flame_chart_build (tree, PV_CHART_BUSIEST, NULL);
    if (chart->n_threads == 0) {
        set_nothing_matches (loaded->profile, error);
        return false;
    }
    uint64_t least_ns = (chart->end_ns - chart->start_ns) / (uint64_t)get_width (options);
    g_autoptr (PvCallTree) cut =
        pv_flame_chart_cut (chart, chart->start_ns, chart->end_ns, least_ns, NULL);
    g_autofree char *title = make_title_of_measure (path, loaded->profile, query);
    PvFlameView view;
    pv_flame_view_init (&view);
    view.width = get_width (options);
    view.height = options->out.height;
    return pv_export_flame_chart (out_path, chart, cut, &view, title, error);
}

/* The function takes the whole width; with --by=line its lines do, side by side. */
static void
init_half (PvFlameView *ret_view, const PvCallTree *tree, const PvOptions *options)
{
    uint64_t weight = 0;
    for (PvNodeId node = tree->first_child[0]; node < tree->first_child[1]; node++)
        weight += tree->total[node];
    pv_flame_view_init (ret_view);
    ret_view->width = options->out.width != 0 ? options->out.width : DEFAULT_WIDTH;
    ret_view->height = options->out.height;
    ret_view->zoom_right = (double)weight / (double)tree->total[0];
    if (tree->first_child[1] - tree->first_child[0] == 1)
        ret_view->zoom_node = tree->first_child[0];
}

static bool
export_sandwich (const PvOptions *options, const char *path, const char *out_path,
                 const PvCliLoaded *loaded, const PvQuery *query, GError **error)
{
    g_autoptr (PvCallTree) tree = build_stacks (loaded, query, error);
    if (tree == NULL)
        return false;
    PvFunctionId function = pv_report_find_function (tree, options->out.function, error);
    if (function == 0)
        return false;
    g_autoptr (PvSandwich) sandwich = pv_sandwich_build (tree, function, NULL, error);
    if (sandwich == NULL)
        return false;
    g_autofree char *title = make_title_of_measure (path, loaded->profile, query);
    PvFlameView callers, callees;
    init_half (&callers, sandwich->callers, options);
    init_half (&callees, sandwich->callees, options);
    g_autofree char *scale = pv_print_describe_scale (&options->out, tree);
    g_autoptr (PvNodeValues) above = NULL;
    g_autoptr (PvNodeValues) below = NULL;
    if (pv_node_values_have_sides (tree))
        pv_node_values_build_halves (sandwich, NULL, &above, &below, NULL);
    color_by_change (&callers, above, scale);
    color_by_change (&callees, below, scale);
    return pv_export_sandwich (out_path, sandwich, &callers, &callees, title, error);
}

static bool
has_cpus (const PvTimeIndex *index)
{
    for (uint32_t row = 0; row < index->n_rows; row++)
        if (index->rows[row].cpu != PV_CPU_UNKNOWN)
            return true;
    return false;
}

/* Rows of threads, or of CPUs. Sets an error if these are not known. */
static PvTracks *
make_tracks (const PvCallTree *tree, PvTimeRowKind kind, GError **error)
{
    g_autoptr (PvWorkKinds) kinds =
        pv_work_kinds_new (tree->profile, tree->symbols, PV_COLOR_BY_MODULE);
    g_autoptr (PvTimeIndex) index =
        pv_time_index_build (tree, kind, kinds->kind_of_function, kinds->n_kinds, NULL);
    if (kind == PV_TIME_CPUS && !has_cpus (index)) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                             _ ("--group=cpu: this profile does not say on which CPUs its samples "
                                "were taken"));
        return NULL;
    }
    uint32_t set = tree->profile->measures[index->measure].set;
    PvTracks *tracks =
        pv_tracks_new (g_steal_pointer (&index), g_memdup2 (kinds->hue_of_kind, kinds->n_kinds));
    pv_tracks_take_events (tracks, pv_event_index_new (tree->profile, set));
    pv_tracks_take_counters (tracks, pv_counter_index_build (tree->profile, NULL));
    if (kind == PV_TIME_THREADS) {
        pv_tracks_take_waits (tracks, pv_wait_index_build (tree->profile, NULL));
        pv_tracks_take_marks (tracks, pv_mark_index_build (tree->profile, set, NULL));
    }
    pv_tracks_take_quality (tracks,
                            pv_quality_index_build (tree->profile, tree->symbols, set, NULL));
    return tracks;
}

/* Spans the query's time range. */
static bool
export_timeline (const PvOptions *options, const char *path, const char *out_path,
                 const PvCliLoaded *loaded, const PvQuery *query, GError **error)
{
    PvQuery ungrouped = *query; /* what is grouped is rows */
    ungrouped.grouping = PV_GROUP_NONE;
    if (!pv_timeline_check ("--view=timeline", loaded->profile, query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (loaded->profile, loaded->symbols, &ungrouped, NULL, NULL, error);
    if (tree == NULL)
        return false;
    if (tree->total[0] == 0) {
        set_nothing_matches (loaded->profile, error);
        return false;
    }
    g_autoptr (PvTracks) tracks =
        make_tracks (tree, query->grouping == PV_GROUP_CPU ? PV_TIME_CPUS : PV_TIME_THREADS, error);
    if (tracks == NULL)
        return false;
    g_autofree char *title = make_title_of_measure (path, loaded->profile, query);
    PvTracksView view = {.width = options->out.width != 0 ? options->out.width : DEFAULT_WIDTH,
                         .height = options->out.height};
    pv_tracks_fit (tracks, &view);
    view.start_ns = query->start_ns;
    if (query->end_ns != UINT64_MAX)
        view.end_ns = query->end_ns;
    view.end_ns = MAX (view.end_ns, view.start_ns + 1);
    const PvTracksPicture picture = {.tracks = tracks, .tree = tree};
    return pv_export_tracks (out_path, &picture, &view, title, error);
}

/* Of the query's time range. */
static bool
export_heat_map (const PvOptions *options, const char *path, const char *out_path,
                 const PvCliLoaded *loaded, const PvQuery *query, GError **error)
{
    if (!pv_timeline_check ("--view=heatmap", loaded->profile, query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (loaded->profile, loaded->symbols, query, NULL, NULL, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvHeatMap) map = pv_heat_map_build (tree, query->start_ns, query->end_ns, NULL);
    if (map->weight == 0) {
        set_nothing_matches (loaded->profile, error);
        return false;
    }
    g_autofree char *title = make_title_of_measure (path, loaded->profile, query);
    PvHeatView view = {.width = get_width (options), .height = options->out.height};
    return pv_export_heat_map (out_path, map, &view, title, error);
}

/* The chart spans the query's time range. */
static bool
export_chart (const PvOptions *options, const char *path, const char *out_path,
              const PvCliLoaded *loaded, const PvQuery *query, GError **error)
{
    bool shows_dumps = options->out.chart == PV_CHART_DUMPS;
    if (shows_dumps ? loaded->profile->n_dumps == 0 : loaded->profile->heap == NULL) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                             shows_dumps ? _ ("--chart=dumps is only for series of dumps")
                                         : _ ("--chart is only for heap traces"));
        return false;
    }
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (loaded->profile, loaded->symbols, query, NULL, NULL, error);
    if (tree == NULL)
        return false;
    PvChartView view;
    pv_chart_view_init (&view);
    view.width = options->out.width != 0 ? options->out.width : DEFAULT_WIDTH;
    view.height = options->out.height;
    g_autoptr (PvSeries) series =
        pv_series_build (tree, options->out.chart, query->start_ns, query->end_ns, CHART_LAYERS,
                         (uint32_t)view.width, NULL);
    if (series->highest <= 0) {
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                             _ ("nothing matches the query"));
        return false;
    }
    g_autofree char *title = make_title (path, pv_chart_kind_get_name (options->out.chart));
    return pv_export_chart (out_path, series, &view, title, error);
}

static bool
export_graph (const PvOptions *options, const char *path, const char *out_path,
              const PvCliLoaded *loaded, const PvQuery *query, bool is_dot, GError **error)
{
    g_autoptr (PvCallTree) tree = build_stacks (loaded, query, error);
    if (tree == NULL)
        return false;
    g_autofree char *title = make_title_of_measure (path, loaded->profile, query);
    return pv_cli_export_graph (options, tree, title, out_path, is_dot, error);
}

static bool
export_source_lines (const PvOptions *options, const char *path, const char *out_path,
                     const PvCliLoaded *loaded, const PvQuery *query, GError **error)
{
    g_autofree char *title = make_title_of_measure (path, loaded->profile, query);
    return pv_cli_export_source (options, loaded->profile, loaded->symbols, query, title, out_path,
                                 error);
}

/* Drops the temporary file's name, unknown to the user, from a G_FILE_ERROR's message. */
static int
fail_export (const char *path, const char *out_path, const GError *error)
{
    if (error->domain != G_FILE_ERROR)
        return fail_with (path, error);
    const char *reason = strrchr (error->message, ':');
    return fail (EXIT_CANNOT_READ, out_path, reason != NULL ? reason + 2 : error->message);
}

static bool
export_to (const PvOptions *options, const char *path, const char *out_path,
           const PvCliLoaded *loaded, const PvQuery *query, PvJob *job, GError **error)
{
    ExportKind kind = find_export_kind (options->export_path);
    if (is_export_table (kind))
        return export_table (options, out_path, loaded, query, get_table_format (kind), error);
    if (kind == EXPORT_PPROF)
        return export_pprof (out_path, loaded, query, job, error);
    if (kind == EXPORT_SPEEDSCOPE)
        return export_speedscope (path, out_path, loaded, query, job, error);
    if (kind == EXPORT_FIREFOX)
        return export_firefox (options, path, out_path, loaded, query, job, error);
    if (kind == EXPORT_CALLGRIND)
        return export_callgrind (out_path, loaded, query, job, error);
    if (kind == EXPORT_PAGE)
        return export_page (path, out_path, loaded, query, job, error);
    if (kind == EXPORT_PACK)
        return pv_save_pack (loaded->profile, loaded->symbols, options->out.with_sources, out_path,
                             job, error);
    if (kind == EXPORT_DOT)
        return export_graph (options, path, out_path, loaded, query, true, error);
    if (options->out.chart != PV_N_CHARTS)
        return export_chart (options, path, out_path, loaded, query, error);
    if (options->out.view == PV_VIEW_GRAPH)
        return export_graph (options, path, out_path, loaded, query, false, error);
    if (options->out.view == PV_VIEW_SOURCE)
        return export_source_lines (options, path, out_path, loaded, query, error);
    if (options->out.view == PV_VIEW_SANDWICH)
        return export_sandwich (options, path, out_path, loaded, query, error);
    if (options->out.view == PV_VIEW_FLAME_CHART)
        return export_flame_chart (options, path, out_path, loaded, query, error);
    if (options->out.view == PV_VIEW_HEAT_MAP)
        return export_heat_map (options, path, out_path, loaded, query, error);
    if (options->out.view == PV_VIEW_TIMELINE)
        return export_timeline (options, path, out_path, loaded, query, error);
    return export_tree (options, path, out_path, loaded, query, kind, error);
}

static int
export_source (const PvOptions *options, const PvCliSource *source)
{
    const char *path = source->title;
    const char *culprit = has_sides (options) ? NULL : path;
    g_autoptr (GError) error = NULL;
    g_auto (PvCliLoaded) loaded = {0};
    g_auto (PvOutput) output = {.mode = -1};
    PvQuery query;
    if (!load (options, source, &loaded, &error) || !prepare (options, &loaded, &query, &error))
        return fail_with (culprit, error);
    if (find_export_kind (options->export_path) == EXPORT_PICTURE)
        pv_cli_set_width (options, loaded.profile, &query);
    PvProgressLine *line = pv_progress_line_new (options->export_path);
    bool is_done =
        pv_output_begin (&output, options->export_path, &error) &&
        export_to (options, options->is_anonymous ? ANONYMOUS_NAME : path, output.work_path,
                   &loaded, &query, pv_progress_line_get_job (line), &error) &&
        pv_output_commit (&output, &error);
    pv_progress_line_end (line);
    /* It comes first: then nobody knows whether nothing matches. */
    g_autoptr (GError) slow = NULL;
    bool is_complete = pv_query_check_complete (&query, &slow);
    int judged =
        is_done && is_complete ? judge_checks (options, culprit, &loaded, &query) : EXIT_OK;
    pv_query_clear (&query);
    if (!is_complete)
        return fail_with (culprit, slow);
    return is_done ? judged : fail_export (path, options->export_path, error);
}

static bool
print_literally (const char *text)
{
    return fputs (text, stdout) >= 0 && fflush (stdout) == 0;
}

/* --- runs --- */

static bool
export_runs (const PvOptions *options, const char *out_path, const PvLoadedRuns *loaded,
             PvFormat format, GError **error)
{
    g_autoptr (GString) text = g_string_new (NULL);
    Writer writer = {.file = fopen (out_path, "we")};
    if (writer.file != NULL) {
        pv_runs_report_write (&options->out, loaded, format,
                              &(PvTextSink){text, write_piece, &writer});
        write_piece (text, &writer);
        write_rest (&writer);
    }
    if (writer.file == NULL || (fclose (writer.file) != 0 && writer.code == 0))
        writer.code = errno;
    if (writer.code != 0)
        g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (writer.code),
                             g_strerror (writer.code));
    return writer.code == 0;
}

/* Prints or exports the runs; says on standard error what is not among them. */
static int
show_runs (const PvOptions *options)
{
    g_autoptr (GError) error = NULL;
    g_auto (PvLoadedRuns) loaded = {0};
    PvLoadOptions load_options;
    pv_options_fill_load (options, &load_options);
    PvRunsRequest request = {
        .paths = (const char *const *)options->files,
        .query = (const char *const *)options->words.options,
        .scale = options->out.scale,
        .scale_function = options->out.scale_function,
        .load = &load_options,
    };
    if (!pv_load_runs (&request, &loaded, NULL, &error))
        return fail_with (NULL, error);
    for (char **sentence = loaded.left_out; *sentence != NULL; sentence++)
        fail (EXIT_CANNOT_READ, NULL, *sentence);
    int status = loaded.n_failed > 0 ? EXIT_CANNOT_READ : EXIT_OK;
    if (options->export_path != NULL) {
        PvFormat format = get_table_format (find_export_kind (options->export_path));
        g_auto (PvOutput) output = {.mode = -1};
        bool is_done = pv_output_begin (&output, options->export_path, &error) &&
                       export_runs (options, output.work_path, &loaded, format, &error) &&
                       pv_output_commit (&output, &error);
        return is_done ? status : fail_export (NULL, options->export_path, error);
    }
    Writer writer = {.file = stdout};
    g_autoptr (GString) text = g_string_new (NULL);
    pv_runs_report_write (&options->out, &loaded, options->out.format,
                          &(PvTextSink){text, write_piece, &writer});
    write_piece (text, &writer);
    write_rest (&writer);
    if (writer.code != 0)
        return fail (EXIT_CANNOT_READ, _ ("standard output"), g_strerror (writer.code));
    return status;
}

/* Exports or prints the files. */
static int
show (const PvOptions *options)
{
    bool is_shown = options->out.print != PV_PRINT_NONE || options->export_path != NULL;
    if (options->is_runs && options->is_anonymous)
        return fail_usage (_ ("--anonymize does not apply to runs"));
    if (options->is_runs && is_shown)
        return show_runs (options);
    if (options->export_path != NULL) {
        g_autoptr (GPtrArray) sources = pv_cli_sources_new (options);
        if (sources->len > 1)
            return fail_usage (_ ("--export takes one FILE, or several with --merge or --series"));
        return export_source (options, sources->pdata[0]);
    }
    if (options->out.print == PV_PRINT_NONE && options->checks == NULL)
        return fail_usage (_ ("this Profview was built without its window; use --print or "
                              "--export"));
    return print_all (options);
}

/* Prints the recording's path last, on standard output, unless the recording is shown. */
static int
record (PvOptions *options)
{
    bool is_shown = options->out.print != PV_PRINT_NONE || options->export_path != NULL ||
                    options->checks != NULL;
    g_autofree char *path = NULL;
    int status = pv_cli_record (options, &path);
    if (path == NULL)
        return status;
    if (!is_shown) {
        g_autofree char *line = g_strconcat (path, "\n", NULL);
        if (!print_literally (line))
            return fail (EXIT_CANNOT_READ, _ ("standard output"), g_strerror (errno));
        return status;
    }
    g_autofree char *shown_path = g_filename_display_name (path);
    fprintf (stderr, _ ("Saved as %s\n"), shown_path);
    const char *const files[] = {path, NULL};
    g_strfreev (options->files);
    options->files = g_strdupv ((char **)files);
    int shown = show (options);
    return shown != EXIT_OK ? shown : status;
}

/* 0: the output goes elsewhere, or names must be whole. */
static unsigned
find_terminal_width (const PvOptions *options)
{
    struct winsize size = {0};
    bool is_shown =
        options->export_path == NULL && !options->has_full_names && isatty (STDOUT_FILENO);
    return is_shown && ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static int
run (PvOptions *options)
{
    if (options->show_help || options->show_version) {
        g_autofree char *text =
            options->show_help ? pv_options_get_help () : g_strdup ("profview " PV_VERSION "\n");
        if (!print_literally (text))
            return fail (EXIT_CANNOT_READ, _ ("standard output"), g_strerror (errno));
        return EXIT_OK;
    }
    const char *wrong = options->export_path != NULL ? check_export (options) : NULL;
    if (wrong != NULL)
        return fail_usage (wrong);
    if (options->out.chart != PV_N_CHARTS && options->export_path == NULL)
        return fail_usage (_ ("--chart can only be used with --export"));
    if (options->export_path == NULL && pv_cli_has_graph_options (options))
        return fail_usage (_ ("--nodecount, --nodefraction, --edgefraction, --callers and "
                              "--callees can only be used with --export"));
    if (options->out.with_sources && options->export_path == NULL)
        return fail_usage (_ ("--with-sources can only be used with --export"));
    if (options->out.view != PV_VIEW_UNSET && options->export_path == NULL)
        return fail_usage (_ ("--view can only be used with --export"));
    for (char **check = options->checks; check != NULL && *check != NULL; check++) {
        g_autoptr (GError) error = NULL;
        if (!pv_check_parse (*check, &error))
            return fail_usage (error->message);
    }
    options->out.terminal_width = find_terminal_width (options);
    if (options->fetches_debug_info)
        options->out.fetch_source = pv_symbol_fetching_fetch_source;
    if (options->record_plan != NULL)
        return record (options);
    if (options->files == NULL || options->files[0] == NULL)
        return fail_usage (_ ("no FILE was given"));
    return show (options);
}

int
pv_cli_main (int argc, char **argv)
{
    g_autoptr (GError) error = NULL;
    g_auto (PvOptions) options;
    g_set_prgname ("profview");
    /* Return large freed tables to the system: no window has to stay smooth here (compare
     * pv_app_tune_allocator ()). */
    mallopt (M_MMAP_THRESHOLD, 256 << 10);
    bool is_parsed = pv_options_parse (&options, argc, argv, &error);
    hide_secrets (argc, argv);
    if (!is_parsed)
        return fail_usage (error->message);
    return run (&options);
}
