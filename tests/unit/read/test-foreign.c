/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that no reader knows are named by their first bytes. */
#include <string.h>

#include "../cases.h"
#include "core/base/error.h"
#include "core/read/foreign.h"
#include "core/read/readers.h"
#include "packers.h"

typedef struct {
    const char *what; /* part of the sentence */
    const char *data;
    size_t size_bytes; /* 0: data is text */
} Sample;

#define BYTES(text) text, sizeof (text) - 1
#define CANNOT_YET  "; Profview cannot open it yet"
#define NO_PROFILE  ", not a profile"

static const char elf[20] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\76";
static const char core[20] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0\76";
static const char big_core[20] = "\177ELF\2\2\1\0\0\0\0\0\0\0\0\0\0\4\0\26";

static const Sample samples[] = {
    {"JSON, but not a profile in a known format", "{\"name\": \"shop\"}", 0},
    {"This is a list of goroutines as text (debug=2)" CANNOT_YET,
     "goroutine 1 [running]:\nmain.main()\n\t/a.go:3 +0x1\n", 0},
    {"a text report of pprof; open the file that it was made from",
     "File: shop\nShowing nodes accounting for 1s\n", 0},
    {"a web page" NO_PROFILE, "<!DOCTYPE html>\n<html>", 0},
    {"a picture" NO_PROFILE, "<?xml version=\"1.0\"?>\n<svg width=\"1\">", 0},
    {"a script" NO_PROFILE, "#!/bin/sh\nperf record -- true\n", 0},
    {"text, but not", "Dear reader,\nthe shop; it is open from 9\nuntil 5 o'clock\n", 0},
    {"text, but not", "{ see below }", 0},
    {"text, but not",
     "Gr\xfc\xdf"
     "e\n",
     0},
    {"a recording of the Java Flight Recorder; open the output of this command: jfrconv ",
     BYTES ("FLR\0\0\2")},
    {"a .NET trace; open the output of this command: dotnet-trace convert ", "Nettrace", 0},
    {"Python's cProfile; open the output of this command: pyprof2calltree ",
     BYTES ("{\xa9\3\xfa\5"
            "a.py\xe9\1\0\0\0")},
    {"Python's cProfile", BYTES ("{(\3\0\0\0s\4\0\0\0"
                                 "a.py")},
    {"a dump of stackprof; open the output of this command: stackprof --callgrind ",
     BYTES ("\4\10{\r:\fversionf\b1.2:\tmode:\bcpu:\fsamplesi\6")},
    {"profiles of OpenTelemetry (OTLP); let ",
     BYTES ("\n\x1e\n\x17\n\x15\n\fservice.name\x12\5\n\3shop\x12\3")},
    {"profiles of OpenTelemetry (OTLP); let ", "{\"resourceProfiles\": [{}]}", 0},
    {"a trace of Perfetto; open the output of this command: traceconv profile ",
     BYTES ("\n\4\x50\1\x18\2\n\6\x40\x80\1\x50\1\0")},
    {"a trace of Tracy; tracy-profiler shows it", BYTES ("tlZ\4\0\0")},
    {"a trace of Tracy", "tZst", 0},
    {"(JSLB); open it at profiler.firefox.com", BYTES ("\xdc\xdfJSLB\1\0\1\0\0\0")},
    {"a binary profile of Austin (MOJO); open the output of this command: mojo2austin ",
     BYTES ("MOJ\3\1mode\0cpu\0")},
    {"a recording of rbspy; open", BYTES ("rbspy01\n\0")},
    {"an event log of GHC; open the output of this command: hs-speedscope ",
     BYTES ("hdrbhetb\0\0")},
    {"a heap profile of GHC; hp2pretty",
     "JOB \"shop\"\nDATE \"today\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n"
     "BEGIN_SAMPLE 0.1\nmain;a\t51\n",
     0},
    {"a text report of GHC; “+RTS -pj”",
     "\tSun Jan  1 09:30 2023 Time and Allocation Profiling Report  (Final)\n\n\t   shop\n", 0},
    {"a profile of GHC (JSON); open",
     "{\"program\": \"shop\", \"rts_arguments\": [], \"cost_centres\": []}", 0},
    {"a profile of Coz; “coz plot”",
     "startup\ttime=1\nruntime\ttime=20\nexperiment\tselected=a.c:3\tspeedup=0.5\n", 0},
    {"a text report of memleak (BCC); heaptrack",
     "Attaching to pid 4, Ctrl+C to quit.\n[07:00:01] Top 2 stacks with outstanding "
     "allocations:\n\taddr = 7f00 size = 16\n\t16 bytes in 1 allocations from stack\n",
     0},
    {"a log of V8; “node --prof-process FILE”", "v8-version,12,4,254,21,-node.12,0\n", 0},
    {"a log of V8", "shared-library,/usr/bin/node,1,2,0\ncode-creation,Stub,2,3\ntick,1,2,0\n", 0},
    {"a profile of XHProf; Xdebug", "{\"main()\": {\"wt\": 3}, \"main()==>work\": {\"wt\": 2}}", 0},
    {"a profile of XHProf", "a:2:{s:12:\"main()==>work\";a:1:{s:2:\"wt\";i:2;}}", 0},
    {"a profile of R (Rprof); open the output of this command: Rscript -e 'profile::write_pprof ",
     "sample.interval=20000\n\"work\" \"main\" \n", 0},
    {"a profile of R (Rprof)", "memory profiling: GC profiling: sample.interval=20000\n:1:2:3:0:\n",
     0},
    {"a picture", BYTES ("\x89PNG\r\n\x1a\n\0\0")},
    {"a PDF document", BYTES ("%PDF-1.5\n\xd0")},
    {"(jitdump)" NO_PROFILE, BYTES ("DTiJ\1\0\0\0")},
    {"packed with bzip2; unpack it first", BYTES ("BZh91AY&SY\1\2")},
    {"packed with zip", BYTES ("PK\3\4\24\0")},
    {"a program or library (ELF)" NO_PROFILE, elf, sizeof elf},
    {"a core dump" NO_PROFILE, core, sizeof core},
    {"a core dump" NO_PROFILE, big_core, sizeof big_core},
    {"This is not a profile in a known format", BYTES ("\1\2\3\4")},
};

