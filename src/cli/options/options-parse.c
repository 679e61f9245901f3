/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options/options-parse.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/options-recording.h"
#include "cli/options/options-values.h"
#include "core/base/format.h"
#include "core/model/profile/matcher.h"
#include "core/symbolize/files/debuginfod.h"
#include "export/exports.h"

/* State of one parse: what GLib reads and writes. */
typedef struct {
    PvOptions *options;
    PvRecordWords record;
    GOptionContext *context;
    GPtrArray *headless; /* names of options for headless commands only */
    GPtrArray *texts;    /* of entries that are made from tables */
    const char *heading; /* of the group that is being made */
    PvOptionFunc visit;  /* for who reads the table itself; or NULL */
    gpointer visit_data;
} Parser;

static void
add_entries (Parser *parser, GOptionGroup *group, const GOptionEntry *entries)
{
    g_option_group_add_entries (group, entries);
    for (; parser->visit != NULL && entries->long_name != NULL; entries++)
        parser->visit (parser->heading, entries, parser->visit_data);
}

/* For add_entries (), until the next group is made. */
static GOptionGroup *
make_group (Parser *parser, const char *name, const char *title)
{
    GOptionGroup *group = g_option_group_new (name, title, "", parser->options, NULL);
    pv_option_group_translate (group);
    parser->heading = title;
    return group;
}

/* The context owns the group. */
static GOptionGroup *
add_group (Parser *parser, const char *name, const char *title, const GOptionEntry *entries)
{
    GOptionGroup *group = make_group (parser, name, title);
    add_entries (parser, group, entries);
    g_option_context_add_group (parser->context, group);
    return group;
}

/* Takes a text made for an entry, which lives as long as the parser. */
static const char *
keep (Parser *parser, char *text)
{
    g_ptr_array_add (parser->texts, text);
    return text;
}

/* For options that only the headless commands accept. */
static void
mark_headless (Parser *parser, const GOptionEntry *entries)
{
    for (; entries->long_name != NULL; entries++)
        g_ptr_array_add (parser->headless, g_strdup (entries->long_name));
}

static void
add_output_options (Parser *parser)
{
    PvOptions *options = parser->options;
    g_autofree char *endings = pv_export_list_endings ();
    char *export_help = g_strdup_printf (_ ("Write %s, and exit"), endings);
    const GOptionEntry entries[] = {
        {"print", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_word,
         N_ ("Print summary, findings, top, tree, callers, callees, peek, annotate, timeline, "
             "phases, wakers, marks, syscalls, distributions, counters, runs or notes, and exit"),
         NC_ ("option value", "WHAT")},
        {"function", 0, 0, G_OPTION_ARG_FILENAME, &options->out.function,
         N_ ("Print the callers or callees of matching functions, or draw a sandwich of one, or "
             "their source"),
         NC_ ("option value", "REGEX")},
        {"format", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_word,
         N_ ("Print as text, tsv, csv or json"), NC_ ("option value", "FORMAT")},
        {"json", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, pv_parse_word,
         N_ ("The same as --format=json; with --check alone, print all conditions and intervals"),
         NULL},
        {"header", 0, 0, G_OPTION_ARG_NONE, &options->out.has_header,
         N_ ("Begin tsv and csv with a line that gives the measure, unit and total"), NULL},
        {"full-names", 0, 0, G_OPTION_ARG_NONE, &options->has_full_names,
         N_ ("Do not shorten names to fit the terminal"), NULL},
        {"export", 0, 0, G_OPTION_ARG_FILENAME, &options->export_path, keep (parser, export_help),
         NC_ ("option value", "OUT")},
        {"with-sources", 0, 0, G_OPTION_ARG_NONE, &options->out.with_sources,
         N_ ("Put the source code of the hottest functions into the pack, as far as it is found "
             "here"),
         NULL},
        {"anonymize", 0, 0, G_OPTION_ARG_NONE, &options->is_anonymous,
         N_ ("Print or write pseudonyms in place of the names of functions, files, modules, "
             "threads, commands, hosts and labels"),
         NULL},
        {"view", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_word,
         N_ ("Draw flame-graph (default), sandwich: a function between its callers and callees, "
             "timeline: when each thread ran, or each CPU with --group=cpu, flamechart: the stacks "
             "of one thread over time, heatmap: each second a column, treemap: nested areas, "
             "graph: which function calls which, and what it costs, or source: the lines of "
             "functions that match --function, and what they cost"),
         NC_ ("option value", "WHAT")},
        {"chart", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_chart,
         N_ ("Draw a chart instead: live, allocations, temporary, rss or sizes of a heap trace, or "
             "dumps of a series"),
         NC_ ("option value", "KIND")},
        {"limit", 0, 0, G_OPTION_ARG_INT, &options->out.limit, N_ ("Print at most N rows (0: all)"),
         NC_ ("option value", "N")},
        {"bins", 0, 0, G_OPTION_ARG_INT, &options->out.n_bins,
         N_ ("Divide a timeline into N equal parts (default: 100, or as many as fit)"),
         NC_ ("option value", "N")},
        {"nodecount", 0, 0, G_OPTION_ARG_INT, &options->out.n_graph_nodes,
         N_ ("In a call graph: at most N functions (default: 80; 0: all)"),
         NC_ ("option value", "N")},
        {"nodefraction", 0, 0, G_OPTION_ARG_DOUBLE, &options->out.node_fraction,
         N_ ("Leave out functions below this fraction of the total (default: 0.005)"),
         NC_ ("option value", "F")},
        {"edgefraction", 0, 0, G_OPTION_ARG_DOUBLE, &options->out.edge_fraction,
         N_ ("Leave out calls below this fraction of the total (default: 0.001)"),
         NC_ ("option value", "F")},
        {"callers", 0, 0, G_OPTION_ARG_INT, &options->out.n_callers,
         N_ ("In a call graph around --function: at most N levels of callers"),
         NC_ ("option value", "N")},
        {"callees", 0, 0, G_OPTION_ARG_INT, &options->out.n_callees,
         N_ ("In a call graph around --function: at most N levels of callees"),
         NC_ ("option value", "N")},
        {"histogram", 0, 0, G_OPTION_ARG_NONE, &options->out.is_histogram,
         N_ ("With --print=syscalls: print a histogram of how long calls took"), NULL},
        {"sum", 0, 0, G_OPTION_ARG_STRING, &options->out.sum_field,
         N_ ("With --print=marks: sum up a field, for each event and thread"),
         NC_ ("option value", "FIELD")},
        {"check", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->checks,
         N_ ("Exit with status 3 if this does not hold, 4 if samples are too few to tell: "
             "total(malloc) < 5 %, self(REGEX) < 1.5 s, delta(total(REGEX)) < 3 % (repeatable)"),
         NC_ ("option value", "CONDITION")},
        {"strict", 0, 0, G_OPTION_ARG_NONE, &options->is_strict,
         N_ ("Count a --check that cannot be told as one that does not hold"), NULL},
        {"min-percent", 0, 0, G_OPTION_ARG_DOUBLE, &options->out.min_percent,
         N_ ("Leave out rows below P percent of the total"), NC_ ("option value", "P")},
        {"width", 0, 0, G_OPTION_ARG_INT, &options->out.width, N_ ("Width of the picture"),
         NC_ ("option value", "PIXELS")},
        {"height", 0, 0, G_OPTION_ARG_INT, &options->out.height,
         N_ ("Height of the picture (default: as stacks or threads require)"),
         NC_ ("option value", "PIXELS")},
        {NULL},
    };
    add_group (parser, "output", _ ("Without a window:"), entries);
    mark_headless (parser, entries);
}

