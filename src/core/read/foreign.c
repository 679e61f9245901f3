/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names files that are no profile, or a profile that no reader knows: first by magic numbers, then,
 * if the beginning is text, by the keys of JSON and by the words with which lines begin.
 */
#include "core/read/foreign.h"

#include <glib.h>
#include <glib/gi18n-lib.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/read/text/text.h"

#define TEXT_BYTES   4096u  /* so much must be text for a file to be text */
#define SEARCH_BYTES 65536u /* so far words are looked for */

/* How the sentence goes on after what the file is. */
typedef enum {
    PROFILE,
    CONVERTIBLE,
    ADVISED,
    REPORT,
    NOT_A_PROFILE,
    PERHAPS_A_PROFILE,
    PACKED
} Kind;

typedef struct {
    const char *what;
    Kind kind;
    /* The command that makes a profile of FILE (CONVERTIBLE), or the rest of the sentence, to be
     * translated (ADVISED). */
    const char *help;
} Foreign;

/* Magic numbers */

typedef struct {
    size_t offset;
    const char *magic;
    size_t len;
    Foreign foreign;
} Magic;

#define MAGIC(offset, magic, kind, what)                                                           \
    {                                                                                              \
        offset, magic, sizeof (magic) - 1,                                                         \
        {                                                                                          \
            what, kind                                                                             \
        }                                                                                          \
    }

#define HELP(magic, kind, what, help)                                                              \
    {                                                                                              \
        0, magic, sizeof (magic) - 1,                                                              \
        {                                                                                          \
            what, kind, help                                                                       \
        }                                                                                          \
    }
#define CONVERT(magic, what, command) HELP (magic, CONVERTIBLE, what, command)

/* Translators: these go on a sentence “This is a trace of Tracy; …”. */
#define TRACY_HELP   N_ ("tracy-profiler shows it")
#define EVENTS_HELP  N_ ("Trace Compass or babeltrace2 show it")
#define FIREFOX_HELP N_ ("open it at profiler.firefox.com, and save it there as JSON")
#define MEMRAY_HELP  N_ ("“memray flamegraph” shows it")
#define ANDROID_HELP N_ ("the profiler of Android Studio shows it")

