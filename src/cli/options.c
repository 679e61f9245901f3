#include "cli/options.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/array.h"

static bool
set_bad_value (GError **error, const char *option, const char *value, const char *expected)
{
    g_autofree char *shown = g_filename_display_name (value);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 /* Translators: option, the value given, and what values there are */
                 _ ("%s: “%s” is not %s"), option, shown, expected);
    return false;
}

/* --- words --- */

typedef struct {
    const char *word;
    int value;
} Word;

static bool
parse_word (const char *option, const char *value, const Word *words, size_t n_words,
            const char *expected, int *ret_value, GError **error)
{
    for (size_t i = 0; i < n_words; i++) {
        if (strcmp (words[i].word, value) == 0) {
            *ret_value = words[i].value;
            return true;
        }
    }
    return set_bad_value (error, option, value, expected);
}

static gboolean
parse_print (const char *option, const char *value, gpointer data, GError **error)
{
    static const Word words[] = {{"summary", PV_PRINT_SUMMARY}, {"top", PV_PRINT_TOP},
                                 {"tree", PV_PRINT_TREE},       {"callers", PV_PRINT_CALLERS},
                                 {"callees", PV_PRINT_CALLEES}, {"notes", PV_PRINT_NOTES}};
    int print = 0;
    if (!parse_word (option, value, words, G_N_ELEMENTS (words),
                     _ ("one of summary, top, tree, callers, callees, notes"), &print, error))
        return FALSE;
    ((PvOptions *)data)->print = (PvPrint)print;
    return TRUE;
}

static gboolean
parse_format (const char *option, const char *value, gpointer data, GError **error)
{
    static const Word words[] = {
        {"text", PV_FORMAT_TEXT}, {"tsv", PV_FORMAT_TSV}, {"json", PV_FORMAT_JSON}};
    int format = 0;
    if (!parse_word (option, value, words, G_N_ELEMENTS (words), _ ("one of text, tsv, json"),
                     &format, error))
        return FALSE;
    ((PvOptions *)data)->format = (PvFormat)format;
    return TRUE;
}

static gboolean
parse_group (const char *option, const char *value, gpointer data, GError **error)
{
    static const Word words[] = {{"thread", PV_GROUP_THREAD}, {"process", PV_GROUP_PROCESS}};
    int grouping = 0;
    if (!parse_word (option, value, words, G_N_ELEMENTS (words), _ ("one of thread, process"),
                     &grouping, error))
        return FALSE;
    ((PvOptions *)data)->query.grouping = (PvGrouping)grouping;
    return TRUE;
}

static gboolean
parse_by (const char *option, const char *value, gpointer data, GError **error)
{
    static const Word words[] = {
        {"function", PV_BY_FUNCTION}, {"line", PV_BY_LINE}, {"address", PV_BY_ADDRESS}};
    int granularity = 0;
    if (!parse_word (option, value, words, G_N_ELEMENTS (words),
                     _ ("one of function, line, address"), &granularity, error))
        return FALSE;
    ((PvOptions *)data)->query.granularity = (PvGranularity)granularity;
    return TRUE;
}

/* --- times and processors --- */

/* "1.5", "20ms", "7us": from the start of the recording, seconds where no unit is given. */
static bool
parse_instant (const char *text, uint64_t *ret_ns)
{
    static const struct {
        const char *suffix;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1e9}};
    char *end = NULL;
    double value = g_ascii_strtod (text, &end);
    if (end == text || !isfinite (value) || value < 0 || g_ascii_isspace (*text))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS (units); i++) {
        if (strcmp (end, units[i].suffix) != 0)
            continue;
        double ns = value * units[i].ns;
        *ret_ns = ns < 1.8e19 ? (uint64_t)(ns + 0.5) : UINT64_MAX;
        return true;
    }
    return false;
}