/* An option of the query. */
static void
add_query_option (GArray *entries, Parser *parser, const char *prefix, const char *name,
                  const char *help, const char *value)
{
    GOptionEntry entry = {.flags = value != NULL ? G_OPTION_FLAG_FILENAME : G_OPTION_FLAG_NO_ARG,
                          .arg = G_OPTION_ARG_CALLBACK,
                          .arg_data = (gpointer)pv_parse_query,
                          .description = help,
                          .arg_description = value};
    entry.long_name = keep (parser, g_strconcat (prefix, name, NULL));
    g_array_append_val (entries, entry);
}

static void
add_origin_options (GArray *entries, Parser *parser)
{
    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++) {
        const PvOriginInfo *info = &pv_origins[origin];
        add_query_option (entries, parser, "", info->option, info->option_help, info->value);
        add_query_option (entries, parser, "exclude-", info->option, info->except_help,
                          info->value);
    }
}

static void
add_transform_options (GArray *entries, Parser *parser)
{
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++) {
        const PvTransformInfo *info = &pv_transforms[kind];
        if (info->bare_option != NULL)
            add_query_option (entries, parser, "", info->bare_option, info->bare_help, NULL);
        if (info->option != NULL)
            add_query_option (entries, parser, "", info->option, info->option_help,
                              NC_ ("option value", "REGEX"));
        if (info->off_option != NULL)
            add_query_option (entries, parser, "", info->off_option, info->off_help, NULL);
    }
}