static const Magic magics[] = {
    /* Translators: these are put into “This is %s, not a profile” and the like. */
    CONVERT ("FLR\0", NC_ ("file", "a recording of the Java Flight Recorder"),
             "jfrconv FILE profile.pb.gz"),
    MAGIC (0, "JAVA PROFILE 1.0.1, ", PROFILE, NC_ ("file", "a text of Java’s HPROF agent")),
    MAGIC (0, "JAVA PROFILE 1.0", PROFILE, NC_ ("file", "a heap dump of Java")),
    CONVERT ("Nettrace", NC_ ("file", "a .NET trace"),
             "dotnet-trace convert --format speedscope FILE"),
    HELP ("memray", ADVISED, NC_ ("file", "a memray capture"), MEMRAY_HELP),
    HELP ("tlZ\4", ADVISED, NC_ ("file", "a trace of Tracy"), TRACY_HELP),
    HELP ("tZst", ADVISED, NC_ ("file", "a trace of Tracy"), TRACY_HELP),
    HELP ("tracy\0", ADVISED, NC_ ("file", "a trace of Tracy"), TRACY_HELP),
    HELP ("\xdc\xdf"
          "JSLB",
          ADVISED, NC_ ("file", "a profile of the Firefox Profiler with binary parts (JSLB)"),
          FIREFOX_HELP),
    HELP ("PFCB\4", ADVISED, NC_ ("file", "a profile of the Firefox Profiler with binary parts"),
          FIREFOX_HELP),
    CONVERT ("rbspy0", NC_ ("file", "a recording of rbspy"),
             "rbspy report --input FILE --format collapsed --output stacks.folded"),
    CONVERT ("hdrbhetb", NC_ ("file", "an event log of GHC"), "hs-speedscope FILE"),
    HELP ("\xc1\x1f\xfc\xc1", ADVISED, NC_ ("file", "a trace in the Common Trace Format"),
          EVENTS_HELP),
    HELP ("\x75\xd1\x1d\x57", ADVISED, NC_ ("file", "a trace in the Common Trace Format"),
          EVENTS_HELP),
    CONVERT ("NYTProf ", NC_ ("file", "a profile of NYTProf (Perl)"),
             "nytprofcg --file FILE --out callgrind.out"),
    HELP ("Ftrace!", ADVISED, NC_ ("file", "a part of a recording of uftrace"),
          N_ ("“uftrace dump --flame-graph” writes stacks that can be opened")),
    HELP ("\x10\0\4FxT\x16\0", ADVISED,
          NC_ ("file", "a trace of Fuchsia, as magic-trace writes them"),
          N_ ("ui.perfetto.dev shows it")),
    HELP ("MMPD", ADVISED, NC_ ("file", "a profile of rustc (-Z self-profile)"),
          N_ ("“stack_collapse” of measureme makes stacks of it that can be opened")),
    HELP ("2CRT", ADVISED, NC_ ("file", "a trace of Unreal Engine"),
          N_ ("Unreal Insights shows it")),
    HELP ("nBpRoFiLeR", ADVISED, NC_ ("file", "a snapshot of VisualVM"), N_ ("VisualVM shows it")),
    HELP ("*version\n", ADVISED, NC_ ("file", "a method trace of Android"), ANDROID_HELP),
    HELP ("SLOW\3\0", ADVISED, NC_ ("file", "a method trace of Android"), ANDROID_HELP),
    MAGIC (0, "SIMPLEPERF", PROFILE, NC_ ("file", "a simpleperf report")),
    MAGIC (0, "\x17\x08\x44tracing", PROFILE, NC_ ("file", "a trace of trace-cmd")),
    CONVERT ("go 1.", NC_ ("file", "a Go execution trace"),
             "go tool trace -pprof=sched FILE >sched.pb.gz"),
    MAGIC (0, "\x81rforpl\xff", NOT_A_PROFILE, NC_ ("file", "coverage data of LLVM")),
    MAGIC (0, "\xfflprofi\x81", NOT_A_PROFILE, NC_ ("file", "coverage data of LLVM")),
    MAGIC (0, "adcg", NOT_A_PROFILE, NC_ ("file", "coverage data of GCC")),
    MAGIC (0, "DTiJ", NOT_A_PROFILE,
           NC_ ("file", "a list of functions compiled at run time (jitdump)")),
    MAGIC (0, "JiTD", NOT_A_PROFILE,
           NC_ ("file", "a list of functions compiled at run time (jitdump)")),
    MAGIC (0, "\x89PNG", NOT_A_PROFILE, NC_ ("file", "a picture")),
    MAGIC (0, "\xff\xd8\xff", NOT_A_PROFILE, NC_ ("file", "a picture")),
    MAGIC (0, "GIF8", NOT_A_PROFILE, NC_ ("file", "a picture")),
    MAGIC (0, "%PDF-", NOT_A_PROFILE, NC_ ("file", "a PDF document")),
    MAGIC (0, "SQLite format 3\0", PERHAPS_A_PROFILE, NC_ ("file", "an SQLite database")),
    MAGIC (0, "\x04\x22\x4d\x18", PACKED, "lz4"),
    MAGIC (0, "LZIP", PACKED, "lzip"),
    MAGIC (0, "PK\x03\x04", PACKED, "zip"),
    MAGIC (0, "7z\xbc\xaf\x27\x1c", PACKED, "7z"),
    MAGIC (0, "Rar!", PACKED, "rar"),
    MAGIC (257, "ustar", PACKED, "tar"),
    /* These are unpacked themselves, but not twice. */
    MAGIC (0, "\x1f\x8b", PACKED, "gzip"),
    MAGIC (0, "\x28\xb5\x2f\xfd", PACKED, "zstd"),
    MAGIC (0, "BZh", PACKED, "bzip2"),
    MAGIC (0,
           "\xfd"
           "7zXZ",
           PACKED, "xz"),
};

static bool
has_magic (PvText text, size_t offset, const char *magic, size_t len)
{
    return pv_text_len (text) >= offset + len && memcmp (text.at + offset, magic, len) == 0;
}

static bool
is_elf (PvText text, Foreign *ret_foreign)
{
    enum { EI_DATA = 5, ELFDATA2MSB = 2, ET_CORE = 4, TYPE_OFFSET = 16 };
    if (!has_magic (text, 0,
                    "\x7f"
                    "ELF",
                    4))
        return false;
    const bool is_big = pv_text_len (text) > EI_DATA && text.at[EI_DATA] == ELFDATA2MSB;
    const size_t low = TYPE_OFFSET + (is_big ? 1 : 0);
    if (pv_text_len (text) > low && text.at[low] == ET_CORE)
        *ret_foreign = (Foreign){NC_ ("file", "a core dump"), NOT_A_PROFILE};
    else
        *ret_foreign = (Foreign){NC_ ("file", "a program or library (ELF)"), NOT_A_PROFILE};
    return true;
}

/* Python's marshal of a dictionary whose first key is a tuple of three: file, line, function. The
 * highest bit of a type says that the object is referred to later. */
static bool
is_cprofile (PvText text)
{
    enum { LONG_TUPLE_BYTES = 6, SMALL_TUPLE_BYTES = 3 };
    if (pv_text_len (text) <= LONG_TUPLE_BYTES || (text.at[0] & 0x7f) != '{')
        return false;
    const bool is_small = (text.at[1] & 0x7f) == ')' && text.at[2] == 3;
    const bool is_long = (text.at[1] & 0x7f) == '(' && memcmp (text.at + 2, "\3\0\0\0", 4) == 0;
    const char type = text.at[is_small ? SMALL_TUPLE_BYTES : LONG_TUPLE_BYTES] & 0x7f;
    return (is_small || is_long) && type != 0 && strchr ("aAzZusStR", type) != NULL;
}

