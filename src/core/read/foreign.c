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

#include "core/read/text/text.h"

#define TEXT_BYTES   4096u  /* so much must be text for a file to be text */
#define SEARCH_BYTES 65536u /* so far words are looked for */

/* How the sentence goes on after what the file is. */
typedef enum { PROFILE, CONVERTIBLE, REPORT, NOT_A_PROFILE, PERHAPS_A_PROFILE, PACKED } Kind;

typedef struct {
    const char *what;
    Kind kind;
    const char *command; /* of CONVERTIBLE: makes a profile of FILE that can be opened */
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

#define CONVERT(magic, what, command)                                                              \
    {                                                                                              \
        0, magic, sizeof (magic) - 1,                                                              \
        {                                                                                          \
            what, CONVERTIBLE, command                                                             \
        }                                                                                          \
    }

static const Magic magics[] = {
    /* Translators: these are put into “This is %s; Profview cannot open it yet”, “This is %s, not a
     * profile”, “This is %s; open what this command makes of it: …” and the like. */
    CONVERT ("FLR\0", N_ ("a recording of the Java Flight Recorder"), "jfrconv FILE profile.pb.gz"),
    MAGIC (0, "JAVA PROFILE 1.0", PROFILE, N_ ("a heap dump of Java")),
    CONVERT ("Nettrace", N_ ("a .NET trace"), "dotnet-trace convert --format speedscope FILE"),
    MAGIC (0, "memray", PROFILE, N_ ("a memray capture")),
    MAGIC (0, "SIMPLEPERF", PROFILE, N_ ("a simpleperf report")),
    MAGIC (0, "\x17\x08\x44tracing", PROFILE, N_ ("a trace of trace-cmd")),
    CONVERT ("go 1.", N_ ("a Go execution trace"), "go tool trace -pprof=sched FILE >sched.pb.gz"),
    MAGIC (0, "\x81rforpl\xff", NOT_A_PROFILE, N_ ("coverage data of LLVM")),
    MAGIC (0, "\xfflprofi\x81", NOT_A_PROFILE, N_ ("coverage data of LLVM")),
    MAGIC (0, "adcg", NOT_A_PROFILE, N_ ("coverage data of GCC")),
    MAGIC (0, "DTiJ", NOT_A_PROFILE, N_ ("a list of functions compiled at run time (jitdump)")),
    MAGIC (0, "JiTD", NOT_A_PROFILE, N_ ("a list of functions compiled at run time (jitdump)")),
    MAGIC (0, "\x89PNG", NOT_A_PROFILE, N_ ("a picture")),
    MAGIC (0, "\xff\xd8\xff", NOT_A_PROFILE, N_ ("a picture")),
    MAGIC (0, "GIF8", NOT_A_PROFILE, N_ ("a picture")),
    MAGIC (0, "%PDF-", NOT_A_PROFILE, N_ ("a PDF document")),
    MAGIC (0, "SQLite format 3\0", PERHAPS_A_PROFILE, N_ ("an SQLite database")),
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
        *ret_foreign = (Foreign){N_ ("a core dump"), NOT_A_PROFILE};
    else
        *ret_foreign = (Foreign){N_ ("a program or library (ELF)"), NOT_A_PROFILE};
    return true;
}

static bool
find_magic (PvText text, Foreign *ret_foreign)
{
    for (size_t i = 0; i < G_N_ELEMENTS (magics); i++)
        if (has_magic (text, magics[i].offset, magics[i].magic, magics[i].len)) {
            *ret_foreign = magics[i].foreign;
            return true;
        }
    return is_elf (text, ret_foreign);
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

typedef struct {
    const char *keys[2]; /* both must be there; the second may be NULL */
    Foreign foreign;
} JsonMark;

static const JsonMark json_marks[] = {
    {{"\"snapshot\"", "\"node_fields\""}, {N_ ("a heap snapshot of V8"), PROFILE}},
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
    *ret_foreign = (Foreign){N_ ("JSON"), PERHAPS_A_PROFILE};
    return pv_text_find (text, "\":") != NULL || pv_text_find (text, "\" :") != NULL ||
           pv_text_begins (text, "[{");
}

/* Reports and profiles in lines */

typedef struct {
    const char *first; /* the first line begins with it; NULL: any first line */
    const char *line;  /* a line begins with it; NULL: none need */
    Foreign foreign;
} LineMark;

static const LineMark line_marks[] = {
    {"<?xml", "<svg", {N_ ("a picture"), NOT_A_PROFILE}},
    {"<svg", NULL, {N_ ("a picture"), NOT_A_PROFILE}},
    {"<!DOCTYPE html", NULL, {N_ ("a web page"), NOT_A_PROFILE}},
    {"<!doctype html", NULL, {N_ ("a web page"), NOT_A_PROFILE}},
    {"<html", NULL, {N_ ("a web page"), NOT_A_PROFILE}},
    {"#!", NULL, {N_ ("a script"), NOT_A_PROFILE}},
    {"goroutine ", NULL, {N_ ("a list of goroutines as text (debug=2)"), PROFILE}},
    {"# To display the perf.data header", NULL, {N_ ("a text report of perf"), REPORT}},
    {NULL, "Showing nodes accounting for", {N_ ("a text report of pprof"), REPORT}},
    {NULL, "MOST CALLS TO ALLOCATION FUNC", {N_ ("a text report of heaptrack"), REPORT}},
    {"Flat profile:", NULL, {N_ ("a text report of gprof"), REPORT}},
    {"Performance counter stats", NULL, {N_ ("output of perf stat"), NOT_A_PROFILE}},
    {NULL, " Performance counter stats", {N_ ("output of perf stat"), NOT_A_PROFILE}},
    {"==", "== Memcheck", {N_ ("a log of Valgrind"), NOT_A_PROFILE}},
};

static bool
find_line (PvText text, Foreign *ret_foreign)
{
    for (size_t i = 0; i < G_N_ELEMENTS (line_marks); i++) {
        const LineMark *mark = &line_marks[i];
        if ((mark->first == NULL || pv_text_begins (text, mark->first)) &&
            (mark->line == NULL || has_line (text, mark->line))) {
            *ret_foreign = mark->foreign;
            return true;
        }
    }
    return false;
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
    return (Foreign){N_ ("text"), PERHAPS_A_PROFILE};
}

/* Lists of JSON begin with what is in them; lines of logs in brackets, too, with words or times. */
static bool
begins_json (PvText text)
{
    if (pv_text_take (&text, "["))
        while (text.at < text.end && g_ascii_isspace (*text.at))
            text.at++;
    return text.at < text.end && strchr ("{[\"", *text.at) != NULL;
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
    switch (foreign.kind) {
    case PROFILE:
        return g_strdup_printf (_ ("This is %s; Profview cannot open it yet"), _ (foreign.what));
    case CONVERTIBLE:
        return g_strdup_printf (_ ("This is %s; open the output of this command: %s"),
                                _ (foreign.what), foreign.command);
    case REPORT:
        return g_strdup_printf (_ ("This is %s; open the file that it was made from"),
                                _ (foreign.what));
    case NOT_A_PROFILE:
        return g_strdup_printf (_ ("This is %s, not a profile"), _ (foreign.what));
    case PERHAPS_A_PROFILE:
        return g_strdup_printf (_ ("This is %s, but not a profile in a known format"),
                                _ (foreign.what));
    case PACKED:
        /* Translators: %s is “bzip2”, “zip”… */
        return g_strdup_printf (_ ("The file is packed with %s; unpack it first"), foreign.what);
    }
    g_assert_not_reached ();
}
