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
    {"a text report of profile or offcputime (BCC); with their option -f",
     "Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n\n"
     "    work\n    main\n    -                shop (58804)\n        3\n",
     0},
    {"a text report of perf; open the file", " Percent |\tSource code & Disassembly of m for x\n",
     0},
    {"a text report of callgrind; open", "-----\nProfile data file 'c.out'\n-----\nI1 cache: \n",
     0},
    {"a text report of massif; open", "-----\nCommand: ./m\nms_print arguments: m.out\n-----\n", 0},
    {"a text report of async-profiler; with",
     "Profiling started\n--- Execution profile ---\nTotal samples       : 7\n", 0},
    {"a report of macOS’s sample; open the output of this command: stackcollapse-sample.awk ",
     "Analysis of sampling shop (pid 39) every 1 millisecond\nProcess:  shop [39]\n", 0},
    {"output of DTrace (stacks); open the output of this command: stackcollapse.pl ",
     "\n\n              unix`mutex_enter+0x10\n              genunix`poll+0x20\n                "
     "1\n",
     0},
    {"a text of Java’s HPROF agent" CANNOT_YET,
     "JAVA PROFILE 1.0.1, created Mon Aug  4 22:22:24 2008\n\nCPU SAMPLES BEGIN (total = 7)\n", 0},
    {"a heap dump of Java" CANNOT_YET, BYTES ("JAVA PROFILE 1.0.2\0\0\0\0\4")},
    {"a text report of gprof; open the file that it was made from",
     "index  % time    self  children called     name\n[1]    100.00    0.00     1.93    0  "
     "start\n",
     0},
    {"a text report of pmcstat; open the output of this command: stackcollapse-pmc.pl ",
     "@ inst_retired.any [705 samples]\n\n20.86%  [447]     compress @ /boot/kernel/zfs.ko\n", 0},
    {"a call tree copied from Instruments" CANNOT_YET,
     "Weight\tSelf Weight\tSymbol Names\n4.93 s  100.0%\t0 s\t   start\n", 0},
    {"a recording of Safari’s Web Inspector" CANNOT_YET,
     "{\"version\":1,\"recording\":{\"displayName\":\"A\",\"instrumentTypes\":[]}}", 0},
    {"a list of threads of py-spy; “py-spy record”",
     "Process 8: python app.py\nPython v3.8.0 (/usr/bin/python3.8)\n\nThread 8 (active): \"M\"\n",
     0},
    {"a log of Valgrind" NO_PROFILE, "==19510== Memcheck, a memory error detector\n", 0},
    {"text, but not", "    - first\n    -                 second (2)\nthird\n", 0},
    {"a log of V8; “node --prof-process FILE”", "v8-version,12,4,254,21,-node.12,0\n", 0},
    {"a log of V8", "shared-library,/usr/bin/node,1,2,0\ncode-creation,Stub,2,3\ntick,1,2,0\n", 0},
    {"a profile of XHProf; Xdebug", "{\"main()\": {\"wt\": 3}, \"main()==>work\": {\"wt\": 2}}", 0},
    {"a profile of XHProf", "a:2:{s:12:\"main()==>work\";a:1:{s:2:\"wt\";i:2;}}", 0},
    {"a profile of R (Rprof); open the output of this command: Rscript -e 'profile::write_pprof ",
     "sample.interval=20000\n\"work\" \"main\" \n", 0},
    {"a profile of R (Rprof)", "memory profiling: GC profiling: sample.interval=20000\n:1:2:3:0:\n",
     0},
    {"a memray capture; “memray flamegraph” shows it", BYTES ("memray\0\14\0\0")},
    {"a profile of NYTProf (Perl); open the output of this command: nytprofcg --file FILE ",
     "NYTProf 5 0\n#Perl profile database.\n", 0},
    {"a part of a recording of uftrace; “uftrace dump --flame-graph”", BYTES ("Ftrace!\0\4\0")},
    {"a text of uftrace; “uftrace dump",
     "# DURATION     TID     FUNCTION\n            [  7] | main() {\n", 0},
    {"a trace of Fuchsia", BYTES ("\x10\0\4FxT\x16\0\1\2")},
    {"a method trace of Android; ", "*version\n3\nclock=dual\n", 0},
    {"a table of line_profiler; “python3 -m line_profiler FILE”",
     BYTES ("\x80\4\x95\x90\0\0\0\0\0\0\0\x8c\x1bline_profiler._line_profiler\x94")},
    {"a snapshot of Python's tracemalloc",
     BYTES ("\x80\4\x95\x90\0\0\0\0\0\0\0\x8c\x0btracemalloc\x94")},
    {"not a profile in a known format", BYTES ("\x80\4\x95\x90\0\0\0\0\0\0\0\x8c\4list\x94")},
    {"a heap dump of .NET; “dotnet-gcdump report FILE”",
     BYTES ("\x14\0\0\0!FastSerialization.1\5\5\1\1\0\0\0\xf\0\0\0Graphs.MemoryGraph")},
    {"a trace of OCaml's memtrace; memtrace-viewer",
     BYTES ("\xc1\x1f\xfc\xc1\x38\4\0\0\1\2\3\4\5\6\0\0\1\2\3\4\5\6\0\0\0\0\0\0\3\0")},
    {"a trace in the Common Trace Format; Trace Compass",
     BYTES ("\xc1\x1f\xfc\xc1\x38\4\0\0\1\2\3\4\5\6\0\0\1\2\3\4\5\6\7\0\0\0\0\0\3\0")},
    {"a report of pyinstrument (JSON); “pyinstrument -r speedscope”",
     "{\"target_description\": \"Program: a.py\", \"root_frame\": {}}", 0},
    {"a session of pyinstrument; open the output of this command: pyinstrument --load FILE ",
     "{\"frame_records\": [], \"target_description\": \"Program: a.py\"}", 0},
    {"a text report of pyinstrument; “pyinstrument -r",
     "\n  _     ._   __/__   _ _  _  _ _/_   Recorded: 10:11\n"
     " /_//_/// /_\\ / //_// / //_'/ //     Duration: 2.0\n",
     0},
    {"a profile of Scalene; “scalene view FILE”", "{\"n_cpu_percent_python\": 0.1}", 0},
    {"a flame graph of Pyroscope; ", "{\"flamebearer\": {\"names\": [], \"levels\": []}}", 0},
    {"a CPU profile of Dart" CANNOT_YET, "{\"type\": \"CpuSamples\", \"samplePeriod\": 250}", 0},
    {"a text of the Java Flight Recorder; open the file",
     "{\"recording\": {\"events\": [{\"type\": \"jdk.ExecutionSample\"}]}}", 0},
    {"a list of metrics (Prometheus)" NO_PROFILE,
     "# HELP up Is it?\n# TYPE up gauge\nup{job=\"shop\"} 1\n", 0},
    {"coverage data of Go" NO_PROFILE, "mode: set\nshop/a.go:3.1,5.2 1 1\n", 0},
    {"a text report of perf; open the file",
     "# Samples: 7  of event 'cycles'\n#\n# Overhead  Command  Symbol\n    50.00%  a  main\n", 0},
    {"a text report of pprof; open the file",
     "Total: 8 samples\n       5  62.5%  62.5%        8 100.0% main\n", 0},
    {"text of perf script without samples; record again",
     "# ========\n# captured on    : Sun Jan  1\n# hostname : shop\n# ========\n#\n", 0},
    {"a text report of pprof; open the file",
     "PeriodType: cpu nanoseconds\nPeriod: 10000000\nSamples:\n", 0},
    {"a table of Instruments (xctrace export); open the output of this command: "
     "inferno-collapse-xctrace ",
     "<?xml version=\"1.0\"?>\n<trace-query-result>\n", 0},
    {"a list of threads of Java; open the output of this command: stackcollapse-jstack.pl ",
     "2023-01-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17):\n\n\"main\" #1\n", 0},
    {"stacks of GDB; open the output of this command: stackcollapse-gdb.pl ",
     "Thread 1 (Thread 0x7f1 (LWP 11)):\n#0  0x7f in poll ()\n", 0},
    {"a text report of Python's cProfile; open the file",
     "         7 function calls in 0.002 seconds\n\n   Ordered by: standard name\n\n"
     "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n",
     0},
    {"a record of memory_profiler; “mprof plot FILE”", "CMDLINE python3 a.py\nMEM 1.5 1498128.5\n",
     0},
    {"a profile of SPX (PHP); Xdebug", "[events]\n0 1 0 0\n", 0},
    {"a trace of Xdebug; Xdebug (xdebug.mode=profile)",
     "Version: 3.2.0\nFile format: 4\nTRACE START [2023-01-01 10:00:00.000000]\n", 0},
    {"stacks of phpspy; open the output of this command: stackcollapse-phpspy.pl ",
     "0 usleep <internal>:-1\n1 work /app/a.php:12\n2 <main> /app/a.php:15\n\n", 0},
    {"a text report of Julia; PProf.jl",
     "Overhead ╎ [+additional indent] Count File:Line  Function\n", 0},
    {"an analysis of Erlang’s fprof; open the output of this command: erlgrind ",
     "%% Analysis results:\n{  analysis_options,\n [{callers, true}]}.\n", 0},
    {"stacks of Erlang’s eflame, not counted yet; open the output of this command: sort FILE | ",
     "<0.80.0>;shop:main/0;shop:work/1\n<0.80.0>;shop:main/0\n", 0},
    {"a report of LeakSanitizer; heaptrack",
     "=====\n==7==ERROR: LeakSanitizer: detected memory leaks\n", 0},
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