static gboolean
parse_time (const char *option, const char *value, gpointer data, GError **error)
{
    PvQuery *query = &((PvOptions *)data)->query;
    const char *dots = strstr (value, "..");
    if (dots == NULL)
        return set_bad_value (error, option, value, _ ("a range such as 1.5..2 or 20ms..300ms"));
    g_autofree char *from = g_strndup (value, (gsize)(dots - value));
    const char *to = dots + 2;
    uint64_t start_ns = 0, end_ns = UINT64_MAX;
    bool is_good = (*from == '\0' || parse_instant (from, &start_ns)) &&
                   (*to == '\0' || parse_instant (to, &end_ns)) && start_ns <= end_ns;
    if (!is_good)
        return set_bad_value (error, option, value, _ ("a range such as 1.5..2 or 20ms..300ms"));
    query->start_ns = start_ns;
    query->end_ns = end_ns;
    return TRUE;
}

static bool
parse_small (const char **pos, unsigned *ret_number)
{
    char *end = NULL;
    if (!g_ascii_isdigit (**pos))
        return false;
    guint64 number = g_ascii_strtoull (*pos, &end, 10);
    if (number >= PV_CPU_UNKNOWN)
        return false;
    *ret_number = (unsigned)number;
    *pos = end;
    return true;
}

/* "0-3,7" */
static gboolean
parse_cpus (const char *option, const char *value, gpointer data, GError **error)
{
    PvQuery *query = &((PvOptions *)data)->query;
    PV_ARRAY (uint16_t) cpus = {0};
    pv_array_append (&cpus, query->cpus, query->n_cpus);
    const char *pos = value;
    bool is_good = true;
    while (is_good) {
        unsigned first = 0, last = 0;
        is_good = parse_small (&pos, &first);
        last = first;
        if (is_good && *pos == '-') {
            pos++;
            is_good = parse_small (&pos, &last) && last >= first;
        }
        for (unsigned cpu = first; is_good && cpu <= last; cpu++)
            pv_array_push (&cpus, (uint16_t)cpu);
        if (!is_good || *pos == '\0')
            break;
        is_good = *pos++ == ',';
    }
    if (!is_good) {
        pv_array_clear (&cpus);
        return set_bad_value (error, option, value, _ ("a list of processors such as 0-3,7"));
    }
    g_free (query->cpus);
    query->n_cpus = (uint32_t)cpus.len;
    query->cpus = cpus.data;
    return TRUE;
}

/* --- transforms, in the order given --- */

static gboolean
parse_transform (const char *option, const char *value, gpointer data, GError **error)
{
    if (*value == '\0' || !g_utf8_validate (value, -1, NULL))
        return set_bad_value (error, option, value, _ ("a regular expression"));
    static const Word words[] = {
        {"--focus", PV_TRANSFORM_FOCUS},         {"--ignore", PV_TRANSFORM_IGNORE},
        {"--hide", PV_TRANSFORM_HIDE},           {"--show", PV_TRANSFORM_SHOW},
        {"--show-from", PV_TRANSFORM_SHOW_FROM}, {"--merge-module", PV_TRANSFORM_MERGE_MODULE}};
    g_autoptr (GRegex) regex = g_regex_new (value, 0, 0, error);
    if (regex == NULL) {
        g_prefix_error (error, "%s: ", option);
        return FALSE;
    }
    for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
        if (strcmp (words[i].word, option) == 0)
            pv_query_add_transform (&((PvOptions *)data)->query, (PvTransformKind)words[i].value,
                                    value);
    }
    return TRUE;
}

static gboolean
parse_collapse (const char *option, const char *value, gpointer data, GError **error)
{
    pv_query_add_transform (&((PvOptions *)data)->query, PV_TRANSFORM_COLLAPSE_RECURSION, NULL);
    return TRUE;
}

/* --- heaps --- */

static gboolean
parse_chart (const char *option, const char *value, gpointer data, GError **error)
{
    PvChartKind chart = pv_chart_kind_from_name (value);
    if (chart == PV_N_CHARTS)
        return set_bad_value (error, option, value,
                              _ ("one of live, allocations, temporary, rss, sizes"));
    ((PvOptions *)data)->chart = chart;
    return TRUE;
}