/* Ruby's Marshal of a hash, with two of the keys that stackprof writes. */
static bool
is_stackprof (PvText text)
{
    return has_magic (text, 0, "\4\10{", 3) && pv_text_find (text, "mode") != NULL &&
           pv_text_find (text, "samples") != NULL;
}

/* Python's pickle of an object of this module. */
static bool
is_pickle (PvText text, const char *module)
{
    enum { PROTOCOL = '\x80', MAX_VERSION = 5 };
    return pv_text_len (text) > 2 && text.at[0] == (char)PROTOCOL && text.at[1] > 0 &&
           text.at[1] <= MAX_VERSION && pv_text_find (text, module) != NULL;
}

static bool
is_line_profiler (PvText text)
{
    return is_pickle (text, "line_profiler");
}

static bool
is_tracemalloc (PvText text)
{
    return is_pickle (text, "tracemalloc");
}

/* Objects of .NET as they are written to a file; of other files this is in a trace. */
static bool
is_gcdump (PvText text)
{
    static const char magic[] = "\x14\0\0\0!FastSerialization.1";
    return has_magic (text, 0, magic, sizeof magic - 1) &&
           (pv_text_find (text, "GCHeapDump") != NULL ||
            pv_text_find (text, "MemoryGraph") != NULL);
}

/* The first packet of memtrace, which has the facts and no events: magic, size, the same time twice
 * (microseconds), 0, version. Other traces in the Common Trace Format have a UUID there. */
static bool
is_memtrace (PvText text)
{
    enum { MAX_VERSION = 15 };
    static const char magic[] = "\xc1\x1f\xfc\xc1";
    PvCursor packet = pv_cursor (text.at, pv_text_len (text), G_BYTE_ORDER == G_BIG_ENDIAN);
    pv_cursor_skip (&packet, 2 * sizeof (uint32_t));
    uint64_t begin = pv_cursor_u64 (&packet), end = pv_cursor_u64 (&packet);
    uint32_t duration = pv_cursor_u32 (&packet);
    uint16_t version = pv_cursor_u16 (&packet);
    return has_magic (text, 0, magic, sizeof magic - 1) && !packet.failed && begin == end &&
           duration == 0 && version > 0 && version <= MAX_VERSION;
}

/* A version follows. */
static bool
is_mojo (PvText text)
{
    return has_magic (text, 0, "MOJ", 3) && pv_text_len (text) > 3 && text.at[3] < ' ';
}

/* Messages of Protocol Buffers */

typedef struct {
    uint32_t number;
    bool is_number;
    PvCursor content; /* of a message or text, as far as there are bytes */
    bool is_cut;
} Field;

static bool
take_field (PvCursor *message, Field *ret_field)
{
    enum { VARINT, FIXED64, BYTES, FIXED32 = 5 };
    const uint64_t tag = pv_cursor_varint (message);
    *ret_field =
        (Field){.number = (uint32_t)MIN (tag >> 3, UINT32_MAX), .is_number = (tag & 7) == VARINT};
    if (message->failed || ret_field->number == 0)
        return false;
    uint64_t size = 0;
    switch (tag & 7) {
    case VARINT:
        pv_cursor_varint (message);
        return !message->failed;
    case FIXED64:
        return pv_cursor_skip (message, sizeof (uint64_t));
    case FIXED32:
        return pv_cursor_skip (message, sizeof (uint32_t));
    case BYTES:
        size = pv_cursor_varint (message);
        ret_field->is_cut = size > pv_cursor_left (message);
        size = MIN (size, pv_cursor_left (message));
        ret_field->content = pv_cursor (message->pos, size, false);
        return !message->failed && pv_cursor_skip (message, size);
    default:
        return false;
    }
}

/* A packet of Perfetto has the user, the time or the sequence that it came from as a number. */
static bool
is_packet (PvCursor packet)
{
    enum { USER = 3, TIMESTAMP = 8, SEQUENCE = 10 };
    bool is_known = false;
    Field field;
    while (pv_cursor_left (&packet) > 0 && take_field (&packet, &field))
        is_known |= field.is_number &&
                    (field.number == USER || field.number == TIMESTAMP || field.number == SEQUENCE);
    return is_known && pv_cursor_left (&packet) == 0;
}

/* A trace is nothing but packets. */
static bool
is_perfetto (PvText text)
{
    enum { MAX_PACKETS = 16 };
    PvCursor trace = pv_cursor (text.at, pv_text_len (text), false);
    unsigned n_known = 0;
    for (unsigned i = 0; i < MAX_PACKETS && pv_cursor_left (&trace) > 0; i++) {
        Field field;
        if (!take_field (&trace, &field) || field.number != 1 || field.is_number)
            return false;
        n_known += !field.is_cut && is_packet (field.content);
    }
    return n_known > 0;
}

/* Profiles of OpenTelemetry begin with those of a resource, with the resource, with an attribute,
 * with its name: the first field of each. */