static void
add_query_options (Parser *parser)
{
    const GOptionEntry first[] = {
        {"measure", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_query,
         N_ ("Measure to show, such as cycles; for tables also ipc and the like, or a formula: "
             "ipc=instructions/cycles"),
         NC_ ("option value", "NAME[=FORMULA]")},
        {"time", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_query,
         N_ ("Only the time from A to B: seconds from the start, or with a unit (ns, us, ms, s)"),
         NC_ ("option value", "A..B")},
    };
    const GOptionEntry labels[] = {
        {"label", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_query,
         N_ ("Only samples with a label KEY, or one whose value matches (repeatable)"),
         NC_ ("option value", "KEY[=REGEX|=A..B]")},
        {"exclude-label", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_query,
         N_ ("Without the samples that --label would keep (repeatable)"),
         NC_ ("option value", "KEY[=REGEX|=A..B]")},
    };
    const GOptionEntry last[] = {
        {"no-suppressions", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, pv_parse_query,
         N_ ("Use only --suppressions, not those built in or stored in the recording"), NULL},
        {"invert", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, pv_parse_query,
         N_ ("Invert the call tree: functions with self cost first, callers below them"), NULL},
        {"group", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_query,
         N_ ("Group by thread, process, cpu or label:KEY, or by the module, file or package of the "
             "innermost function"),
         NC_ ("option value", "WHAT")},
        {NULL},
    };
    const GOptionEntry headless[] = {
        {"suppressions", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_query,
         N_ ("Ignore leaks that match a line leak:PATTERN, as in LeakSanitizer (repeatable)"),
         NC_ ("option value", "FILE")},
        {"no-inline", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, pv_parse_query,
         N_ ("Count inlined functions as part of their callers"), NULL},
        {"by", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_query,
         N_ ("Sum up by function (default), line or address"), NC_ ("option value", "WHAT")},
        {NULL},
    };
    g_autoptr (GArray) entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
    g_array_append_vals (entries, first, G_N_ELEMENTS (first));
    add_origin_options (entries, parser);
    g_array_append_vals (entries, labels, G_N_ELEMENTS (labels));
    add_transform_options (entries, parser);
    g_array_append_vals (entries, last, G_N_ELEMENTS (last));
    add_entries (parser,
                 add_group (parser, "query", _ ("What to show:"),
                            (const GOptionEntry *)(gpointer)entries->data),
                 headless);
    mark_headless (parser, headless);
}

static gboolean
has_name (const GOptionEntry *entries, const char *name)
{
    while (entries->long_name != NULL && strcmp (entries->long_name, name) != 0)
        entries++;
    return entries->long_name != NULL;
}

/* Each option that chooses samples, for one side of a comparison; those that --help explains, for
 * the sake of all, are there already. */
static void
add_side_options (Parser *parser, GOptionGroup *group, const GOptionEntry *explained)
{
    static const char *const names[] = {"measure", "time", "label", "exclude-label",
                                        "no-suppressions"};
    static const char *const sides[] = {"base-", "new-"};
    g_autoptr (GArray) entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
    for (size_t side = 0; side < G_N_ELEMENTS (sides); side++) {
        for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
            add_query_option (entries, parser, sides[side], names[i], NULL,
                              g_str_has_prefix (names[i], "no-") ? NULL : "");
        for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++) {
            g_autofree char *except = g_strconcat (sides[side], "exclude-", NULL);
            add_query_option (entries, parser, sides[side], pv_origins[origin].option, NULL, "");
            add_query_option (entries, parser, except, pv_origins[origin].option, NULL, "");
        }
    }
    for (guint i = entries->len; i > 0; i--) {
        GOptionEntry *entry = &g_array_index (entries, GOptionEntry, i - 1);
        entry->flags |= G_OPTION_FLAG_HIDDEN;
        entry->arg_data = (gpointer)pv_parse_side_query;
        if (has_name (explained, entry->long_name))
            g_array_remove_index (entries, i - 1);
    }
    add_entries (parser, group, (const GOptionEntry *)(gpointer)entries->data);
}

static void
add_diff_options (Parser *parser)
{
    PvOptions *options = parser->options;
    const GOptionEntry entries[] = {
        {"diff", 0, 0, G_OPTION_ARG_NONE, &options->is_diff,
         N_ ("Compare two files: the first is the base, the second is new"), NULL},
        {"runs", 0, 0, G_OPTION_ARG_NONE, &options->is_runs,
         N_ ("The files, or those in a folder, are runs in order: show how each function changes "
             "over them"),
         NULL},
        {"base", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->open.base_files,
         N_ ("A file of the base: all others are new. Several runs of a side are averaged "
             "(repeatable)"),
         NC_ ("option value", "FILE")},
        {"base-time", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_side_query,
         N_ ("Like --time, for the base only"), NC_ ("option value", "A..B")},
        {"base-thread", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_side_query,
         N_ ("Like --thread, for the base only (repeatable)"), NC_ ("option value", "NAME|TID")},
        {"base-process", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_side_query,
         N_ ("Like --process, for the base only (repeatable)"), NC_ ("option value", "NAME|PID")},
        {"base-label", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_side_query,
         N_ ("Like --label, for the base only (repeatable)"),
         NC_ ("option value", "KEY[=REGEX|=A..B]")},
        {"base-measure", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_side_query,
         N_ ("Like --measure, for the base only"), NC_ ("option value", "NAME")},
        {"new-time", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_side_query,
         N_ ("Like --base-time, for the new side only; the same for --new-thread and the others"),
         NC_ ("option value", "A..B")},
        {"scale", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_scale,
         N_ ("Multiply the base for equal totals (total), times (time) or totals of a function "
             "(function:REGEX); default: none"),
         NC_ ("option value", "HOW")},
        {"width-by", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_width_by,
         N_ ("Make boxes as wide as both sides together (default), new or base; side-by-side: base "
             "and new beside each other"),
         NC_ ("option value", "WHAT")},
        {"with", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->open.with_files,
         N_ ("Show the measures of this file beside those of the other, joined by function "
             "(repeatable)"),
         NC_ ("option value", "FILE")},
        {"rename", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_rename,
         N_ ("Rename functions that match REGEX to TEXT, in which \\1 is a group (repeatable)"),
         NC_ ("option value", "REGEX=TEXT")},
        {NULL},
    };
    const GOptionEntry headless[] = {
        {"hide-noise", 0, 0, G_OPTION_ARG_NONE, &options->out.hides_noise,
         N_ ("Leave out differences within noise"), NULL},
        {NULL},
    };
    GOptionGroup *group = add_group (parser, "diff", C_ ("heading", "Comparing:"), entries);
    add_entries (parser, group, headless);
    add_side_options (parser, group, entries);
    mark_headless (parser, headless);
}

