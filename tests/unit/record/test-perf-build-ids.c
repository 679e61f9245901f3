/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/perf/perf-build-ids.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cases.h"
#include "../scratch.h"
#include "core/base/build-id.h"
#include "record/perf/perf-file.h"

static const uint8_t build_id[20] = "twenty bytes of name";

/* An ELF file of nothing but its header, one segment and a note; 64 bits or 32. */
static void
write_program (const char *path, bool is_64bit)
{
    uint32_t note[] = {4, sizeof build_id, 3, 0x00554e47 /* "GNU" */};
    uint8_t bytes[200] = {
        0x7f, 'E', 'L', 'F', is_64bit ? 2 : 1, G_BYTE_ORDER == G_LITTLE_ENDIAN ? 1 : 2};
    uint64_t table = 64, notes = 128, size = sizeof note + sizeof build_id;
    uint32_t table_32 = 64, notes_32 = 128, size_32 = sizeof note + sizeof build_id, type = 4;
    uint16_t entry[] = {is_64bit ? 56 : 32, 1};
    if (is_64bit) {
        memcpy (bytes + 32, &table, 8);
        memcpy (bytes + 54, entry, 4);
        memcpy (bytes + 64 + 8, &notes, 8);
        memcpy (bytes + 64 + 32, &size, 8);
    } else {
        memcpy (bytes + 28, &table_32, 4);
        memcpy (bytes + 42, entry, 4);
        memcpy (bytes + 64 + 4, &notes_32, 4);
        memcpy (bytes + 64 + 16, &size_32, 4);
    }
    memcpy (bytes + 64, &type, 4);
    memcpy (bytes + 128, note, sizeof note);
    memcpy (bytes + 128 + sizeof note, build_id, sizeof build_id);
    g_assert_true (g_file_set_contents (path, (const char *)bytes, sizeof bytes, NULL));
}

static size_t
read_id (const char *path, uint8_t *ret)
{
    int fd = g_open (path, O_RDONLY, 0);
    g_assert_cmpint (fd, >=, 0);
    size_t size = pv_build_id_read (fd, ret);
    close (fd);
    return size;
}

TEST (read)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *path = g_build_filename (folder, "program", NULL);
    uint8_t found[PV_BUILD_ID_MAX];
    for (int is_64bit = 0; is_64bit < 2; is_64bit++) {
        g_autofree char *bytes = NULL;
        gsize len;
        write_program (path, is_64bit);
        g_assert_cmpmem (build_id, sizeof build_id, found, read_id (path, found));
        g_assert_true (g_file_get_contents (path, &bytes, &len, NULL));
        /* Any part of it, and any byte changed: no crash, and no other id. */
        for (gsize cut = 0; cut < 128 + 16; cut++) {
            g_assert_true (g_file_set_contents (path, bytes, (gssize)cut, NULL));
            g_assert_cmpuint (read_id (path, found), ==, 0);
            bytes[cut] ^= 0x55;
            g_assert_true (g_file_set_contents (path, bytes, (gssize)len, NULL));
            read_id (path, found);
            bytes[cut] ^= 0x55;
        }
    }
}

/* A process with a folder as its root that has mapped /program there, at *ret_start; 0: it may have
 * neither here. */
