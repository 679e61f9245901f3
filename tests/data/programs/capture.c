/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A capture of everything that Sysprof's own library can write, and what its own reader says of it:
 * capture write FILE, or capture dump FILE. Made by ../record-capture.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysprof-capture.h>

#define MS        INT64_C (1000000)
#define N_SAMPLES 60

enum { SHOP = 4100, STORE = 4200, CPU = 1 };

/* --- writing --- */

static void
write_samples (SysprofCaptureWriter *writer, int64_t start)
{
    SysprofCaptureAddress main_ = sysprof_capture_writer_add_jitmap (writer, "shop_main");
    SysprofCaptureAddress sell = sysprof_capture_writer_add_jitmap (writer, "Shop::sell(int)");
    SysprofCaptureAddress pack = sysprof_capture_writer_add_jitmap (writer, "pack_parcel");
    SysprofCaptureAddress count = sysprof_capture_writer_add_jitmap (writer, "count_stock");
    for (int i = 0; i < N_SAMPLES; i++) {
        SysprofCaptureAddress shop[] = {pack, sell, main_}, store[] = {count, main_};
        int64_t time = start + (5 + i) * MS;
        if (i % 3 == 0)
            sysprof_capture_writer_add_sample (writer, time, CPU, STORE, STORE + i % 2, store, 2);
        else
            sysprof_capture_writer_add_sample (writer, time, CPU + 1, SHOP, SHOP, shop + i % 2,
                                               3 - (unsigned)i % 2);
        if (i % 10 == 0)
            sysprof_capture_writer_add_allocation_copy (writer, time, CPU, SHOP, SHOP,
                                                        0x10000 + (SysprofCaptureAddress)i * 64,
                                                        100 * (i + 1), shop, 3);
        if (i % 20 == 0)
            sysprof_capture_writer_add_allocation_copy (writer, time + MS / 2, CPU, SHOP, SHOP,
                                                        0x10000 + (SysprofCaptureAddress)i * 64, 0,
                                                        shop + 1, 2);
    }
}

static void
write_counters (SysprofCaptureWriter *writer, int64_t start)
{
    SysprofCaptureCounter counters[2] = {
        {.category = "Shop",
         .name = "Parcels",
         .description = "Parcels so far",
         .type = SYSPROF_CAPTURE_COUNTER_INT64},
        {.category = "Shop",
         .name = "Fill",
         .description = "How full the store is",
         .type = SYSPROF_CAPTURE_COUNTER_DOUBLE},
    };
    unsigned first = sysprof_capture_writer_request_counter (writer, 2);
    counters[0].id = first;
    counters[1].id = first + 1;
    counters[1].value.vdbl = 0.25;
    sysprof_capture_writer_define_counters (writer, start, -1, SHOP, counters, 2);
    for (int i = 0; i < 20; i++) {
        unsigned ids[] = {first, first + 1};
        SysprofCaptureCounterValue values[2] = {{.v64 = i * i}, {.vdbl = i / 16.0}};
        sysprof_capture_writer_set_counters (writer, start + (6 + 3 * i) * MS, -1, SHOP, ids,
                                             values, 2);
    }
}

static void
write_capture (const char *path)
{
    SysprofCaptureWriter *writer = sysprof_capture_writer_new (path, 0);
    int64_t start = SYSPROF_CAPTURE_CURRENT_TIME;
    sysprof_capture_writer_add_process (writer, start, -1, SHOP, "/opt/shop/shop --open");
    sysprof_capture_writer_add_process (writer, start, -1, STORE, "/opt/shop/store");
    sysprof_capture_writer_add_map (writer, start, -1, SHOP, 0x400000, 0x500000, 0, 77,
                                    "/opt/shop/shop");
    sysprof_capture_writer_add_fork (writer, start + MS, -1, SHOP, STORE);
    sysprof_capture_writer_add_overlay (writer, start, -1, STORE, 1, "/run/layer", "/opt");
    sysprof_capture_writer_add_metadata (writer, start, -1, -1, "org.example.shop", "a=1\nb=2", -1);
    sysprof_capture_writer_add_file (writer, start, -1, -1, "/proc/cpuinfo", true,
                                     (const uint8_t *)"model name\t: Shop CPU\n", 22);
    write_samples (writer, start);
    write_counters (writer, start);
    for (int i = 0; i < 4; i++) {
        sysprof_capture_writer_add_mark (
            writer, start + (10 + 10 * i) * MS, CPU, SHOP, (uint64_t)(2 + i) * MS, "shop",
            i % 2 ? "Sale" : "Delivery", i == 3 ? "" : "to a customer");
        sysprof_capture_writer_add_log (writer, start + (12 + 10 * i) * MS, CPU, SHOP, 1 << (2 + i),
                                        "Shop", i % 2 ? "sold" : "delivered");
    }
    sysprof_capture_writer_add_timestamp (writer, start + 66 * MS, -1, SHOP);
    sysprof_capture_writer_add_exit (writer, start + 66 * MS, -1, STORE);
    sysprof_capture_writer_flush (writer);
    sysprof_capture_writer_unref (writer);
}