static gboolean
parse_suppressions (const char *option, const char *value, gpointer data, GError **error)
{
    PvQuery *query = &((PvOptions *)data)->query;
    g_autoptr (GError) bad = NULL;
    g_autoptr (PvSuppressions) loaded = pv_suppressions_load (value, &bad);
    if (loaded == NULL) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s", option,
                     bad->message);
        return FALSE;
    }
    PvSuppressions *joined = pv_suppressions_join (query->suppressions, loaded);
    pv_suppressions_free (query->suppressions);
    query->suppressions = joined;
    return TRUE;
}

/* "500M", "64GiB", "1000000": suffixes are powers of 1024. */
static gboolean
parse_max_unpacked (const char *option, const char *value, gpointer data, GError **error)
{
    static const char suffixes[] = "kmgt";
    char *end = NULL;
    errno = 0;
    guint64 bytes = g_ascii_isdigit (*value) ? g_ascii_strtoull (value, &end, 10) : 0;
    bool is_good = bytes > 0 && errno == 0;
    const char *suffix = is_good && *end != '\0' ? strchr (suffixes, g_ascii_tolower (*end)) : NULL;
    if (suffix != NULL) {
        unsigned shift = 10 * (unsigned)(suffix - suffixes + 1);
        is_good = bytes <= UINT64_MAX >> shift;
        bytes <<= is_good ? shift : 0;
        end += strcmp (end + 1, "iB") == 0 || strcmp (end + 1, "B") == 0 ? strlen (end) : 1;
    }
    if (!is_good || *end != '\0')
        return set_bad_value (error, option, value, _ ("a number of bytes such as 500M or 64G"));
    ((PvOptions *)data)->max_unpacked_bytes = bytes;
    return TRUE;
}

static gboolean
parse_path_map (const char *option, const char *value, gpointer data, GError **error)
{
    PvOptions *options = data;
    const char *equals = strchr (value, '=');
    if (equals == NULL || equals == value)
        return set_bad_value (error, option, value, _ ("of the form FROM=TO"));
    guint n = options->path_maps != NULL ? g_strv_length (options->path_maps) : 0;
    options->path_maps = g_renew (char *, options->path_maps, n + 2);
    options->path_maps[n] = g_strdup (value);
    options->path_maps[n + 1] = NULL;
    return TRUE;
}

/* --- all together --- */

/* Flags are gboolean for GLib, and end in the options once all is parsed. */
typedef struct {
    gboolean help, version, invert, no_inline, no_demangle, show_allocators, no_suppressions;
} Flags;

/* The context takes the group. */
static void
add_group (GOptionContext *context, PvOptions *options, const char *name, const char *title,
           const GOptionEntry *entries)
{
    GOptionGroup *group = g_option_group_new (name, title, "", options, NULL);
    g_option_group_add_entries (group, entries);
    g_option_group_set_translation_domain (group, GETTEXT_PACKAGE);
    g_option_context_add_group (context, group);
}

static void
add_output_options (GOptionContext *context, PvOptions *options)
{
    const GOptionEntry entries[] = {
        {"print", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_print,
         N_ ("Print summary, top, tree, callers, callees or notes, and exit"), N_ ("WHAT")},
        {"function", 0, 0, G_OPTION_ARG_FILENAME, &options->function,
         N_ ("Whose callers or callees to print"), N_ ("REGEX")},
        {"format", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_format,
         N_ ("Print as text, tsv or json"), N_ ("FORMAT")},
        {"export", 0, 0, G_OPTION_ARG_FILENAME, &options->export_path,
         N_ ("Write .svg, .png, .pdf, .folded, .tsv or .json, and exit"), N_ ("OUT")},
        {"chart", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_chart,
         N_ ("Draw live, allocations, temporary, rss or sizes of a heap instead of a flame graph"),
         N_ ("KIND")},
        {"limit", 0, 0, G_OPTION_ARG_INT, &options->limit, N_ ("Print at most N rows (0: all)"),
         N_ ("N")},
        {"min-percent", 0, 0, G_OPTION_ARG_DOUBLE, &options->min_percent,
         N_ ("Leave out what is below P percent of the total"), N_ ("P")},
        {"width", 0, 0, G_OPTION_ARG_INT, &options->width, N_ ("Width of the picture"),
         N_ ("PIXELS")},
        {"height", 0, 0, G_OPTION_ARG_INT, &options->height,
         N_ ("Height of the picture (default: what the stacks need)"), N_ ("PIXELS")},
        {NULL},
    };
    add_group (context, options, "output", _ ("Without a window:"), entries);
}