static bool
is_otlp (PvText text)
{
    enum { DEPTH = 4 };
    Field field = {.content = pv_cursor (text.at, pv_text_len (text), false)};
    for (unsigned i = 0; i < DEPTH; i++) {
        PvCursor outer = field.content;
        if (!take_field (&outer, &field) || field.number != 1 || field.is_number)
            return false;
    }
    const size_t size = pv_cursor_left (&field.content);
    for (size_t i = 0; i < size; i++)
        if (!g_ascii_islower (field.content.pos[i]) &&
            strchr ("._0123456789", field.content.pos[i]) == NULL)
            return false;
    return size > 2 && !field.is_cut && memchr (field.content.pos, '.', size) != NULL;
}

static bool
find_structure (PvText text, Foreign *ret_foreign)
{
    static const struct {
        bool (*is) (PvText text);
        Foreign foreign;
    } structures[] = {
        {is_cprofile,
         {NC_ ("file", "a profile of Python's cProfile"), CONVERTIBLE,
          "pyprof2calltree -i FILE -o callgrind.out"}},
        {is_stackprof,
         {NC_ ("file", "a dump of stackprof"), CONVERTIBLE,
          "stackprof --callgrind FILE >callgrind.out"}},
        {is_line_profiler,
         {NC_ ("file", "a table of line_profiler"), ADVISED,
          N_ ("“python3 -m line_profiler FILE” shows it")}},
        {is_tracemalloc, {NC_ ("file", "a snapshot of Python's tracemalloc"), PROFILE}},
        {is_gcdump,
         {NC_ ("file", "a heap dump of .NET"), ADVISED,
          N_ ("“dotnet-gcdump report FILE” shows it")}},
        {is_memtrace,
         {NC_ ("file", "a trace of OCaml's memtrace"), ADVISED, N_ ("memtrace-viewer shows it")}},
        {is_mojo,
         {NC_ ("file", "a binary profile of Austin (MOJO)"), CONVERTIBLE,
          "mojo2austin FILE stacks.austin"}},
        {is_otlp,
         {NC_ ("file", "profiles of OpenTelemetry (OTLP)"), ADVISED,
          N_ ("let the program or the collector that sends them write pprof")}},
        {is_perfetto, {NC_ ("file", "a trace of Perfetto"), CONVERTIBLE, "traceconv profile FILE"}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (structures); i++)
        if (structures[i].is (text)) {
            *ret_foreign = structures[i].foreign;
            return true;
        }
    return false;
}

static bool
find_magic (PvText text, Foreign *ret_foreign)
{
    if (is_elf (text, ret_foreign) || find_structure (text, ret_foreign))
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS (magics); i++)
        if (has_magic (text, magics[i].offset, magics[i].magic, magics[i].len)) {
            *ret_foreign = magics[i].foreign;
            return true;
        }
    return false;
}

/* Text */

static bool
is_text (PvText text)
{
    for (size_t i = 0; i < MIN (pv_text_len (text), TEXT_BYTES); i++) {
        const unsigned char c = (unsigned char)text.at[i];
        if (c == 0x7f || (c < 0x20 && strchr ("\t\n\r\f\b\x1b", c) == NULL) || c == 0)
            return false;
    }
    return true;
}

/* True if a line begins with word. */
static bool
has_line (PvText text, const char *word)
{
    g_assert (strlen (word) < 64);
    char after_end[66] = "\n";
    strcpy (after_end + 1, word);
    return pv_text_begins (text, word) || pv_text_find (text, after_end) != NULL;
}

/* JSON */

#define PYINSTRUMENT_HELP N_ ("“pyinstrument -r speedscope” writes profiles that can be opened")
#define XHPROF_HELP       N_ ("Xdebug (xdebug.mode=profile) writes profiles that can be opened")

typedef struct {
    const char *keys[2]; /* both must be there; the second may be NULL */
    Foreign foreign;
} JsonMark;