/* Text that has a name is not read as folded stacks; stacks of eflame that are counted are. */
TEST (not_folded)
{
    static const char *const texts[] = {
        "# HELP up Is it?\n# TYPE up gauge\nup{job=\"shop\"} 1\nup{job=\"bank\"} 0\n",
        "mode: count\nshop/a.go:3.1,5.2 1 1\nshop/a.go:6.1,7.2 1 0\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
        assert_read_error (texts[i], strlen (texts[i]),
                           i == 0 ? "This is a list of metrics (Prometheus), not a profile"
                                  : "This is coverage data of Go, not a profile");
    static const char counted[] = "<0.80.0>;shop:main/0 7\n";
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (counted, sizeof counted - 1), sizeof counted - 1);
    g_assert_nonnull (pv_read_find_reader (file));
}

/* A number in the column of perf script's addresses, at the end of something else, is no sample. */
TEST (numbers_at_end)
{
    static const char *const texts[] = {
        "\n\n              unix`mutex_enter+0x10\n              genunix`poll+0x20\n                "
        "1\n"
        "\n              unix`idle+0x10\n                7\n",
        "items of the shop\n\napples         12\npears           7\n\nall             \n"
        "             1234\n"};
    for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
        g_autoptr (PvMappedFile) file =
            pv_mapped_file_new_take (g_memdup2 (texts[i], strlen (texts[i])), strlen (texts[i]));
        g_assert_null (pv_read_find_reader (file));
    }
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