static void
add_query_options (GOptionContext *context, PvOptions *options, Flags *flags)
{
    const GOptionEntry entries[] = {
        {"measure", 0, 0, G_OPTION_ARG_FILENAME, &options->measure,
         N_ ("What is counted, such as cycles"), N_ ("NAME")},
        {"time", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_time,
         N_ ("Only between A and B, in seconds from the start, or with ns, us, ms, s"),
         N_ ("A..B")},
        {"thread", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->threads,
         N_ ("Only threads of that name or id (repeatable)"), N_ ("NAME|TID")},
        {"process", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->processes,
         N_ ("Only processes of that name or id (repeatable)"), N_ ("NAME|PID")},
        {"cpu", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_cpus,
         N_ ("Only these processors"), N_ ("LIST")},
        {"focus", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_transform,
         N_ ("Keep stacks with a frame that matches"), N_ ("REGEX")},
        {"ignore", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_transform,
         N_ ("Drop stacks with a frame that matches"), N_ ("REGEX")},
        {"hide", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_transform,
         N_ ("Take matching frames out; their cost goes to the caller"), N_ ("REGEX")},
        {"show", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_transform,
         N_ ("Show only matching frames"), N_ ("REGEX")},
        {"show-from", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_transform,
         N_ ("Let stacks start at the outermost frame that matches"), N_ ("REGEX")},
        {"collapse-recursion", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, parse_collapse,
         N_ ("Show a function that calls itself once"), NULL},
        {"merge-module", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_transform,
         N_ ("Show the frames of a matching module as one"), N_ ("REGEX")},
        {"show-allocators", 0, 0, G_OPTION_ARG_NONE, &flags->show_allocators,
         N_ ("Do not hide the functions of a heap that only allocate"), NULL},
        {"suppressions", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_suppressions,
         N_ ("Leaks that do not count: lines leak:PATTERN, as of LeakSanitizer (repeatable)"),
         N_ ("FILE")},
        {"no-suppressions", 0, 0, G_OPTION_ARG_NONE, &flags->no_suppressions,
         N_ ("Only those of --suppressions, none that are built in or came with the recording"),
         NULL},
        {"invert", 0, 0, G_OPTION_ARG_NONE, &flags->invert,
         N_ ("Callers below callees: start at the functions that cost"), NULL},
        {"no-inline", 0, 0, G_OPTION_ARG_NONE, &flags->no_inline,
         N_ ("Count inlined functions as part of their callers"), NULL},
        {"group", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_group,
         N_ ("Group by thread or process"), N_ ("WHAT")},
        {"by", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_by,
         N_ ("Tell apart by function (default), line or address"), N_ ("WHAT")},
        {NULL},
    };
    add_group (context, options, "query", _ ("What to look at:"), entries);
}