static void
add_symbol_options (Parser *parser)
{
    PvOptions *options = parser->options;
    const GOptionEntry entries[] = {
        {"sysroot", 0, 0, G_OPTION_ARG_FILENAME, &options->open.sysroot,
         N_ ("Look for the recorded files under DIR"), NC_ ("option value", "DIR")},
        {"symbol-path", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->open.symbol_paths,
         N_ ("Also look for programs and debug information in PATH, a folder or an archive of perf "
             "archive (repeatable)"),
         NC_ ("option value", "PATH")},
        {"map-path", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_path_map,
         N_ ("Files recorded under FROM are now under TO (repeatable)"),
         NC_ ("option value", "FROM=TO")},
        {"no-demangle", 0, 0, G_OPTION_ARG_NONE, &options->open.no_demangle,
         N_ ("Show mangled names, as in the symbol table"), NULL},
        {NULL},
    };
    const GOptionEntry headless[] = {
        {"debuginfod", 0, 0, G_OPTION_ARG_NONE, &options->fetches_debug_info,
         N_ ("Fetch missing debug information from the servers in DEBUGINFOD_URLS"), NULL},
        {"jobs", 0, 0, G_OPTION_ARG_INT, &options->n_jobs,
         N_ ("Worker threads (default: one per processor)"), NC_ ("option value", "N")},
        {"max-unpacked", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_max_unpacked,
         N_ ("Unpack at most this much of a compressed file (default: 4G; heaptrack: 256G)"),
         NC_ ("option value", "BYTES")},
        {"max-memory", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_max_memory,
         N_ ("Use at most this much memory for what is built from a file (default: 512M, or 3 "
             "times its unpacked size if that is more)"),
         NC_ ("option value", "BYTES")},
        {NULL},
    };
    add_entries (parser, add_group (parser, "symbols", _ ("Symbols and reading:"), entries),
                 headless);
    mark_headless (parser, headless);
}

static void
add_fetch_options (Parser *parser)
{
    PvOptions *options = parser->options;
    PvFetching *fetching = &options->fetching;
    const GOptionEntry entries[] = {
        {"seconds", 0, 0, G_OPTION_ARG_INT, &fetching->seconds,
         N_ ("Let the server record for S seconds (default: as in the URL, or 30)"),
         NC_ ("option value", "S")},
        {"repeat", 0, 0, G_OPTION_ARG_INT, &fetching->repeat,
         N_ ("Fetch each URL N times, as a series; or record a program N times"),
         NC_ ("option value", "N")},
        {"interval", 0, 0, G_OPTION_ARG_DOUBLE, &fetching->interval_seconds,
         N_ ("Seconds from one fetch to the next (default: 10)"), NC_ ("option value", "S")},
        {"timeout", 0, 0, G_OPTION_ARG_DOUBLE, &fetching->timeout_seconds,
         N_ ("Seconds to wait for an answer (default: 60, more for long recordings)"),
         NC_ ("option value", "S")},
        {"max-fetch", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, pv_parse_max_fetch,
         N_ ("Reject answers larger than this (default: 2G)"), NC_ ("option value", "BYTES")},
        {"tls-ca", 0, 0, G_OPTION_ARG_FILENAME, &fetching->tls.authorities,
         N_ ("Trust the authorities in this file (PEM), not those of the system"),
         NC_ ("option value", "FILE")},
        {"tls-cert", 0, 0, G_OPTION_ARG_FILENAME, &fetching->tls.certificate,
         N_ ("The certificate (PEM) for servers that want one"), NC_ ("option value", "FILE")},
        {"tls-key", 0, 0, G_OPTION_ARG_FILENAME, &fetching->tls.key,
         N_ ("Its key, if that is another file"), NC_ ("option value", "FILE")},
        {NULL},
    };
    add_group (parser, "fetch", _ ("With URLs:"), entries);
    mark_headless (parser, entries);
}

static void
add_record_options (Parser *parser)
{
    g_autoptr (GArray) entries = pv_record_words_make_entries (&parser->record);
    add_group (parser, "record", _ ("Recording (--record=KIND … -- COMMAND ARGUMENT…):"),
               (const GOptionEntry *)(gpointer)entries->data);
}