/* --- what comes before and behind --- */

static PvProfile *
read_whole (const GByteArray *bytes, GError **error)
{
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (bytes->data, bytes->len), bytes->len);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    const PvReadContext context = {0};
    if (!pv_read_bytes (file, builder, &context, error))
        return NULL;
    return pv_profile_builder_snapshot (builder);
}

static bool
has_note (const PvProfile *profile, const char *part)
{
    for (uint32_t i = 0; i < profile->n_notes; i++)
        if (strstr (profile->notes[i].text, part) != NULL)
            return true;
    return false;
}

#define HEAP    "heap_v2/1\n@ 0x10\n  t*: 1: 7 [0: 0]\n"
#define GO_HEAP "heap profile: 1: 7 [2: 9] @ heap/2\n1: 7 [2: 9] @ 0x10\n# x\n"
#define FOLDED  "main;work 7\n"
#define SCRIPT  "shop 7 [000] 1.000000: 7 cycles:\n\t  401000 main+0x10 (/opt/shop)\n\n"
#define MASSIF                                                                                     \
    "desc: (none)\ncmd: ./shop\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=0\n"    \
    "mem_heap_B=7\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=empty\n"
#define CALLGRIND "version: 1\ncreator: shop\nevents: Ir\n\nfn=main\n1 7\n"
#define SPEEDSCOPE                                                                                 \
    "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\", "                       \
    "\"shared\": {\"frames\": [{\"name\": \"main\"}]}, \"profiles\": [{\"type\": \"sampled\", "    \
    "\"unit\": \"none\", \"samples\": [[0]], \"weights\": [7]}]}\n"

static const char *const beginnings[] = {
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
    "HTTP/1.1 302 Found\nLocation: /x\n\nHTTP/2 200\nDate: Sun, 29 Nov\n\n",
    "<jemalloc>: Leak approximation summary: ~8 bytes, ~1 object, >= 1 context\n"
    "<jemalloc>: Run jeprof on dump output for leak detail\n",
    "=======\nCollect heap via http client\n[INFO] tasks: 7\n=======\n",
};

static const char *const profiles[] = {HEAP,   GO_HEAP,   FOLDED,    SCRIPT,
                                       MASSIF, CALLGRIND, SPEEDSCOPE};

/* A profile is found after lines of something else, of a file that is packed, too, or is packed
 * itself. */