static void
add_symbol_options (GOptionContext *context, PvOptions *options, Flags *flags)
{
    const GOptionEntry entries[] = {
        {"sysroot", 0, 0, G_OPTION_ARG_FILENAME, &options->sysroot,
         N_ ("Look for the recorded files below DIR"), N_ ("DIR")},
        {"symbol-path", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->symbol_paths,
         N_ ("Look for programs and debug information in DIR too (repeatable)"), N_ ("DIR")},
        {"map-path", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_path_map,
         N_ ("What was recorded below FROM is below TO now (repeatable)"), N_ ("FROM=TO")},
        {"no-demangle", 0, 0, G_OPTION_ARG_NONE, &flags->no_demangle,
         N_ ("Show names as in the symbol table"), NULL},
        {"jobs", 0, 0, G_OPTION_ARG_INT, &options->n_jobs,
         N_ ("Worker threads (default: one for each processor)"), N_ ("N")},
        {"max-unpacked", 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, parse_max_unpacked,
         N_ ("Read at most that much of a compressed file (default: 4G, of heaptrack's 256G)"),
         N_ ("BYTES")},
        {NULL},
    };
    add_group (context, options, "symbols", _ ("Names and reading:"), entries);
}

static void
add_main_options (GOptionContext *context, PvOptions *options, Flags *flags)
{
    const GOptionEntry entries[] = {
        {"help", 'h', 0, G_OPTION_ARG_NONE, &flags->help, N_ ("Show this help"), NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &flags->version, N_ ("Show the version"), NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files, NULL, NULL},
        {NULL},
    };
    GOptionGroup *group = g_option_group_new ("main", "", "", options, NULL);
    g_option_group_add_entries (group, entries);
    g_option_group_set_translation_domain (group, GETTEXT_PACKAGE);
    g_option_context_set_main_group (context, group);
}

static GOptionContext *
make_context (PvOptions *options, Flags *flags)
{
    GOptionContext *context = g_option_context_new (_ ("[FILE…]"));
    g_option_context_set_help_enabled (context, FALSE);
    g_option_context_set_summary (
        context,
        _ ("Shows where a recorded program spent its time or its memory. Without --print or "
           "--export the profiles open in a window."));
    g_option_context_set_description (
        context,
        _ ("--export=OUT goes by the ending of OUT: the flame graph as .svg, .png or .pdf, the "
           "stacks "
           "as\n.folded, the table that --print names (else top) as .tsv or .json.\n"
           "Expressions match the function, file or module of a frame and apply in the order "
           "given.\n"
           "Heaps have the measures peak (default), leaked, live, growth, allocated, allocations, "
           "temporary\nand lifetime.\n"
           "\n"
           "Examples:\n"
           "  profview perf.data\n"
           "  profview --print=top --thread=worker --time=1.5..2 perf.data\n"
           "  profview --print=callers --function='^malloc$' perf.data\n"
           "  profview --export=flame.svg --ignore='^__poll' perf.data\n"
           "  profview --export=live.png --chart=live --time=..30 heaptrack.server.4711.raw.zst\n"
           "\n"
           "Exit status: 0 all well, 1 a file cannot be read or written, 2 bad usage.\n"));
    add_output_options (context, options);
    add_query_options (context, options, flags);
    add_symbol_options (context, options, flags);
    add_main_options (context, options, flags);
    return context;
}

static void
init_options (PvOptions *options)
{
    *options = (PvOptions){
        .chart = PV_N_CHARTS, .limit = PV_LIMIT_DEFAULT, .min_percent = PV_MIN_PERCENT_DEFAULT};
    pv_query_init (&options->query);
}

static bool
set_bad_usage (GError **error, const char *message)
{
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
    return false;
}

static bool
check_numbers (const PvOptions *options, GError **error)
{
    if (options->limit < 0 && options->limit != PV_LIMIT_DEFAULT)
        return set_bad_usage (error, _ ("--limit: must not be negative"));
    if (options->n_jobs < 0 || options->n_jobs > 1024)
        return set_bad_usage (error, _ ("--jobs: must be between 0 and 1024"));
    if (options->width != 0 && (options->width < 100 || options->width > 32767))
        return set_bad_usage (error, _ ("--width: must be between 100 and 32767"));
    if (options->height < 0 || options->height > 32767)
        return set_bad_usage (error, _ ("--height: must be between 0 and 32767"));
    if (options->min_percent != PV_MIN_PERCENT_DEFAULT &&
        !(options->min_percent >= 0 && options->min_percent <= 100))
        return set_bad_usage (error, _ ("--min-percent: must be between 0 and 100"));
    return true;
}