static void
add_main_options (Parser *parser)
{
    PvOptions *options = parser->options;
    const GOptionEntry entries[] = {
        {"help", 'h', 0, G_OPTION_ARG_NONE, &options->show_help, N_ ("Show this help"), NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &options->show_version, N_ ("Show the version"), NULL},
        {"merge", 0, 0, G_OPTION_ARG_NONE, &options->is_merged,
         N_ ("Show several files as one profile, with their values added up"), NULL},
        {"series", 0, 0, G_OPTION_ARG_NONE, &options->is_series,
         N_ ("Show several files as one series: a process at different times"), NULL},
        /* For the desktop: FILE OUT. */
        {"thumbnail", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &options->thumbnail_pixels, NULL,
         ""},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->open.files, NULL, NULL},
        {NULL},
    };
    GOptionGroup *group = make_group (parser, "main", "");
    add_entries (parser, group, entries);
    g_option_context_set_main_group (parser->context, group);
}

/* Lines of this text are broken by hand, since GLib does not break them. */
static char *
describe_more (void)
{
    static const char examples[] =
        "  profview perf.data\n"
        "  profview --print=top --thread=worker --time=1.5..2 perf.data\n"
        "  profview --print=callers --function='^malloc$' perf.data\n"
        "  profview --print=timeline --bins=60 --focus=parse perf.data\n"
        "  profview --print=wakers --measure=blocked --thread=worker perf.data\n"
        "  profview --print=marks --measure=raw_syscalls:sys_exit --sum=ret perf.data\n"
        "  profview --export=flame.svg --ignore='^__poll' perf.data\n"
        "  profview --export=malloc.svg --view=sandwich --function='^malloc$' perf.data\n"
        "  profview --export=parse.svg --view=source --function='^parse$' perf.data\n"
        "  profview --export=threads.svg --view=timeline --time=0.5..2 perf.data\n"
        "  profview --export=worker.svg --view=flamechart --thread=worker perf.data\n"
        "  profview --export=live.png --chart=live --time=..30 heaptrack.server.4711.raw.zst\n"
        "  profview --diff --print=top --scale=total before.data after.data\n"
        "  profview --diff --check='delta(total(Query::run)) < 3 %' before.data after.data\n"
        "  profview --runs --print=runs --scale=total nightly/\n"
        "  profview --diff --export=diff.svg --base-time=0..5 --time=5..10 perf.data\n"
        "  profview --print=top --measure=bytes-per-cpu-second --with=heap.zst perf.data\n"
        "  profview --print=top --series --measure=inuse_space-growth jeprof.4711.*.heap\n"
        "  profview --record=perf --call-graph=fp -- ./server --port 8080\n"
        "  profview --record=heaptrack --output=leak.raw.zst -- ./server\n"
        "  profview --record=perf --pid=4711 --duration=10 --print=top\n";
    const char *const paragraphs[] = {
        /* Translators: lines of at most 100 columns; options, measures and endings stay */
        _ ("The ending of OUT selects what --export writes: the flame graph (.svg, .png, .pdf), "
           "the call graph (.dot, for Graphviz; drawn with --view=graph), "
           "the stacks\n(.folded, .speedscope.json, .pb.gz for pprof, .profile.json or "
           ".profile.json.gz for the Firefox\nProfiler), functions and their calls (.callgrind, or "
           "callgrind.out.NAME, for KCachegrind), or the\ntable that --print names "
           "(default: top; .tsv, .csv, .json); or the whole profile with all that it needs\n"
           "to open elsewhere (.profview); or a page for any browser, with the flame graph, "
           "functions "
           "and\nwhat was recorded (.html). Stacks and .folded have one measure; .pb.gz, .html "
           "and\n"
           ".callgrind have all."),
        _ ("Expressions match the function, file or module of a frame and apply in the order "
           "given."),
        _ ("Heap traces have the measures peak (default), leaked, live, growth, allocated, "
           "allocations,\ntemporary and lifetime."),
        "",
        _ ("A REGEX of what to show matches functions, files and modules, or only one of them "
           "after function:,\nfile:, module: or package:, as in --hide='module:^libc'."),
        "",
        /* Translators: heads commands */
        C_ ("heading", "Examples:"),
        examples,
        _ ("--record opens a window that shows the recording as it grows. Without a display, or "
           "with --output,\n--duration, --print or --export, there is no window: Ctrl+C goes to "
           "the program, the name of the\nrecording is printed last, and the exit status is the "
           "program’s."),
        "",
        _ ("Exit status: 0 success, 1 a file cannot be read or written or nothing was recorded, "
           "2 bad usage,\n3 a --check failed, 4 a --check cannot be told."),
    };
    GString *text = g_string_new (NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (paragraphs); i++)
        g_string_append_printf (text, "%s\n", paragraphs[i]);
    return g_string_free (text, FALSE);
}

static void
parser_init (Parser *parser, PvOptions *options, PvOptionFunc visit, gpointer visit_data)
{
    GOptionContext *context = g_option_context_new (_ ("[FILE|URL…] | --record=KIND … -- COMMAND"));
    *parser = (Parser){.options = options,
                       .context = context,
                       .headless = g_ptr_array_new_with_free_func (g_free),
                       .texts = g_ptr_array_new_with_free_func (g_free),
                       .visit = visit,
                       .visit_data = visit_data};
    pv_record_words_init (&parser->record);
    g_option_context_set_help_enabled (context, FALSE);
    g_option_context_set_summary (
        context,
        _ ("Shows where a recorded program spent its time or its memory. Without --print or "
           "--export the profiles open in a window."));
    g_option_context_set_description (context, keep (parser, describe_more ()));
    add_output_options (parser);
    add_query_options (parser);
    add_diff_options (parser);
    add_symbol_options (parser);
    add_fetch_options (parser);
    add_record_options (parser);
    add_main_options (parser);
}