TEST (beginnings)
{
    for (size_t b = 0; b < G_N_ELEMENTS (beginnings); b++)
        for (size_t p = 0; p < G_N_ELEMENTS (profiles); p++) {
            g_autoptr (GByteArray) alone = make_text ("", "", 0, profiles[p]);
            g_autoptr (GByteArray) whole = make_text (beginnings[b], "", 0, profiles[p]);
            g_autoptr (GByteArray) packed = gzip_bytes (whole);
            g_autoptr (GByteArray) packed_alone = gzip_bytes (alone);
            g_autoptr (GByteArray) mixed = make_text (beginnings[b], "", 0, "");
            g_byte_array_append (mixed, packed_alone->data, packed_alone->len);
            const GByteArray *const files[] = {whole, packed, mixed};
            g_autoptr (PvProfile) expected = read_whole (alone, NULL);
            for (size_t f = 0; f < G_N_ELEMENTS (files); f++) {
                g_test_message ("%zu: %s%s", f, beginnings[b], profiles[p]);
                g_autoptr (PvProfile) profile = assert_ok (error, read_whole (files[f], &error));
                g_assert_cmpstr (profile->facts.format, ==, expected->facts.format);
                g_assert_cmpuint (profile->n_samples, ==, expected->n_samples);
                g_assert_cmpuint (profile->measures[0].total, ==, 7);
                g_assert_true (has_note (profile, "before the profile"));
                g_assert_cmpuint (profile->facts.size_bytes, ==, files[f]->len);
                g_assert_false (has_note (expected, "before the profile"));
            }
        }
}

/* The same of bytes that are no text. */
TEST (binary_beginnings)
{
    static const uint8_t pprof[] = {0x0a, 4,    8, 1,   16,   2, 0x12, 3,   0x12, 1,   7,  0x32,
                                    0,    0x32, 1, 'a', 0x32, 5, 'c',  'o', 'u',  'n', 't'};
    for (size_t b = 0; b < G_N_ELEMENTS (beginnings); b++) {
        g_autoptr (GByteArray) bytes = make_text (beginnings[b], "", 0, "");
        g_byte_array_append (bytes, pprof, sizeof pprof);
        g_autoptr (PvProfile) profile = assert_ok (error, read_whole (bytes, &error));
        g_assert_cmpuint (profile->measures[0].total, ==, 7);
        g_assert_cmpstr (profile->measures[0].name, ==, "a");
    }
}

TEST (no_beginnings)
{
    static const char *const texts[] = {
        "Dear reader,\nthe shop; it is open from 9\n",
        "Dear reader,\nevents: Ir\nfn=main\n",
        "<html>\n" FOLDED,
        "#!/bin/sh\ncat <<END\n" HEAP,
        "{\"level\": \"info\"}\n" SPEEDSCOPE,
        "HTTP/1.1 404 Not Found\r\n\r\nno such page\n",
        "HTTP/1.1 200 OK\r\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
        g_autoptr (GByteArray) bytes = make_text ("", "", 0, texts[i]);
        g_autoptr (GError) error = NULL;
        g_autoptr (PvProfile) profile = read_whole (bytes, &error);
        g_test_message ("%s", texts[i]);
        g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_UNKNOWN_FORMAT);
    }
}

/* Lines of a server are no stacks, and a mark of Unicode is no line. */
TEST (short_beginnings)
{
    static const struct {
        const char *text;
        uint64_t total;
    } files[] = {
        {"HTTP/2 200 \r\ncontent-length: 77\r\n\r\n" FOLDED FOLDED FOLDED FOLDED FOLDED FOLDED, 42},
        {"\xef\xbb\xbf" HEAP, 7},
        {"\xef\xbb\xbf" GO_HEAP, 7},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
        g_autoptr (GByteArray) bytes = make_text ("", "", 0, files[i].text);
        g_autoptr (PvProfile) profile = read_whole (bytes, NULL);
        g_assert_cmpuint (profile->measures[0].total, ==, files[i].total);
    }
}