static bool
check_exists (const char *option, const char *path, GError **error)
{
    if (g_access (path, F_OK) == 0)
        return true;
    g_autofree char *shown = g_filename_display_name (path);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: %s: %s", option, shown,
                 g_strerror (errno));
    return false;
}

static bool
check_paths (const PvOptions *options, GError **error)
{
    if (options->sysroot != NULL && !check_exists ("--sysroot", options->sysroot, error))
        return false;
    for (char **path = options->symbol_paths; path != NULL && *path != NULL; path++) {
        if (!check_exists ("--symbol-path", *path, error))
            return false;
    }
    return true;
}

static bool
check_function (const PvOptions *options, GError **error)
{
    bool is_needed = options->print == PV_PRINT_CALLERS || options->print == PV_PRINT_CALLEES;
    if (options->function == NULL)
        return !is_needed ||
               set_bad_usage (error, _ ("--print=callers and --print=callees need --function"));
    if (*options->function == '\0' || !g_utf8_validate (options->function, -1, NULL))
        return set_bad_value (error, "--function", options->function, _ ("a regular expression"));
    g_autoptr (GRegex) regex = g_regex_new (options->function, 0, 0, error);
    if (regex == NULL)
        g_prefix_error (error, "--function: ");
    return regex != NULL;
}

static bool
check_options (const PvOptions *options, GError **error)
{
    return check_numbers (options, error) && check_paths (options, error) &&
           check_function (options, error);
}

/* Other words for options that are known by name, but not made yet. */
static void
explain_unknown (int argc, char **argv, GError **error)
{
    static const char *const planned[] = {"--diff",  "--record", "--output",
                                          "--merge", "--label",  "--debuginfod"};
    if (!g_error_matches (*error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
        return;
    for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++) {
        g_autofree char *name = g_strndup (argv[i], strcspn (argv[i], "="));
        for (size_t n = 0; n < G_N_ELEMENTS (planned); n++) {
            if (strcmp (name, planned[n]) != 0)
                continue;
            g_clear_error (error);
            g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION,
                         /* Translators: an option */
                         _ ("%s is not supported yet"), name);
            return;
        }
    }
}

bool
pv_options_parse (PvOptions *ret_options, int argc, char **argv, GError **error)
{
    PvOptions *options = ret_options;
    Flags flags = {0};
    init_options (options);
    g_autoptr (GOptionContext) context = make_context (options, &flags);
    /* GLib takes what it knows out of the vector, so it gets one of its own. */
    g_autofree char **args = g_new0 (char *, (gsize)argc + 1);
    for (int i = 0; i < argc; i++)
        args[i] = argv[i];
    int n_args = argc;
    g_autoptr (GError) bad = NULL;
    if (!g_option_context_parse (context, &n_args, &args, &bad)) {
        explain_unknown (argc, argv, &bad);
        g_propagate_error (error, g_steal_pointer (&bad));
        return false;
    }
    options->show_help = flags.help;
    options->show_version = flags.version;
    options->query.is_inverted = flags.invert;
    options->query.no_inline = flags.no_inline;
    options->no_demangle = flags.no_demangle;
    options->show_allocators = flags.show_allocators;
    options->query.no_default_suppressions = flags.no_suppressions;
    return check_options (options, error);
}

void
pv_options_clear (PvOptions *options)
{
    g_free (options->export_path);
    g_free (options->function);
    g_strfreev (options->files);
    pv_query_clear (&options->query);
    g_free (options->measure);
    g_strfreev (options->threads);
    g_strfreev (options->processes);
    g_free (options->sysroot);
    g_strfreev (options->symbol_paths);
    g_strfreev (options->path_maps);
    init_options (options);
}

char *
pv_options_get_help (void)
{
    g_auto (PvOptions) options;
    Flags flags = {0};
    init_options (&options);
    g_autoptr (GOptionContext) context = make_context (&options, &flags);
    return g_option_context_get_help (context, FALSE, NULL);
}