static const JsonMark json_marks[] = {
    {{"\"snapshot\"", "\"node_fields\""}, {NC_ ("file", "a heap snapshot of V8"), PROFILE}},
    {{"\"resourceProfiles\"", NULL},
     {NC_ ("file", "profiles of OpenTelemetry (OTLP)"), ADVISED,
      N_ ("let the program or the collector that sends them write pprof")}},
    {{"\"main()", "==>"}, {NC_ ("file", "a profile of XHProf"), ADVISED, XHPROF_HELP}},
    {{"\"cost_centres\"", "\"rts_arguments\""},
     {NC_ ("file", "a profile of GHC (JSON)"), CONVERTIBLE,
      "ghc-prof-aeson-flamegraph <FILE >stacks.folded"}},
    {{"\"instrumentTypes\"", "\"recording\""},
     {NC_ ("file", "a recording of Safari’s Web Inspector"), PROFILE}},
    {{"\"root_frame\"", "\"target_description\""},
     {NC_ ("file", "a report of pyinstrument (JSON)"), ADVISED, PYINSTRUMENT_HELP}},
    {{"\"frame_records\"", "\"target_description\""},
     {NC_ ("file", "a session of pyinstrument"), CONVERTIBLE,
      "pyinstrument --load FILE -r speedscope -o profile.speedscope.json"}},
    {{"\"n_cpu_percent_python\"", NULL},
     {NC_ ("file", "a profile of Scalene"), ADVISED, N_ ("“scalene view FILE” shows it")}},
    {{"\"flamebearer\"", "\"levels\""},
     {NC_ ("file", "a flame graph of Pyroscope"), ADVISED, N_ ("Pyroscope also exports pprof")}},
    {{"\"CpuSamples\"", "\"samplePeriod\""}, {NC_ ("file", "a CPU profile of Dart"), PROFILE}},
    {{"\"devToolsSnapshot\"", NULL}, {NC_ ("file", "a snapshot of Dart’s DevTools"), PROFILE}},
    {{"\"recording\"", "\"jdk."}, {NC_ ("file", "a text of the Java Flight Recorder"), REPORT}},
    {{"\"missed_samples\"", "\"gc_samples\""},
     {NC_ ("file", "a report of stackprof (JSON)"), ADVISED,
      N_ ("open what “stackprof --callgrind” makes of its dump")}},
};

static bool
find_json (PvText text, Foreign *ret_foreign)
{
    if (!pv_text_begins (text, "{") && !pv_text_begins (text, "["))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS (json_marks); i++) {
        const JsonMark *mark = &json_marks[i];
        if (pv_text_find (text, mark->keys[0]) != NULL &&
            (mark->keys[1] == NULL || pv_text_find (text, mark->keys[1]) != NULL)) {
            *ret_foreign = mark->foreign;
            return true;
        }
    }
    /* “{” and “[” begin other texts too. */
    *ret_foreign = (Foreign){NC_ ("file", "JSON"), PERHAPS_A_PROFILE};
    return pv_text_find (text, "\":") != NULL || pv_text_find (text, "\" :") != NULL ||
           pv_text_begins (text, "[{");
}

/* Reports and profiles in lines */

#define COZ_HELP N_ ("“coz plot” shows it")
#define V8_HELP                                                                                       \
    N_ ("“node --prof-process FILE” shows it; “node --cpu-prof” writes profiles that can be " \
        "opened")
#define SAMPLE     "stackcollapse-sample.awk FILE >stacks.folded"
#define JULIA_HELP N_ ("PProf.jl writes profiles that can be opened")
#define RPROF_COMMAND                                                                              \
    "Rscript -e 'profile::write_pprof (profile::read_rprof (\"FILE\"), \"profile.pb.gz\")'"

typedef struct {
    const char *first; /* the first line begins with it; NULL: any first line */
    const char *line;  /* a line begins with it; NULL: none need */
    const char *part;  /* it is anywhere; NULL: nothing need be */
    Foreign foreign;
} LineMark;