static void
parser_clear (Parser *parser)
{
    g_option_context_free (parser->context);
    g_ptr_array_unref (parser->headless);
    g_ptr_array_unref (parser->texts);
    pv_record_words_clear (&parser->record);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parser, parser_clear)

static bool
set_bad_usage (GError **error, const char *message)
{
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
    return false;
}

/* -1: not given. */
static bool
is_fraction (double number)
{
    return number == -1 || (number >= 0 && number <= 1);
}

/* A combination of options, and what to say of it. */
typedef struct {
    bool is_bad;
    const char *message; /* to be translated */
} Rule;

static bool
check_rules (const Rule *rules, size_t n_rules, GError **error)
{
    for (size_t i = 0; i < n_rules; i++)
        if (rules[i].is_bad)
            return set_bad_usage (error, _ (rules[i].message));
    return true;
}

static bool
check_numbers (const PvOptions *options, GError **error)
{
    const PvExportOptions *out = &options->out;
    const PvFetching *fetching = &options->fetching;
    const Rule rules[] = {
        {out->limit < 0 && out->limit != PV_LIMIT_DEFAULT, N_ ("--limit: must not be negative")},
        {options->n_jobs < 0 || options->n_jobs > 1024, N_ ("--jobs: must be between 0 and 1024")},
        {out->n_bins < 0 || out->n_bins > PV_TIMELINE_BINS_MAX,
         N_ ("--bins: must be between 1 and 1000000")},
        {out->width != 0 && (out->width < 100 || out->width > 32767),
         N_ ("--width: must be between 100 and 32767")},
        {out->height < 0 || out->height > 32767, N_ ("--height: must be between 0 and 32767")},
        {fetching->seconds < 0 || fetching->seconds > 24 * 3600,
         N_ ("--seconds: must be between 1 and 86400")},
        {fetching->repeat < 0 || fetching->repeat > 10000,
         N_ ("--repeat: must be between 1 and 10000")},
        {!(fetching->interval_seconds >= 0 && fetching->interval_seconds <= 24 * 3600),
         N_ ("--interval: must be between 0 and 86400")},
        {!(fetching->timeout_seconds >= 0 && fetching->timeout_seconds <= 7 * 24 * 3600),
         N_ ("--timeout: must be between 0 and 604800")},
        {out->n_graph_nodes < -1 || out->n_callers < -1 || out->n_callees < -1,
         N_ ("--nodecount, --callers, --callees: must not be negative")},
        {!is_fraction (out->node_fraction) || !is_fraction (out->edge_fraction),
         N_ ("--nodefraction, --edgefraction: must be between 0 and 1")},
        {out->min_percent != PV_MIN_PERCENT_DEFAULT &&
             !(out->min_percent >= 0 && out->min_percent <= 100),
         N_ ("--min-percent: must be between 0 and 100")},
    };
    return check_rules (rules, G_N_ELEMENTS (rules), error);
}

static bool
check_exists (const char *option, const char *path, GError **error)
{
    if (g_access (path, F_OK) == 0)
        return true;
    g_autofree char *shown = pv_format_path (path);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s: %s", option, shown,
                 g_strerror (errno));
    return false;
}

static bool
check_paths (const PvOptions *options, GError **error)
{
    if (options->open.sysroot != NULL && !check_exists ("--sysroot", options->open.sysroot, error))
        return false;
    for (char **path = options->open.symbol_paths; path != NULL && *path != NULL; path++) {
        if (!check_exists ("--symbol-path", *path, error))
            return false;
    }
    return true;
}

static bool
check_function (const PvOptions *options, GError **error)
{
    bool is_needed = options->out.print == PV_PRINT_CALLERS ||
                     options->out.print == PV_PRINT_CALLEES ||
                     options->out.print == PV_PRINT_PEEK || options->out.print == PV_PRINT_ANNOTATE;
    if (options->out.function == NULL && options->out.view == PV_VIEW_SANDWICH)
        return set_bad_usage (error, _ ("--view=sandwich needs --function"));
    if (options->out.function == NULL && options->out.view == PV_VIEW_SOURCE)
        return set_bad_usage (error, _ ("--view=source needs --function"));
    if (options->out.function == NULL)
        return !is_needed ||
               set_bad_usage (error,
                              _ ("--print=callers, callees, peek and annotate need --function"));
    if (*options->out.function == '\0' || !g_utf8_validate (options->out.function, -1, NULL))
        return pv_set_bad_value (error, "--function", options->out.function,
                                 _ ("a regular expression"));
    bool is_valid = pv_matcher_check (options->out.function, error);
    if (!is_valid)
        g_prefix_error (error, "--function: ");
    return is_valid;
}

