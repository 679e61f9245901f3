/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * The layout of perf.data, for its reader and for the code that completes such files.
 *
 * A file has a header that locates the records. A table follows the records: an offset and a size
 * for each bit set in the header's feature bitmap. A stream (from a pipe) has a short header, then
 * only records, including features. Specification: perf.data-file-format.txt.
 *
 * magic  header size  attr size | attrs  | records | event types | bitmap
 * 0      8            16          24       40        56            72
 */
#define PERF_MAGIC "PERFILE2" /* reversed if the byte order is not ours */

enum {
    PERF_PIPE_HEADER_BYTES = 16,
    PERF_FILE_HEADER_BYTES = 104,
    PERF_N_FEATURE_WORDS = 4, /* of 64 bits */
};

typedef enum {
    PERF_RECORD_MMAP = 1,
    PERF_RECORD_LOST = 2,
    PERF_RECORD_COMM = 3,
    PERF_RECORD_EXIT = 4,
    PERF_RECORD_THROTTLE = 5,
    PERF_RECORD_UNTHROTTLE = 6,
    PERF_RECORD_FORK = 7,
    PERF_RECORD_READ = 8,
    PERF_RECORD_SAMPLE = 9,
    PERF_RECORD_MMAP2 = 10,
    PERF_RECORD_AUX = 11,
    PERF_RECORD_ITRACE_START = 12,
    PERF_RECORD_LOST_SAMPLES = 13,
    PERF_RECORD_SWITCH = 14,
    PERF_RECORD_SWITCH_CPU_WIDE = 15,
    PERF_RECORD_NAMESPACES = 16,
    PERF_RECORD_KSYMBOL = 17,
    PERF_RECORD_BPF_EVENT = 18,
    PERF_RECORD_CGROUP = 19,
    PERF_RECORD_TEXT_POKE = 20,
    PERF_RECORD_AUX_OUTPUT_HW_ID = 21,
    PERF_RECORD_CALLCHAIN_DEFERRED = 22,

    PERF_RECORD_USER_TYPE_START = 64,
    PERF_RECORD_HEADER_ATTR = 64,
    PERF_RECORD_HEADER_EVENT_TYPE = 65,
    PERF_RECORD_HEADER_TRACING_DATA = 66,
    PERF_RECORD_HEADER_BUILD_ID = 67,
    PERF_RECORD_FINISHED_ROUND = 68,
    PERF_RECORD_AUXTRACE = 71,
    PERF_RECORD_AUXTRACE_ERROR = 72,
    PERF_RECORD_STAT_CONFIG = 75,
    PERF_RECORD_STAT_ROUND = 77,
    PERF_RECORD_EVENT_UPDATE = 78,
    PERF_RECORD_TIME_CONV = 79,
    PERF_RECORD_HEADER_FEATURE = 80,
    PERF_RECORD_COMPRESSED = 81,
    PERF_RECORD_COMPRESSED2 = 83,
    PERF_RECORD_USER_TYPE_KNOWN = 86, /* the highest one we know */
} PerfRecordType;

/* Bits of the bitmap; strings are a u32 size and that many bytes, padded with zeros. */
enum {
    PERF_FEATURE_TRACING_DATA = 1,
    PERF_FEATURE_BUILD_ID = 2,
    PERF_FEATURE_HOSTNAME = 3,
    PERF_FEATURE_OSRELEASE = 4,
    PERF_FEATURE_VERSION = 5,
    PERF_FEATURE_ARCH = 6,
    PERF_FEATURE_NRCPUS = 7,
    PERF_FEATURE_CPUDESC = 8,
    PERF_FEATURE_TOTAL_MEM = 10,
    PERF_FEATURE_CMDLINE = 11,
    PERF_FEATURE_EVENT_DESC = 12,
    PERF_FEATURE_STAT = 19,
    PERF_FEATURE_DIR_FORMAT = 24,
    PERF_FEATURE_CLOCK_DATA = 29,
};