static const LineMark line_marks[] = {
    {"<?xml", "<svg", NULL, {NC_ ("file", "a picture"), NOT_A_PROFILE}},
    {"<svg", NULL, NULL, {NC_ ("file", "a picture"), NOT_A_PROFILE}},
    {"<!DOCTYPE html", NULL, NULL, {NC_ ("file", "a web page"), NOT_A_PROFILE}},
    {"<!doctype html", NULL, NULL, {NC_ ("file", "a web page"), NOT_A_PROFILE}},
    {"<html", NULL, NULL, {NC_ ("file", "a web page"), NOT_A_PROFILE}},
    {"#!", NULL, NULL, {NC_ ("file", "a script"), NOT_A_PROFILE}},
    {"goroutine ", NULL, NULL, {NC_ ("file", "a list of goroutines as text (debug=2)"), PROFILE}},
    {"# HELP ", "# TYPE ", NULL, {NC_ ("file", "a list of metrics (Prometheus)"), NOT_A_PROFILE}},
    {"# TYPE ", NULL, "\n", {NC_ ("file", "a list of metrics (Prometheus)"), NOT_A_PROFILE}},
    {"mode: set\n", NULL, NULL, {NC_ ("file", "coverage data of Go"), NOT_A_PROFILE}},
    {"mode: count\n", NULL, NULL, {NC_ ("file", "coverage data of Go"), NOT_A_PROFILE}},
    {"mode: atomic\n", NULL, NULL, {NC_ ("file", "coverage data of Go"), NOT_A_PROFILE}},
    {"TN:", "SF:", NULL, {NC_ ("file", "coverage data of lcov"), NOT_A_PROFILE}},
    {"# ninja log v", NULL, NULL, {NC_ ("file", "a log of ninja"), NOT_A_PROFILE}},
    {"# Samples: ", "# Overhead ", NULL, {NC_ ("file", "a text report of perf"), REPORT}},
    {"# Total Lost Samples: ", NULL, NULL, {NC_ ("file", "a text report of perf"), REPORT}},
    {"# Event '", "# Baseline ", NULL, {NC_ ("file", "a text report of perf"), REPORT}},
    {"# ========",
     "# captured on ",
     NULL,
     {NC_ ("file", "text of perf script without samples"), ADVISED,
      N_ ("record again while the program works, or for longer")}},
    {"# To display the perf.data header",
     NULL,
     NULL,
     {NC_ ("file", "a text report of perf"), REPORT}},
    {"Percent",
     NULL,
     "Source code & Disassembly of",
     {NC_ ("file", "a text report of perf"), REPORT}},
    {NULL, "Showing nodes accounting for", NULL, {NC_ ("file", "a text report of pprof"), REPORT}},
    {"Total: ", NULL, "%  ", {NC_ ("file", "a text report of pprof"), REPORT}},
    {"File: ", "-----------+---", NULL, {NC_ ("file", "a text report of pprof"), REPORT}},
    {"PeriodType: ", "Samples:", NULL, {NC_ ("file", "a text report of pprof"), REPORT}},
    {NULL,
     "MOST CALLS TO ALLOCATION FUNC",
     NULL,
     {NC_ ("file", "a text report of heaptrack"), REPORT}},
    {"Flat profile:", NULL, NULL, {NC_ ("file", "a text report of gprof"), REPORT}},
    {NULL, "index %", " called", {NC_ ("file", "a text report of gprof"), REPORT}},
    {NULL, "index  %", " called", {NC_ ("file", "a text report of gprof"), REPORT}},
    {"@ ",
     NULL,
     " samples]\n",
     {NC_ ("file", "a text report of pmcstat"), CONVERTIBLE,
      "stackcollapse-pmc.pl FILE >stacks.folded"}},
    {"Weight\tSelf Weight\t",
     NULL,
     NULL,
     {NC_ ("file", "a call tree copied from Instruments"), PROFILE}},
    {"---", "Profile data file '", NULL, {NC_ ("file", "a text report of callgrind"), REPORT}},
    {"---", "ms_print arguments:", NULL, {NC_ ("file", "a text report of massif"), REPORT}},
    {NULL,
     "--- Execution profile ---",
     NULL,
     {NC_ ("file", "a text report of async-profiler"), ADVISED,
      N_ ("with “-o collapsed” it writes stacks that can be opened")}},
    {"<?xml",
     "<trace-query-result",
     NULL,
     {NC_ ("file", "a table of Instruments (xctrace export)"), CONVERTIBLE,
      "inferno-collapse-xctrace FILE >stacks.folded"}},
    {"Date/Time: ",
     NULL,
     "Heaviest stack ",
     {NC_ ("file", "a report of macOS’s spindump"), PROFILE}},
    {"Analysis of sampling ",
     NULL,
     NULL,
     {NC_ ("file", "a report of macOS’s sample"), CONVERTIBLE, SAMPLE}},
    {"Sampling process ",
     NULL,
     NULL,
     {NC_ ("file", "a report of macOS’s sample"), CONVERTIBLE, SAMPLE}},
    {NULL,
     "              ",
     "`",
     {NC_ ("file", "output of DTrace (stacks)"), CONVERTIBLE,
      "stackcollapse.pl FILE >stacks.folded"}},
    {NULL,
     "Full thread dump ",
     NULL,
     {NC_ ("file", "a list of threads of Java"), CONVERTIBLE,
      "stackcollapse-jstack.pl FILE >stacks.folded"}},
    {"Thread ",
     "#0 ",
     "(LWP ",
     {NC_ ("file", "a list of stacks of GDB"), CONVERTIBLE,
      "stackcollapse-gdb.pl FILE >stacks.folded"}},
    {"jdk.", NULL, "startTime = ", {NC_ ("file", "a text of the Java Flight Recorder"), REPORT}},
    {NULL,
     "   ncalls  tottime  percall",
     " function calls ",
     {NC_ ("file", "a text report of Python's cProfile"), REPORT}},
    {NULL,
     NULL,
     "_//_/// /_\\ / //_// / //_'/ //",
     {NC_ ("file", "a text report of pyinstrument"), ADVISED, PYINSTRUMENT_HELP}},
    {"CMDLINE ",
     "MEM ",
     NULL,
     {NC_ ("file", "a record of memory_profiler"), ADVISED, N_ ("“mprof plot FILE” shows it")}},
    {"📏 Total allocations:", NULL, NULL, {NC_ ("file", "a text report of memray"), PROFILE}},
    {"[events]\n", NULL, NULL, {NC_ ("file", "a profile of SPX (PHP)"), ADVISED, XHPROF_HELP}},
    {"TRACE START [", NULL, NULL, {NC_ ("file", "a trace of Xdebug"), ADVISED, XHPROF_HELP}},
    {"Version: ", "TRACE START [", NULL, {NC_ ("file", "a trace of Xdebug"), ADVISED, XHPROF_HELP}},
    {"file-format: BlackfireProbe",
     NULL,
     NULL,
     {NC_ ("file", "a profile of Blackfire (PHP)"), ADVISED, XHPROF_HELP}},
    {"0 ",
     "1 ",
     " <internal>:-1\n",
     {NC_ ("file", "a list of stacks of phpspy"), CONVERTIBLE,
      "stackcollapse-phpspy.pl <FILE >stacks.folded"}},
    {"Overhead ╎", NULL, NULL, {NC_ ("file", "a text report of Julia"), ADVISED, JULIA_HELP}},
    {"Count  Overhead File",
     NULL,
     NULL,
     {NC_ ("file", "a text report of Julia"), ADVISED, JULIA_HELP}},
    {"%% Analysis results:",
     NULL,
     "analysis_options",
     {NC_ ("file", "an analysis of Erlang’s fprof"), CONVERTIBLE, "erlgrind FILE callgrind.out"}},
    {"****** Process <",
     NULL,
     "CALLS ",
     {NC_ ("file", "a text report of Erlang’s eprof"), PROFILE}},
    {"# DURATION ",
     NULL,
     " FUNCTION\n",
     {NC_ ("file", "a text of uftrace"), ADVISED,
      N_ ("“uftrace dump --flame-graph” writes stacks that can be opened")}},
    {NULL,
     NULL,
     " templated_functions",
     {NC_ ("file", "a profile of TAU"), ADVISED, N_ ("paraprof shows it")}},
    {"Function\tCPU Time", NULL, NULL, {NC_ ("file", "a table of VTune"), PROFILE}},
    {"Function,CPU Time", NULL, NULL, {NC_ ("file", "a table of VTune"), PROFILE}},
    {"AMD uProf ", NULL, NULL, {NC_ ("file", "a table of AMD uProf"), PROFILE}},
    {NULL, "samples  %  ", "Counted ", {NC_ ("file", "a text report of OProfile"), PROFILE}},
    {NULL,
     NULL,
     "ERROR: LeakSanitizer: ",
     {NC_ ("file", "a report of LeakSanitizer"), ADVISED,
      N_ ("heaptrack writes profiles of leaks that can be opened")}},
    {"Process ",
     "Thread ",
     "\nPython v",
     {NC_ ("file", "a list of threads of py-spy"), ADVISED,
      N_ ("“py-spy record” writes profiles that can be opened")}},
    {"Performance counter stats", NULL, NULL, {NC_ ("file", "output of perf stat"), NOT_A_PROFILE}},
    {NULL,
     " Performance counter stats",
     NULL,
     {NC_ ("file", "output of perf stat"), NOT_A_PROFILE}},
    {"==", NULL, "== Memcheck", {NC_ ("file", "a log of Valgrind"), NOT_A_PROFILE}},
    {"startup\t", "experiment\t", NULL, {NC_ ("file", "a profile of Coz"), ADVISED, COZ_HELP}},
    {"startup\t", "samples\t", NULL, {NC_ ("file", "a profile of Coz"), ADVISED, COZ_HELP}},
    {"startup\t", "runtime\t", NULL, {NC_ ("file", "a profile of Coz"), ADVISED, COZ_HELP}},
    {NULL,
     NULL,
     "stacks with outstanding allocations:",
     {NC_ ("file", "a text report of memleak (BCC)"), ADVISED,
      N_ ("heaptrack writes profiles of leaks that can be opened")}},
    {NULL,
     "    -                ",
     "\n        ",
     {NC_ ("file", "a text report of profile or offcputime (BCC)"), ADVISED,
      N_ ("with their option -f they write stacks that can be opened")}},
    {"v8-version,", NULL, NULL, {NC_ ("file", "a log of V8"), ADVISED, V8_HELP}},
    {NULL, "code-creation,", "\ntick,", {NC_ ("file", "a log of V8"), ADVISED, V8_HELP}},
    {"a:", NULL, "==>", {NC_ ("file", "a profile of XHProf"), ADVISED, XHPROF_HELP}},
    {"sample.interval=",
     NULL,
     NULL,
     {NC_ ("file", "a profile of R (Rprof)"), CONVERTIBLE, RPROF_COMMAND}},
    {"memory profiling: ",
     NULL,
     "sample.interval=",
     {NC_ ("file", "a profile of R (Rprof)"), CONVERTIBLE, RPROF_COMMAND}},
    {"line profiling: ",
     NULL,
     "sample.interval=",
     {NC_ ("file", "a profile of R (Rprof)"), CONVERTIBLE, RPROF_COMMAND}},
    {"GC profiling: ",
     NULL,
     "sample.interval=",
     {NC_ ("file", "a profile of R (Rprof)"), CONVERTIBLE, RPROF_COMMAND}},
    {NULL,
     NULL,
     "Time and Allocation Profiling Report",
     {NC_ ("file", "a text report of GHC"), ADVISED,
      N_ ("“+RTS -pj” writes JSON, of which ghc-prof-aeson-flamegraph makes stacks that can be "
          "opened")}},
    {"JOB \"",
     "SAMPLE_UNIT ",
     NULL,
     {NC_ ("file", "a heap profile of GHC"), ADVISED, N_ ("hp2pretty shows it")}},
    {"# tracer: ", NULL, NULL, {NC_ ("file", "a trace of the kernel as text (ftrace)"), PROFILE}},
    {"/* CTF ",
     NULL,
     NULL,
     {NC_ ("file", "a trace in the Common Trace Format"), ADVISED, EVENTS_HELP}},
};