/* True if the output has columns for formulas: only these tables do, and those of the window. */
static bool
takes_formulas (const PvOptions *options)
{
    const char *path = options->export_path;
    bool is_table = path == NULL || g_str_has_suffix (path, ".tsv") ||
                    g_str_has_suffix (path, ".csv") || g_str_has_suffix (path, ".json");
    return options->out.print == PV_PRINT_TOP || options->out.print == PV_PRINT_TREE ||
           (options->out.print == PV_PRINT_NONE && is_table);
}

static bool
has_side_options (const PvOptions *options)
{
    return options->side_options[PV_SIDE_BASE] != NULL ||
           options->side_options[PV_SIDE_NEW] != NULL;
}

/* True if rows are plain functions with amounts, as in tables of runs. */
static bool
are_plain_functions (const PvQuery *query)
{
    return query->grouping == PV_GROUP_NONE && !query->is_inverted &&
           query->granularity == PV_BY_FUNCTION && query->formulas == NULL;
}

static bool
check_runs (const PvOptions *options, GError **error)
{
    const PvExportOptions *out = &options->out;
    const bool is_table = out->print != PV_PRINT_NONE || options->export_path != NULL;
    const Rule rules[] = {
        {options->is_diff || options->is_merged || options->is_series,
         N_ ("--runs cannot be used with --diff, --merge or --series")},
        {has_side_options (options) || options->width_part != PV_PART_BOTH ||
             out->is_side_by_side || options->open.renames != NULL,
         N_ ("--width-by, --rename, --base-… and --new-… need --diff")},
        {options->open.with_files != NULL, N_ ("--runs cannot be used with --with")},
        {is_table && !are_plain_functions (&options->words.query),
         N_ ("--group, --invert, --by and --measure=NAME=FORMULA do not apply to tables of runs")},
        {out->print != PV_PRINT_NONE && out->print != PV_PRINT_RUNS,
         N_ ("--runs can only print runs: --print=runs")},
        {options->checks != NULL, N_ ("--check cannot be used with --runs")},
    };
    if (!check_rules (rules, G_N_ELEMENTS (rules), error))
        return false;
    for (char **file = options->open.files; file != NULL && *file != NULL; file++)
        if (strcmp (*file, "-") == 0 || pv_fetching_is_url (*file))
            return set_bad_usage (error, _ ("--runs takes files and folders"));
    return true;
}

static bool
check_diff (const PvOptions *options, GError **error)
{
    const guint n = options->open.files != NULL ? g_strv_length (options->open.files) : 0;
    const bool is_diff = options->is_diff;
    const bool has_words = has_side_options (options) || options->out.scale != PV_SCALE_NONE ||
                           options->width_part != PV_PART_BOTH || options->out.is_side_by_side ||
                           options->open.renames != NULL;
    const bool is_part = n == 1 && (has_side_options (options) || options->open.base_files != NULL);
    if (options->awaits_sides)
        return true;
    const Rule rules[] = {
        {options->out.print == PV_PRINT_RUNS, N_ ("--print=runs needs --runs")},
        {!is_diff && options->out.hides_noise, N_ ("--hide-noise needs --diff or --runs")},
        {!is_diff && has_words,
         N_ ("--scale, --width-by, --rename, --base-… and --new-… need --diff")},
        {is_diff && (options->is_merged || options->is_series),
         N_ ("--diff cannot be used with --merge or --series")},
        {is_diff && options->open.base_files == NULL && n != 2 && !is_part,
         N_ ("--diff needs two files, BASE and NEW; or one file and the part of it that is "
             "the base: --base-time=0..5")},
    };
    return options->is_runs ? check_runs (options, error)
                            : check_rules (rules, G_N_ELEMENTS (rules), error);
}

static bool
check_with (const PvOptions *options, GError **error)
{
    guint n = options->open.files != NULL ? g_strv_length (options->open.files) : 0;
    if (options->open.with_files == NULL)
        return true;
    if (options->is_diff || options->is_merged || options->is_series)
        return set_bad_usage (error, _ ("--with cannot be used with --diff, --merge or --series"));
    return n == 1 || set_bad_usage (error, _ ("--with needs one other file: --with=HEAP CPU"));
}