/* --- reading --- */

static void
dump_addresses (const SysprofCaptureAddress *addresses, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        printf ("\t%llx", (unsigned long long)addresses[i]);
    puts ("");
}

static void
dump_jitmap (const SysprofCaptureJitmap *jitmap)
{
    const uint8_t *at = jitmap->data;
    for (unsigned i = 0; i < jitmap->n_jitmaps; i++) {
        SysprofCaptureAddress address;
        memcpy (&address, at, sizeof address);
        at += sizeof address;
        printf ("name\t%llx\t%s\n", (unsigned long long)address, (const char *)at);
        at += strlen ((const char *)at) + 1;
    }
}

static void
dump_values (const SysprofCaptureCounterSet *set, int64_t time)
{
    for (unsigned i = 0; i < set->n_values; i++)
        for (int c = 0; c < 8 && set->values[i].ids[c] != 0; c++)
            printf ("value\t%lld\t%u\t%lld\t%.17g\n", (long long)time, set->values[i].ids[c],
                    (long long)set->values[i].values[c].v64, set->values[i].values[c].vdbl);
}

/* Times are since the start of the capture. */
static bool
dump_frame (SysprofCaptureReader *reader, const SysprofCaptureFrame *frame, int64_t time)
{
    switch (frame->type) {
    case SYSPROF_CAPTURE_FRAME_SAMPLE: {
        const SysprofCaptureSample *sample = sysprof_capture_reader_read_sample (reader);
        printf ("sample\t%lld\t%d\t%d\t%d", (long long)time, sample->frame.pid, sample->tid,
                sample->frame.cpu);
        dump_addresses (sample->addrs, sample->n_addrs);
        return true;
    }
    case SYSPROF_CAPTURE_FRAME_ALLOCATION: {
        const SysprofCaptureAllocation *row = sysprof_capture_reader_read_allocation (reader);
        printf ("allocation\t%lld\t%llx\t%lld", (long long)time,
                (unsigned long long)row->alloc_addr, (long long)row->alloc_size);
        dump_addresses (row->addrs, row->n_addrs);
        return true;
    }
    case SYSPROF_CAPTURE_FRAME_JITMAP:
        dump_jitmap (sysprof_capture_reader_read_jitmap (reader));
        return true;
    case SYSPROF_CAPTURE_FRAME_PROCESS:
        printf ("process\t%d\t%s\n", frame->pid,
                sysprof_capture_reader_read_process (reader)->cmdline);
        return true;
    case SYSPROF_CAPTURE_FRAME_CTRDEF: {
        const SysprofCaptureCounterDefine *define =
            sysprof_capture_reader_read_counter_define (reader);
        for (unsigned i = 0; i < define->n_counters; i++)
            printf ("counter\t%u\t%u\t%s\t%s\t%s\n", define->counters[i].id,
                    define->counters[i].type, define->counters[i].category,
                    define->counters[i].name, define->counters[i].description);
        return true;
    }
    case SYSPROF_CAPTURE_FRAME_CTRSET:
        dump_values (sysprof_capture_reader_read_counter_set (reader), time);
        return true;
    case SYSPROF_CAPTURE_FRAME_MARK: {
        const SysprofCaptureMark *mark = sysprof_capture_reader_read_mark (reader);
        printf ("mark\t%lld\t%lld\t%s\t%s\t%s\n", (long long)time, (long long)mark->duration,
                mark->group, mark->name, mark->message);
        return true;
    }
    case SYSPROF_CAPTURE_FRAME_LOG: {
        const SysprofCaptureLog *log = sysprof_capture_reader_read_log (reader);
        printf ("log\t%lld\t%u\t%s\t%s\n", (long long)time, log->severity, log->domain,
                log->message);
        return true;
    }
    default:
        return sysprof_capture_reader_skip (reader);
    }
}

int
main (int argc, char **argv)
{
    if (argc != 3)
        return EXIT_FAILURE;
    if (strcmp (argv[1], "write") == 0) {
        write_capture (argv[2]);
        return EXIT_SUCCESS;
    }
    SysprofCaptureReader *reader = sysprof_capture_reader_new (argv[2]);
    SysprofCaptureFrame frame;
    if (reader == NULL)
        return EXIT_FAILURE;
    int64_t start = sysprof_capture_reader_get_start_time (reader);
    while (sysprof_capture_reader_peek_frame (reader, &frame) &&
           dump_frame (reader, &frame, frame.time - start))
        ;
    sysprof_capture_reader_unref (reader);
    return EXIT_SUCCESS;
}