static bool
find_line (PvText text, Foreign *ret_foreign)
{
    for (size_t i = 0; i < G_N_ELEMENTS (line_marks); i++) {
        const LineMark *mark = &line_marks[i];
        if ((mark->first == NULL || pv_text_begins (text, mark->first)) &&
            (mark->line == NULL || has_line (text, mark->line)) &&
            (mark->part == NULL || pv_text_find (text, mark->part) != NULL)) {
            *ret_foreign = mark->foreign;
            return true;
        }
    }
    return false;
}

/* The stacks of Erlang's eflame, in the order of time: "<0.80.0>;shop:main/0;shop:work/1". */
static bool
is_eflame (PvText text)
{
    PvText line;
    return pv_text_next_line (&text, &line) && pv_text_take (&line, "<") &&
           pv_text_find (line, ">;") != NULL && pv_text_find_char (line, ' ') == NULL &&
           pv_text_find_char (line, '/') != NULL;
}

static Foreign
find_text (PvText text)
{
    Foreign foreign;
    pv_text_take (&text, "\xef\xbb\xbf");
    while (text.at < text.end && g_ascii_isspace (*text.at))
        text.at++;
    if (find_json (text, &foreign) || find_line (text, &foreign))
        return foreign;
    if (is_eflame (text))
        return (Foreign){NC_ ("file", "a list of stacks of Erlang’s eflame, not counted yet"),
                         CONVERTIBLE, "sort FILE | uniq -c | awk '{print $2, $1}' >stacks.folded"};
    return (Foreign){NC_ ("file", "text"), PERHAPS_A_PROFILE};
}