TEST (samples)
{
    for (size_t i = 0; i < G_N_ELEMENTS (samples); i++) {
        const Sample *sample = &samples[i];
        const size_t size = sample->size_bytes > 0 ? sample->size_bytes : strlen (sample->data);
        g_autofree char *text = pv_foreign_describe ((const uint8_t *)sample->data, size);
        if (strstr (text, sample->what) == NULL) {
            g_test_message ("sample %zu: “%s” instead of “%s”", i, text, sample->what);
            g_test_fail ();
        }
    }
}

/* Bytes after the end are not looked at: a sanitizer sees what is read beyond a copy. */
TEST (cut)
{
    for (size_t i = 0; i < G_N_ELEMENTS (samples); i++) {
        const Sample *sample = &samples[i];
        const size_t size = sample->size_bytes > 0 ? sample->size_bytes : strlen (sample->data);
        for (size_t n = 0; n < size; n++) {
            g_autofree uint8_t *copy = g_memdup2 (sample->data, n);
            g_autofree char *text = pv_foreign_describe (copy, n);
            g_assert_true (g_str_has_prefix (text, "Th"));
        }
    }
}

static void
assert_read_error (const void *data, size_t size_bytes, const char *expected)
{
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (data, size_bytes), size_bytes);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvJob) job = pv_job_new ();
    const PvReadContext context = {.job = job};
    g_autoptr (GError) error = NULL;
    g_assert_false (pv_read_bytes (file, builder, &context, &error));
    g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_UNKNOWN_FORMAT);
    g_assert_cmpstr (error->message, ==, expected);
}

/* The content of a packed file is named, not the packing. */
TEST (packed)
{
    static const char text[] = "goroutine 1 [running]:\nmain.main()\n\t/a.go:3 +0x1\n";
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    g_byte_array_append (bytes, (const uint8_t *)text, sizeof text - 1);
    g_autoptr (GByteArray) packed = gzip_bytes (bytes);
    assert_read_error (
        packed->data, packed->len,
        "This is a list of goroutines as text (debug=2); Profview cannot open it yet");
    assert_read_error (elf, sizeof elf, "This is a program or library (ELF), not a profile");
}

/* --- what decides comes late --- */

/* Text with n times `filler` before the end. */
static GByteArray *
make_text (const char *beginning, const char *filler, unsigned n, const char *end)
{
    GByteArray *bytes = g_byte_array_new ();
    g_byte_array_append (bytes, (const uint8_t *)beginning, (guint)strlen (beginning));
    for (unsigned i = 0; i < n; i++)
        g_byte_array_append (bytes, (const uint8_t *)filler, (guint)strlen (filler));
    g_byte_array_append (bytes, (const uint8_t *)end, (guint)strlen (end));
    return bytes;
}

static void
assert_format (const GByteArray *bytes, const char *format)
{
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (bytes->data, bytes->len), bytes->len);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    const PvReadContext context = {0};
    assert_ok (error, pv_read_bytes (file, builder, &context, &error));
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpstr (profile->facts.format, ==, format);
    g_assert_cmpuint (profile->n_samples, ==, 1);
}

TEST (late)
{
    static const struct {
        const char *format, *beginning, *filler, *end;
        unsigned n;
    } files[] = {
        {"folded stacks", "", "a_frame;", "leaf 7\n", 20000},
        {"folded stacks", "", "a_frame;", "leaf 7\n", 600000},
        {"speedscope", "{\"shared\": {\"notes\": [", "\"nothing of interest\", ",
         "\"\"], \"frames\": [{\"name\": \"main\"}]}, "
         "\"profiles\": [{\"type\": \"sampled\", \"name\": \"\", \"unit\": \"none\", "
         "\"startValue\": 0, "
         "\"endValue\": 1, \"samples\": [[0]], \"weights\": [1]}], "
         "\"$schema\": \"https://www.speedscope.app/file-format-schema.json\"}",
         5000},
        {"perf script", "", "# a line of the header\n",
         "\nshop 7 [000] 1.000000: 1 cycles:\n\t  401000 main+0x10 (/opt/shop)\n\n", 5000},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
        g_autoptr (GByteArray) bytes =
            make_text (files[i].beginning, files[i].filler, files[i].n, files[i].end);
        g_autoptr (GByteArray) packed = gzip_bytes (bytes);
        assert_format (bytes, files[i].format);
        assert_format (packed, files[i].format);
    }
}

/* There is an end to looking. */
TEST (too_late)
{
    g_autoptr (GByteArray) bytes = make_text ("", "a_frame;", 3 << 20, "leaf 7\n");
    assert_read_error (bytes->data, bytes->len,
                       "This is text, but not a profile in a known format");
}
