/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/bisecting.h"
#include "cli/check.h"
#include "cli/loading/comparing.h"
#include "cli/loading/progress-line.h"
#include "cli/loading/sources.h"
#include "cli/loading/symbol-fetching.h"
#include "cli/options/fetching.h"
#include "cli/options/options-parse.h"
#include "cli/recording.h"
#include "cli/repeating.h"
#include "cli/thumbnail.h"
#include "core/analyze/tables/emptiness.h"
#include "core/base/format.h"
#include "core/base/large.h"
#include "core/base/output.h"
#include "core/load/load.h"
#include "core/load/open-request.h"
#include "core/model/anonymous/anonymize.h"
#include "core/write/escape.h"
#include "export/exports.h"
#include "export/report/print-parts.h"
#include "export/report/report.h"
#include "export/report/runs-report.h"
#include "fetch/fetch-url.h"

enum {
    EXIT_OK = 0,
    EXIT_CANNOT_READ = 1,
    EXIT_BAD_USAGE = 2,
    EXIT_CHECK_FAILED = 3,
    EXIT_CHECK_UNKNOWN = 4,
};

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
    static const char *const names[] = {"--record", "--bisect"};
    return has_option (argc, argv, names, G_N_ELEMENTS (names));
}

bool
pv_cli_is_headless (int argc, char **argv)
{
    static const char *const always[] = {"--print",   "--export", "--check",    "--help",
                                         "--version", "-h",       "--thumbnail"};
    static const char *const without_window[] = {"--output", "--duration", "--repeat", "--bisect"};
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
        char *shown = pv_make_showable_sentence (*line);
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

/* True if the files are compared or joined: then each message names one of them. */
static bool
has_sides (const PvOptions *options)
{
    return options->is_diff || options->open.with_files != NULL;
}

static GVariant *
make_window_request (const PvOptions *options)
{
    const bool is_joined = options->open.with_files != NULL && !options->is_diff;
    g_auto (GStrv) own = pv_cli_compare_list_words (options, false, false);
    g_auto (GStrv) base = pv_cli_compare_list_words (options, true, options->is_diff);
    g_auto (GStrv) newer = pv_cli_compare_list_words (options, true, false);
    PvOpenRequest request = options->open;
    request.kind = options->is_diff     ? PV_REQUEST_COMPARED
                   : is_joined          ? PV_REQUEST_JOINED
                   : options->is_runs   ? PV_REQUEST_RUNS
                   : options->is_merged ? PV_REQUEST_MERGED
                   : options->is_series ? PV_REQUEST_SERIES
                                        : PV_REQUEST_EACH;
    /* Runs are asked all words; the comparison of two of them, in the way of all comparisons. */
    request.words = has_sides (options) || options->is_runs ? own : options->words.options;
    if (has_sides (options) || options->is_runs)
        request.words_of_side[PV_SIDE_NEW] = newer;
    if (has_sides (options))
        request.words_of_side[PV_SIDE_BASE] = base;
    if (options->is_runs)
        request.run_words = options->words.options;
    request.scale = options->out.scale;
    request.scale_function = options->out.scale_function;
    if (options->width_part == PV_PART_SIDE)
        request.width_side = options->width_side;
    request.is_side_by_side = options->out.is_side_by_side;
    return g_variant_ref_sink (pv_open_request_to_variant (&request));
}

/* The options are copies of the arguments; the command to record keeps its own. */
static void
hide_secrets (int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
        pv_fetch_hide_secrets (argv[i]);
}

/* Made before it is needed. */
static char no_memory[512];

static void
end_without_memory (void)
{
    fputs (no_memory, stderr); /* which has no buffer */
    _exit (EXIT_CANNOT_READ);
}

/* Without memory, GLib ends the program with a message for programmers. */
static void
explain_end (const char *domain, GLogLevelFlags level, const char *message, gpointer user)
{
    if (strstr (message, "failed to allocate") == NULL &&
        strstr (message, "creating thread") == NULL) {
        g_log_default_handler (domain, level, message, NULL);
        return;
    }
    end_without_memory ();
}

static void
watch_memory (void)
{
    g_snprintf (no_memory, sizeof no_memory, "profview: %s\n",
                _ ("There is not enough memory. “ulimit -v” says if there is a limit for it; "
                   "--max-memory=BYTES lets Profview read less."));
    g_log_set_handler ("GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION,
                       explain_end, NULL);
    pv_large_set_exhausted (end_without_memory);
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

/* --- print --- */

static void
begin_source (const PvOptions *options, const PvCliSource *source, unsigned index, GString *out)
{
    g_autofree char *name = options->is_anonymous
                                ? g_strdup_printf (PV_ANONYMOUS_NAME " %u", index + 1)
                                : pv_format_path (source->title);
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
    PvWriter writer;
} Printing;

/* Like pv_writer_take (), with the source's heading before its first text. */
static void
print_piece (GString *text, void *user)
{
    Printing *printing = user;
    const PvCliSource *source = g_steal_pointer (&printing->source);
    if (source != NULL && printing->has_headings) {
        g_autoptr (GString) heading = g_string_new (NULL);
        begin_source (printing->options, source, printing->n_begun++, heading);
        pv_writer_take (heading, &printing->writer);
    }
    pv_writer_take (text, &printing->writer);
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

/* The options' query for the loaded profile, which gets pseudonyms after that, if requested. */
static bool
prepare (const PvOptions *options, PvCliLoaded *loaded, PvQuery *query, GError **error)
{
    if (options->is_anonymous && options->out.function != NULL) {
        g_set_error_literal (
            error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
            _ ("--anonymize cannot be used with --function, whose name would be visible. Export a "
               "pack with --anonymize, and use the pseudonyms in it"));
        return false;
    }
    if (!pv_cli_make_query (options, loaded, query, error))
        return false;
    if (options->is_anonymous)
        anonymize (loaded);
    return true;
}

static void
append_number (GString *out, const char *key, double number)
{
    g_string_append_printf (out, ", \"%s\": ", key);
    pv_json_append_double (out, number);
}

/* A member of the list of --json; growth from nothing has no percent. */
static void
append_judgement (GString *out, const char *condition, const PvJudgement *judgement)
{
    static const char *const results[] = {
        [PV_CHECK_HOLDS] = "holds", [PV_CHECK_BROKEN] = "broken", [PV_CHECK_UNKNOWN] = "unknown"};
    g_string_append (out, out->len > 0 ? ",\n  {\"check\": " : "{\"checks\": [\n  {\"check\": ");
    pv_json_append_string (out, condition);
    g_string_append_printf (out, ", \"result\": \"%s\", \"unit\": \"%s\"",
                            results[judgement->result],
                            judgement->is_percent ? "%" : pv_print_name_unit (judgement->unit));
    append_number (out, "value", judgement->value);
    append_number (out, "low", judgement->low);
    append_number (out, "high", judgement->high);
    append_number (out, "limit", judgement->limit);
    g_string_append (out, ", \"text\": ");
    pv_json_append_string (out, judgement->text);
    g_string_append_c (out, '}');
}

/* Says on standard error which conditions of --check do not hold, or may not. In JSON, if nothing
 * else is printed, all of them are listed. */
static int
judge_checks (const PvOptions *options, const char *path, const PvCliLoaded *loaded,
              const PvQuery *query)
{
    const bool is_listed =
        options->out.format == PV_FORMAT_JSON && options->out.print == PV_PRINT_NONE;
    g_autoptr (GString) list = g_string_new (NULL);
    int status = EXIT_OK;
    for (char **condition = options->checks; condition != NULL && *condition != NULL; condition++) {
        g_auto (PvJudgement) judgement = {0};
        g_autoptr (GError) error = NULL;
        if (!pv_check_judge (*condition, pv_profile_get_named (loaded->profile),
                             pv_symbol_table_get_named (loaded->symbols), query, &judgement,
                             &error))
            return fail_with (path, error);
        if (is_listed)
            append_judgement (list, *condition, &judgement);
        if (judgement.result == PV_CHECK_HOLDS)
            continue;
        if (judgement.result == PV_CHECK_BROKEN || options->is_strict)
            status = EXIT_CHECK_FAILED;
        else if (status == EXIT_OK)
            status = EXIT_CHECK_UNKNOWN;
        fail (status, path, judgement.text);
    }
    if (list->len > 0)
        printf ("%s\n]}\n", list->str);
    return status;
}

/* Lines for people beside output for programs. */
static void
tell_remarks (const char *path, const GString *remarks)
{
    g_auto (GStrv) lines = g_strsplit (remarks->str, "\n", -1);
    for (char **line = lines; *line != NULL; line++)
        if (**line != '\0')
            fail (EXIT_OK, path, *line);
}

/* Tells why a profile shows nothing, or no functions. is_silent: the output itself does not say if
 * there are no amounts at all. */
static void
tell_emptiness (const char *path, const PvCliLoaded *loaded, bool is_silent)
{
    const PvNote *note = pv_emptiness_find_note (loaded->profile, loaded->symbols);
    if (note != NULL && (is_silent || pv_emptiness_has_amounts (loaded->profile)))
        fail (EXIT_OK, path, note->text);
}

/* Others tell of notes, or of something that needs no stacks. */
static bool
is_of_stacks (PvPrint print)
{
    return (print >= PV_PRINT_TOP && print <= PV_PRINT_ANNOTATE) || print == PV_PRINT_TIMELINE ||
           print == PV_PRINT_PHASES;
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
    g_autoptr (GString) remarks = g_string_new (NULL);
    printing->source = source;
    bool is_done = options->out.print == PV_PRINT_NONE ||
                   pv_report_write (options->out.print, &options->out, loaded.profile,
                                    loaded.symbols, &query, options->out.format,
                                    &(PvTextSink){text, print_piece, printing}, remarks, &error);
    bool is_complete = is_done && pv_query_check_complete (&query, &error);
    int judged = is_complete ? judge_checks (options, path, &loaded, &query) : EXIT_OK;
    pv_query_clear (&query);
    if (!is_done)
        return fail_with (path, error);
    if (printing->has_headings && options->out.format == PV_FORMAT_JSON)
        g_string_append_c (text, '}');
    if (options->out.print != PV_PRINT_NONE)
        print_piece (text, printing);
    tell_remarks (path, remarks);
    if (is_of_stacks (options->out.print))
        tell_emptiness (path, &loaded, false);
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
        pv_writer_flush (&printing.writer);
    }
    const char *end = !is_array ? "" : printing.n_begun > 0 ? "]\n" : "[]\n";
    pv_writer_write (&printing.writer, end, strlen (end));
    pv_writer_flush (&printing.writer);
    if (printing.writer.code != 0)
        return fail (EXIT_CANNOT_READ, _ ("standard output"), g_strerror (printing.writer.code));
    return status;
}

/* --- export --- */

static bool
has_graph_options (const PvExportOptions *options)
{
    return options->n_graph_nodes >= 0 || options->node_fraction >= 0 ||
           options->edge_fraction >= 0 || options->n_callers >= 0 || options->n_callees >= 0;
}

/* NULL, or the usage error; g_free () it. */
static char *
check_content (const PvOptions *options, const PvExport *export)
{
    const PvExportOptions *out = &options->out;
    bool is_picture = export->content == PV_EXPORT_PICTURE;
    bool is_table = export->content == PV_EXPORT_TABLE;
    bool is_graph =
        export->content == PV_EXPORT_GRAPH || (is_picture && out->view == PV_VIEW_GRAPH);
    const char *wrong = NULL;
    if (!is_table && out->print != PV_PRINT_NONE)
        wrong = _ ("--export: tables (--print) can only be written as .tsv, .csv or .json");
    else if (!is_table &&
             (out->limit != PV_LIMIT_DEFAULT || out->min_percent != PV_MIN_PERCENT_DEFAULT))
        wrong = _ ("--limit and --min-percent are for tables, not for pictures or stacks");
    else if (!is_table && options->is_runs)
        wrong = _ ("--export: runs can only be written as .tsv, .csv or .json");
    else if (export->content != PV_EXPORT_PACK && out->with_sources)
        wrong = _ ("--with-sources is for packs: .profview");
    else if (!is_picture && (out->width != 0 || out->height != 0))
        wrong = _ ("--width and --height are for pictures");
    else if ((!is_table || export->format == PV_FORMAT_JSON) && out->has_header)
        wrong = _ ("--header applies to tables in TSV or CSV: --format=tsv or --export=NAME.tsv");
    else if (!is_picture && out->chart != PV_N_CHARTS)
        wrong = _ ("--chart is for pictures: .svg, .png or .pdf");
    else if (is_graph && options->words.query.grouping != PV_GROUP_NONE)
        wrong = _ ("--group does not apply to call graphs");
    else if (!is_graph && has_graph_options (out))
        wrong = _ ("--nodecount, --nodefraction, --edgefraction, --callers and --callees are for "
                   "call graphs: .dot, or --view=graph");
    else if (!is_picture && out->view != PV_VIEW_UNSET &&
             (export->content != PV_EXPORT_GRAPH || out->view != PV_VIEW_GRAPH))
        wrong = _ ("--view is for pictures: .svg, .png or .pdf");
    else if (out->chart != PV_N_CHARTS && out->view != PV_VIEW_UNSET)
        wrong = _ ("--view and --chart cannot be used together");
    return g_strdup (wrong);
}

/* NULL, or the usage error; g_free () it. */
static char *
check_export (const PvOptions *options)
{
    const PvExport *export = pv_export_find (options->export_path);
    if (options->is_anonymous && options->out.with_sources)
        return g_strdup (_ ("--anonymize cannot be used with --with-sources"));
    if (export == NULL) {
        g_autofree char *endings = pv_export_list_endings ();
        return g_strdup_printf (_ ("--export: the name must end in %s"), endings);
    }
    if (export->no_groups != NULL && options->words.query.grouping != PV_GROUP_NONE)
        /* Translators: an ending of file names, and what such files have */
        return g_strdup_printf (_ ("--group does not apply to %s, which %s"), export->endings[0],
                                _ (export->no_groups));
    return check_content (options, export);
}

/* The name of the opened files, for titles. */
static char *
make_name (const PvOptions *options, const char *path)
{
    if (options->is_anonymous)
        return g_strdup (PV_ANONYMOUS_NAME);
    if (g_str_equal (path, "-"))
        return g_strdup (_ ("standard input"));
    if (pv_fetching_is_url (path))
        return g_strdup (path);
    g_autofree char *name = g_path_get_basename (path);
    return pv_format_path (name);
}

/* Says which file was written through a symbolic link. */
static void
tell_target (const char *path)
{
    g_autofree char *target = pv_output_find_target (path);
    if (target == NULL)
        return;
    g_autofree char *shown = pv_format_path (target);
    g_autofree char *message =
        /* Translators: the path of a file */
        g_strdup_printf (_ ("this is a symbolic link; %s was written"), shown);
    fail (EXIT_OK, path, message);
}

/* Lists the files that others can read now in the pack. */
static void
tell_sources (const char *path, const GPtrArray *sources)
{
    if (sources->len == 0)
        return;
    g_autofree char *message =
        g_strdup_printf (ngettext ("the source code of %u file is in it:",
                                   "the source code of %u files is in it:", sources->len),
                         sources->len);
    fail (EXIT_OK, path, message);
    for (guint i = 0; i < sources->len; i++) {
        g_autofree char *shown = pv_format_path (sources->pdata[i]);
        fprintf (stderr, "  %s\n", shown);
    }
}

/* Packs have the whole profile: says which words about samples and stacks did nothing. */
static void
tell_unused_words (const PvOptions *options)
{
    if (options->words.options == NULL || options->words.options[0] == NULL)
        return;
    g_autofree char *words = g_strjoinv (" ", options->words.options);
    g_autofree char *message =
        /* Translators: options of the command line */
        g_strdup_printf (_ ("packs have the whole profile, so these did not apply: %s"), words);
    fail (EXIT_OK, options->export_path, message);
}

static int
export_source (const PvOptions *options, const PvCliSource *source)
{
    const PvExport *export = pv_export_find (options->export_path);
    const char *culprit = has_sides (options) ? NULL : source->title;
    g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GString) remarks = g_string_new (NULL);
    g_autofree char *name = make_name (options, source->title);
    g_autoptr (GError) error = NULL;
    g_auto (PvCliLoaded) loaded = {0};
    PvQuery query;
    if (!load (options, source, &loaded, &error) || !prepare (options, &loaded, &query, &error))
        return fail_with (culprit, error);
    if (export->content == PV_EXPORT_PICTURE)
        pv_cli_set_width (options, loaded.profile, &query);
    const PvExportRequest request = {.profile = loaded.profile,
                                     .symbols = loaded.symbols,
                                     .query = &query,
                                     .options = &options->out,
                                     .name = name,
                                     .sources = sources,
                                     .remarks = remarks};
    PvProgressLine *line = pv_progress_line_new (options->export_path);
    bool is_done = pv_export_write (export, &request, options->export_path,
                                    pv_progress_line_get_job (line), &error);
    pv_progress_line_end (line);
    /* It comes first: then nobody knows whether nothing matches. */
    g_autoptr (GError) slow = NULL;
    bool is_complete = pv_query_check_complete (&query, &slow);
    int judged =
        is_done && is_complete ? judge_checks (options, culprit, &loaded, &query) : EXIT_OK;
    pv_query_clear (&query);
    if (!is_complete)
        return fail_with (culprit, slow);
    if (is_done) {
        tell_target (options->export_path);
        tell_sources (options->export_path, sources);
        if (export->content == PV_EXPORT_PACK)
            tell_unused_words (options);
        tell_remarks (culprit, remarks);
        tell_emptiness (culprit, &loaded, export->content == PV_EXPORT_PACK);
        return judged;
    }
    return fail_with (error->domain == G_FILE_ERROR ? options->export_path : source->title, error);
}

static bool
print_literally (const char *text)
{
    return fputs (text, stdout) >= 0 && fflush (stdout) == 0;
}

/* --- runs --- */

static bool
export_runs (const PvOptions *options, const PvLoadedRuns *loaded, GError **error)
{
    PvFormat format = pv_export_find (options->export_path)->format;
    g_autoptr (GString) text = g_string_new (NULL);
    g_auto (PvOutput) output = {.mode = -1};
    PvWriter writer;
    if (!pv_output_begin (&output, options->export_path, error) ||
        !pv_writer_open (&writer, output.work_path, error))
        return false;
    pv_runs_report_write (&options->out, loaded, format,
                          &(PvTextSink){text, pv_writer_take, &writer});
    pv_writer_take (text, &writer);
    return pv_writer_close (&writer, error) && pv_output_commit (&output, error);
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
        .paths = (const char *const *)options->open.files,
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
    if (options->export_path != NULL)
        return export_runs (options, &loaded, &error) ? status
                                                      : fail_with (options->export_path, error);
    PvWriter writer = {.file = stdout};
    g_autoptr (GString) text = g_string_new (NULL);
    pv_runs_report_write (&options->out, &loaded, options->out.format,
                          &(PvTextSink){text, pv_writer_take, &writer});
    pv_writer_take (text, &writer);
    pv_writer_flush (&writer);
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

static int
print_paths (char *const *paths)
{
    for (; paths != NULL && *paths != NULL; paths++) {
        g_autofree char *line = g_strconcat (*paths, "\n", NULL);
        if (!print_literally (line))
            return fail (EXIT_CANNOT_READ, _ ("standard output"), g_strerror (errno));
    }
    return EXIT_OK;
}

/* A pipe can be read once only: then the first run would have other work than the others. */
static void
close_pipe (void)
{
    struct stat status;
    if (fstat (STDIN_FILENO, &status) != 0 ||
        (!S_ISFIFO (status.st_mode) && !S_ISSOCK (status.st_mode)))
        return;
    int fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        dup2 (fd, STDIN_FILENO);
        close (fd);
    }
}

/* NULL, or why the comparison of recordings that are yet to be made cannot be shown. */
static const char *
find_hindrance (const PvOptions *options)
{
    const PvExport *export =
        options->export_path != NULL ? pv_export_find (options->export_path) : NULL;
    if (options->is_merged || options->is_series)
        return _ ("--merge and --series do not apply to a comparison");
    if (export != NULL && export->content == PV_EXPORT_PACK)
        return _ ("a pack holds one profile, not a comparison");
    if (options->is_anonymous && options->out.function != NULL)
        return _ ("--anonymize cannot be used with --function, whose name would be visible");
    return NULL;
}

/* Several recordings of one program are listed; those of two programs are compared. */
static int
record_repeatedly (PvOptions *options)
{
    const bool is_compared = options->interleaved != NULL || options->open.base_files != NULL;
    bool is_shown = options->out.print != PV_PRINT_NONE || options->export_path != NULL ||
                    options->checks != NULL;
    if (is_shown && !is_compared)
        return fail_usage (_ ("--repeat needs --interleave or --base, to compare the recordings "
                              "with others"));
    const char *hindrance = is_compared ? find_hindrance (options) : NULL;
    if (hindrance != NULL)
        return fail_usage (hindrance);
    close_pipe ();
    const char *output = options->record_plan->output;
    g_autofree char *name = output != NULL ? g_path_get_basename (output) : NULL;
    if (output != NULL && (g_str_has_suffix (output, "/") || strcmp (name, "-") == 0 ||
                           (g_file_test (output, G_FILE_TEST_EXISTS) &&
                            !g_file_test (output, G_FILE_TEST_IS_REGULAR))))
        return fail_usage (
            _ ("--output: with --repeat, this must be the name of a file; each run adds a number"));
    int status = pv_cli_record_repeatedly (options);
    if (status != EXIT_OK)
        return status;
    if (!is_compared)
        return print_paths (options->open.files);
    if (!is_shown)
        options->out.print = PV_PRINT_SUMMARY;
    return show (options);
}

/* Writes a page and a picture of the comparison into the folder. */
static void
export_answer (const PvOptions *options, const char *folder)
{
    static const char *const names[] = {"page.html", "picture.svg"};
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *path = g_build_filename (folder, names[i], NULL);
        g_autoptr (GPtrArray) sources = pv_cli_sources_new (options);
        PvOptions one = *options;
        one.export_path = path;
        one.checks = NULL;
        one.out.view = PV_VIEW_UNSET;
        one.out.print = PV_PRINT_NONE;
        if (export_source (&one, sources->pdata[0]) != EXIT_OK)
            continue;
        g_autofree char *shown = pv_format_path (path);
        fprintf (stderr, _ ("Saved as %s"), shown);
        fputc ('\n', stderr);
    }
}