/* A second profile in the file is an error or a note, and not added to the first in silence. */
TEST (several)
{
    static const char *const texts[] = {HEAP, GO_HEAP, "goroutine profile: total 1\n1 @ 0x10\n",
                                        "--- contention:\ncycles/second = 1\n7 1 @ 0x10\n", MASSIF};
    static const char map[] = "\nMAPPED_LIBRARIES:\n1000-2000 r-xp 00000000 08:01 1 /bin/shop\n";
    g_autoptr (GByteArray) gzip_text = make_text ("", "", 0, GO_HEAP);
    g_autoptr (GByteArray) packed = gzip_bytes (gzip_text);
    for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
        for (size_t kind = 0; kind < 4; kind++) {
            bool is_packed_first = kind == 2, is_packed_last = kind == 3;
            g_autoptr (GByteArray) bytes = g_byte_array_new ();
            g_autoptr (GByteArray) text = make_text (texts[i], kind == 1 ? map : "", 1, "");
            if (is_packed_first)
                g_byte_array_append (bytes, packed->data, packed->len);
            g_byte_array_append (bytes, text->data, text->len);
            if (is_packed_last)
                g_byte_array_append (bytes, packed->data, packed->len);
            else if (!is_packed_first)
                g_byte_array_append (bytes, text->data, text->len);
            if (texts[i][0] == 'd' && (kind == 1 || is_packed_last))
                continue; /* massif has no maps */
            g_autoptr (GError) error = NULL;
            g_autoptr (PvProfile) profile = read_whole (bytes, &error);
            g_test_message ("%zu %zu", i, kind);
            g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED);
            g_assert_nonnull (strstr (error->message, "several profiles, one after the other"));
        }
    g_autoptr (GByteArray) twice = make_text ("", SPEEDSCOPE, 2, "");
    g_autoptr (PvProfile) first = read_whole (twice, NULL);
    g_assert_cmpuint (first->measures[0].total, ==, 7);
    g_assert_true (has_note (first, "several profiles, one after the other"));
    g_autoptr (GByteArray) more = g_byte_array_new ();
    g_byte_array_append (more, packed->data, packed->len);
    g_byte_array_append (more, (const uint8_t *)"\0\0the end", 9);
    g_autoptr (PvProfile) rest = read_whole (more, NULL);
    g_assert_true (has_note (rest, "are 7 bytes more"));
}

/* Text of 16 bits, as programs of Windows write it. */
TEST (utf16)
{
    static const char text[] = "main;gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80 7\n" FOLDED;
    for (unsigned kind = 0; kind < 4; kind++) {
        bool is_big = kind & 1, has_mark = kind < 2;
        const char *characters = has_mark ? text : FOLDED FOLDED;
        g_autoptr (GError) error = NULL;
        gsize size;
        g_autofree char *units = g_convert (characters, -1, is_big ? "UTF-16BE" : "UTF-16LE",
                                            "UTF-8", NULL, &size, &error);
        g_assert_no_error (error);
        g_autoptr (GByteArray) bytes = g_byte_array_new ();
        if (has_mark)
            g_byte_array_append (bytes, (const uint8_t *)(is_big ? "\xfe\xff" : "\xff\xfe"), 2);
        g_byte_array_append (bytes, (const uint8_t *)units, (guint)size);
        g_autoptr (GByteArray) packed = gzip_bytes (bytes);
        g_autoptr (PvProfile) profile = read_whole (bytes, NULL);
        g_autoptr (PvProfile) unpacked = read_whole (packed, NULL);
        g_assert_cmpuint (profile->measures[0].total, ==, 14);
        g_assert_cmpuint (unpacked->measures[0].total, ==, 14);
        if (has_mark)
            g_assert_cmpstr (profile->given_frames[1].name, ==,
                             "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80");
    }
    static const uint8_t alone[] = {0xff, 0xfe, 'a', 0, ';',  0, 0x3d, 0xd8,
                                    ' ',  0,    '7', 0, '\n', 0, 0};
    g_autoptr (GByteArray) broken = g_byte_array_new ();
    g_byte_array_append (broken, alone, sizeof alone);
    g_autoptr (PvProfile) half = read_whole (broken, NULL);
    g_assert_cmpstr (half->given_frames[1].name, ==, "\xef\xbf\xbd");
}

/* Half of its bytes are zeros, as in an old gmon.out. */
TEST (long_utf16)
{
    enum { LENGTH = 40000 };
    static const char json[] =
        "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\",\"url\":\"\","
        "\"lineNumber\":0,\"columnNumber\":0}}],\"startTime\":0,\"endTime\":9,"
        "\"samples\":[1,1],\"timeDeltas\":[0,7]}";
    g_autofree char *text = g_strdup_printf ("%-*s\n", LENGTH, json);
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    for (const char *at = text; *at != '\0'; at++)
        g_byte_array_append (bytes, (const uint8_t[]){(uint8_t)*at, 0}, 2);
    g_autoptr (PvProfile) profile = read_whole (bytes, NULL);
    g_assert_cmpstr (profile->facts.format, ==, "V8");
}

/* There is an end to looking. */
TEST (too_late)
{
    g_autoptr (GByteArray) bytes = make_text ("", "a_frame;", 3 << 20, "leaf 7\n");
    assert_read_error (bytes->data, bytes->len,
                       "This is text, but not a profile in a known format");
}