static bool
check_options (const PvOptions *options, GError **error)
{
    const PvExportOptions *out = &options->out;
    const PvGrouping grouping = options->words.query.grouping;
    const bool is_grouped = grouping != PV_GROUP_NONE;
    const bool is_inverted = options->words.query.is_inverted;
    const bool is_other_tree = is_grouped || is_inverted;
    const bool has_groups =
        out->print == PV_PRINT_NONE || out->print == PV_PRINT_TOP || out->print == PV_PRINT_TREE;
    const bool is_list = out->print == PV_PRINT_SUMMARY || out->print == PV_PRINT_NOTES;
    const bool has_cells = pv_format_has_cells (out->format) || options->export_path != NULL;
    const Rule rules[] = {
        {options->is_merged && options->is_series,
         N_ ("--merge and --series cannot be used together")},
        {options->fetches_debug_info && !pv_debuginfod_has_servers (),
         N_ ("--debuginfod needs the environment variable DEBUGINFOD_URLS, which is not set")},
        {is_grouped && !has_groups, N_ ("--group applies to --print=top and --print=tree only")},
        {options->words.query.formulas != NULL && !takes_formulas (options),
         N_ ("--measure=NAME=FORMULA applies to --print=top, --print=tree and exports of their "
             "tables only")},
        {out->is_histogram && out->print != PV_PRINT_SYSCALLS,
         N_ ("--histogram applies to --print=syscalls only")},
        {out->sum_field != NULL && out->print != PV_PRINT_MARKS,
         N_ ("--sum applies to --print=marks only")},
        {out->n_bins != 0 && out->print != PV_PRINT_TIMELINE,
         N_ ("--bins applies to --print=timeline only")},
        {out->view == PV_VIEW_SANDWICH && is_other_tree,
         N_ ("--group and --invert do not apply to --view=sandwich")},
        {out->is_side_by_side && out->view > PV_VIEW_FLAME_GRAPH,
         N_ ("--width-by=side-by-side is for flame graphs only")},
        {out->view == PV_VIEW_TIMELINE && is_inverted,
         N_ ("--invert does not apply to --view=timeline")},
        {out->view == PV_VIEW_FLAME_CHART && is_other_tree,
         N_ ("--group and --invert do not apply to --view=flamechart")},
        {out->view == PV_VIEW_HEAT_MAP && is_other_tree,
         N_ ("--group and --invert do not apply to --view=heatmap")},
        {out->view == PV_VIEW_SOURCE && is_other_tree,
         N_ ("--group and --invert do not apply to --view=source")},
        {(out->n_callers >= 0 || out->n_callees >= 0) && out->function == NULL,
         N_ ("--callers and --callees need --function")},
        {out->view == PV_VIEW_TIMELINE && is_grouped && grouping != PV_GROUP_THREAD &&
             grouping != PV_GROUP_CPU,
         N_ ("--view=timeline has rows for --group=thread (default) or --group=cpu")},
        {out->has_header && (is_list || !has_cells),
         N_ ("--header applies to tables in TSV or CSV: --format=tsv or --export=NAME.tsv")},
        {options->has_full_names && options->export_path != NULL,
         N_ ("--full-names applies to --print: exports never shorten names")},
    };
    return check_rules (rules, G_N_ELEMENTS (rules), error) && check_numbers (options, error) &&
           check_paths (options, error) && check_function (options, error) &&
           check_diff (options, error) && check_with (options, error);
}

/* Parses everything before the recorded command; GLib would remove a "--" inside it. */
static bool
parse_words (Parser *parser, int argc, char **argv, GError **error)
{
    int n_args = pv_record_words_find_command (argc, argv);
    /* GLib removes the options it knows from the vector, so it gets a copy. */
    g_autofree char **args = g_new0 (char *, (gsize)n_args + 1);
    for (int i = 0; i < n_args; i++)
        args[i] = argv[i];
    return g_option_context_parse (parser->context, &n_args, &args, error);
}

/* The first option given that is for headless commands only; or NULL. */
static char *
find_headless_option (const Parser *parser, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++) {
        g_autofree char *name = g_strndup (argv[i], strcspn (argv[i], "="));
        for (guint n = 0; g_str_has_prefix (name, "--") && n < parser->headless->len; n++) {
            if (strcmp (name + 2, parser->headless->pdata[n]) == 0)
                return g_steal_pointer (&name);
        }
    }
    return NULL;
}

bool
pv_options_parse (PvOptions *ret_options, int argc, char **argv, GError **error)
{
    g_assert (ret_options != NULL && argv != NULL);

    PvOptions *options = ret_options;
    g_auto (Parser) parser;
    g_autoptr (GError) bad = NULL;
    pv_options_init (options);
    parser_init (&parser, options, NULL, NULL);
    if (!parse_words (&parser, argc, argv, &bad)) {
        g_propagate_error (error, g_steal_pointer (&bad));
        return false;
    }
    options->is_diff = options->is_diff || options->open.base_files != NULL;
    options->awaits_sides = parser.record.interleaved != NULL || parser.record.range != NULL;
    options->headless_option = find_headless_option (&parser, argc, argv);
    int separator = pv_record_words_find_command (argc, argv);
    char *const *command = separator < argc ? argv + separator + 1 : NULL;
    options->words.takes_formulas = takes_formulas (options);
    options->out.has_measure = options->words.measure != NULL;
    PvLoadOptions load;
    pv_options_fill_load (options, &load);
    options->out.symbols = load.symbols;
    return check_options (options, error) &&
           (options->show_help || options->show_version ||
            pv_record_words_finish (&parser.record, command, options, error));
}

char *
pv_options_get_help (void)
{
    g_auto (PvOptions) options;
    g_auto (Parser) parser;
    pv_options_init (&options);
    parser_init (&parser, &options, NULL, NULL);
    return g_option_context_get_help (parser.context, FALSE, NULL);
}

void
pv_options_visit (PvOptionFunc visit, gpointer data)
{
    g_assert (visit != NULL);

    g_auto (PvOptions) options;
    g_auto (Parser) parser;
    pv_options_init (&options);
    parser_init (&parser, &options, visit, data);
}