/* Lists of JSON begin with what is in them; lines of logs in brackets, too, with words or times. */
static bool
begins_json (PvText text)
{
    if (pv_text_take (&text, "["))
        while (text.at < text.end && g_ascii_isspace (*text.at))
            text.at++;
    return text.at < text.end && *text.at != '\0' && strchr ("{[\"", *text.at) != NULL;
}

bool
pv_foreign_is_known (const uint8_t *data, size_t size_bytes)
{
    g_assert (data != NULL || size_bytes == 0);
    PvText text = pv_text (data, MIN (size_bytes, SEARCH_BYTES));
    Foreign foreign;
    if (find_magic (text, &foreign))
        return true;
    while (text.at < text.end && g_ascii_isspace (*text.at))
        text.at++;
    return begins_json (text) || find_line (text, &foreign);
}

char *
pv_foreign_describe (const uint8_t *data, size_t size_bytes)
{
    g_assert (data != NULL || size_bytes == 0);
    const PvText text = pv_text (data, MIN (size_bytes, SEARCH_BYTES));
    Foreign foreign;
    if (!find_magic (text, &foreign)) {
        if (pv_text_len (text) == 0 || !is_text (text))
            return g_strdup (_ ("This is not a profile in a known format"));
        foreign = find_text (text);
    }
    const char *what = g_dpgettext2 (GETTEXT_PACKAGE, "file", foreign.what);
    switch (foreign.kind) {
    case PROFILE:
        return g_strdup_printf (_ ("This is %s; Profview cannot open it yet"), what);
    case CONVERTIBLE:
        return g_strdup_printf (_ ("This is %s; open the output of this command: %s"), what,
                                foreign.help);
    case ADVISED:
        /* Translators: what a file is, and what helps */
        return g_strdup_printf (_ ("This is %s; %s"), what, _ (foreign.help));
    case REPORT:
        return g_strdup_printf (_ ("This is %s; open the file that it was made from"), what);
    case NOT_A_PROFILE:
        return g_strdup_printf (_ ("This is %s, not a profile"), what);
    case PERHAPS_A_PROFILE:
        return g_strdup_printf (_ ("This is %s, but not a profile in a known format"), what);
    case PACKED:
        /* Translators: %s is “bzip2”, “zip”… */
        return g_strdup_printf (_ ("The file is packed with %s; unpack it first"), foreign.what);
    }
    g_assert_not_reached ();
}

bool
pv_foreign_is_text (const uint8_t *data, size_t size_bytes)
{
    g_assert (data != NULL || size_bytes == 0);
    const PvText text = pv_text (data, MIN (size_bytes, SEARCH_BYTES));
    Foreign foreign;
    return is_text (text) && find_line (text, &foreign) &&
           (foreign.kind == ADVISED || foreign.kind == CONVERTIBLE ||
            foreign.kind == NOT_A_PROFILE);
}