/* Prints the answer, then what the recordings of both sides of it show. */
static int
bisect (PvOptions *options)
{
    const char *hindrance = find_hindrance (options);
    if (hindrance != NULL)
        return fail_usage (hindrance);
    if (options->is_anonymous)
        return fail_usage (_ ("--anonymize cannot be used with --bisect, which names commits"));
    close_pipe ();
    bool is_shown = options->out.print != PV_PRINT_NONE || options->export_path != NULL ||
                    options->checks != NULL;
    g_autofree char *folder = NULL;
    int status;
    PvBisectEnd end = pv_cli_bisect (options, &folder, &status);
    if (end == PV_BISECT_FAILED)
        return status;
    fflush (stdout);
    export_answer (options, folder);
    int shown = EXIT_OK;
    if (!is_shown && options->out.format != PV_FORMAT_JSON) {
        options->out.print = PV_PRINT_SUMMARY;
        putchar ('\n');
        is_shown = true;
    }
    if (is_shown)
        shown = show (options);
    return shown != EXIT_OK ? shown : end == PV_BISECT_FOUND ? EXIT_OK : EXIT_CHECK_UNKNOWN;
}

/* Prints the recording's path last, on standard output, unless the recording is shown. */
static int
record (PvOptions *options)
{
    bool is_shown = options->out.print != PV_PRINT_NONE || options->export_path != NULL ||
                    options->checks != NULL;
    g_autofree char *path = NULL;
    PvCliRecordEnd end;
    int status = pv_cli_record (options, &path, &end);
    if (path == NULL)
        return status;
    if (!is_shown) {
        g_autofree char *line = g_strconcat (path, "\n", NULL);
        if (!print_literally (line))
            return fail (EXIT_CANNOT_READ, _ ("standard output"), g_strerror (errno));
        return status;
    }
    g_autofree char *shown_path = pv_format_path (path);
    fprintf (stderr, _ ("Saved as %s"), shown_path);
    fputc ('\n', stderr);
    const char *const files[] = {path, NULL};
    g_strfreev (options->open.files);
    options->open.files = g_strdupv ((char **)files);
    int shown = show (options);
    return shown != EXIT_OK ? shown : status;
}