static pid_t
start_in_root (const char *folder, uint64_t *ret_start)
{
    int ready[2];
    g_assert_no_errno (pipe (ready));
    pid_t pid = fork ();
    if (pid == 0) {
        prctl (PR_SET_PDEATHSIG, SIGKILL);
        if (chroot (folder) != 0 && (unshare (CLONE_NEWUSER) != 0 || chroot (folder) != 0))
            _exit (1);
        int fd = open ("/program", O_RDONLY);
        void *start = mmap (NULL, 200, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
        uint64_t addr = (uintptr_t)start;
        if (start != MAP_FAILED && write (ready[1], &addr, sizeof addr) == sizeof addr)
            pause ();
        _exit (1);
    }
    close (ready[1]);
    bool is_there = read (ready[0], ret_start, sizeof *ret_start) == sizeof *ret_start;
    close (ready[0]);
    if (!is_there)
        waitpid (pid, NULL, 0);
    return is_there ? pid : 0;
}

typedef struct {
    uint32_t type;
    uint16_t misc, size_bytes;
    uint32_t pid, tid;
    uint64_t start, len, file_offset;
    uint8_t identity[24];
    uint32_t prot, flags;
    char path[16];
} Mapping;

/* A complete file of these records. */
static void
write_recording (const char *path, const Mapping *mappings, size_t size_bytes)
{
    uint64_t header[13] = {0, 104, 144, 104, 0, 104, size_bytes};
    memcpy (header, "PERFILE2", 8);
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    g_byte_array_append (bytes, (const uint8_t *)header, sizeof header);
    g_byte_array_append (bytes, (const uint8_t *)mappings, (guint)size_bytes);
    g_assert_true (g_file_set_contents (path, (const char *)bytes->data, (gssize)bytes->len, NULL));
}

/* A process with another root runs the files there, and its mappings get their build-ids. */
TEST (other_root)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *program = g_build_filename (folder, "program", NULL);
    g_autofree char *path = g_build_filename (folder, "perf.data", NULL);
    uint8_t found[PV_BUILD_ID_MAX];
    uint64_t start;
    write_program (program, true);
    pid_t pid = start_in_root (folder, &start);
    if (pid == 0) {
        g_test_message ("NOT RUN: no process may have another root here");
        return;
    }
    PvPerfBuildIds *of_all = pv_perf_build_ids_new (0), *ids = pv_perf_build_ids_new (pid);
    g_assert_false (pv_perf_build_ids_has_any (ids));
    pv_perf_build_ids_look (ids);
    pv_perf_build_ids_look (of_all);
    g_assert_cmpmem (build_id, sizeof build_id, found,
                     pv_perf_build_ids_find (ids, pid, start, "/program", found));
    g_assert_cmpmem (build_id, sizeof build_id, found,
                     pv_perf_build_ids_find (of_all, pid, start, "/program", found));
    g_assert_cmpuint (pv_perf_build_ids_find (ids, pid, start, "/other", found), ==, 0);
    g_assert_cmpuint (pv_perf_build_ids_find (ids, pid, start + 4096, "/program", found), ==, 0);
    kill (pid, SIGKILL);
    waitpid (pid, NULL, 0);

    Mapping mappings[4] = {
        {.type = 10, .misc = 2, .size_bytes = sizeof (Mapping), .pid = (uint32_t)pid}};
    memset (mappings[0].identity, 0x11, sizeof mappings[0].identity);
    mappings[0].start = start;
    strcpy (mappings[0].path, "/program");
    mappings[1] = mappings[2] = mappings[3] = mappings[0];
    mappings[1].pid++; /* it ended too soon */
    mappings[2].misc |= 1 << 14;
    mappings[3].pid++;
    mappings[3].identity[23]++; /* another generation of the inode */
    write_recording (path, mappings, sizeof mappings);
    pv_perf_file_set_build_ids (path, ids);
    mappings[0].misc |= 1 << 14;
    memset (mappings[0].identity, 0, sizeof mappings[0].identity);
    mappings[0].identity[0] = sizeof build_id;
    memcpy (mappings[0].identity + 4, build_id, sizeof build_id);
    mappings[1].misc = mappings[0].misc;
    memcpy (mappings[1].identity, mappings[0].identity, sizeof mappings[1].identity);
    g_autofree char *bytes = NULL;
    gsize len;
    g_assert_true (g_file_get_contents (path, &bytes, &len, NULL));
    g_assert_cmpmem (bytes + 104, len - 104, mappings, sizeof mappings);
    /* A file that ends within a record stays as it is. */
    for (size_t cut = 0; cut < sizeof (Mapping); cut++) {
        write_recording (path, mappings + 2, cut);
        pv_perf_file_set_build_ids (path, ids);
    }
    pv_perf_build_ids_unref (ids);
    pv_perf_build_ids_unref (of_all);
}

/* Processes with our files need nothing. */
TEST (own_root)
{
    PvPerfBuildIds *ids = pv_perf_build_ids_new (getpid ());
    pv_perf_build_ids_look (ids);
    g_assert_false (pv_perf_build_ids_has_any (ids));
    pv_perf_build_ids_unref (ids);
}

TESTS_MAIN (argc, argv)
{
    return scratch_run_tests (argc, argv);
}