/* The desktop's thumbnailer: a file that cannot be read has none. */
static int
make_thumbnail (PvOptions *options)
{
    char **files = options->open.files;
    if (files == NULL || g_strv_length (files) != 2 || options->thumbnail_pixels < 16 ||
        options->thumbnail_pixels > 2048)
        return fail_usage (_ ("--thumbnail needs a size from 16 to 2048, a FILE and the picture"));
    const char *file = NULL;
    g_autoptr (GError) error = NULL;
    if (pv_cli_make_thumbnail (options, &file, &error))
        return EXIT_OK;
    return fail (EXIT_CANNOT_READ, file, error->message);
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
    if (options->thumbnail_pixels != 0)
        return make_thumbnail (options);
    g_autofree char *wrong = options->export_path != NULL ? check_export (options) : NULL;
    if (wrong != NULL)
        return fail_usage (wrong);
    if (options->out.chart != PV_N_CHARTS && options->export_path == NULL)
        return fail_usage (_ ("--chart can only be used with --export"));
    if (options->export_path == NULL && has_graph_options (&options->out))
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
    if (options->bisect_range != NULL)
        return bisect (options);
    if (options->record_plan != NULL)
        return options->n_repeats > 0 ? record_repeatedly (options) : record (options);
    if (options->open.files == NULL || options->open.files[0] == NULL)
        return fail_usage (_ ("no FILE was given"));
    return show (options);
}

/* Scripts read the same words in every language: names of groups, notes and findings too, which are
 * made long before they are written. Messages are in English then as well. */
static void
speak_to_scripts (const PvOptions *options)
{
    const PvExport *export =
        options->export_path != NULL ? pv_export_find (options->export_path) : NULL;
    const bool is_for_people =
        export != NULL ? export->content == PV_EXPORT_PICTURE || export->content == PV_EXPORT_PAGE
                       : options->out.format == PV_FORMAT_TEXT;
    if (!is_for_people)
        setlocale (LC_MESSAGES, "C");
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
    watch_memory ();
    bool is_parsed = pv_options_parse (&options, argc, argv, &error);
    hide_secrets (argc, argv);
    if (!is_parsed)
        return fail_usage (error->message);
    speak_to_scripts (&options);
    return run (&options);
}
