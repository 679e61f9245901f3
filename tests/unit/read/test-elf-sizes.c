/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of what sizes of ELF files are made of; whole files are compared with readelf in
 * tests/golden. */
#include <string.h>

#include "../cases.h"
#include "../scratch.h"
#include "core/model/profile/profile.h"
#include "core/read/elf-sizes/ar-archive.h"
#include "core/read/elf-sizes/size-claims.h"
#include "core/read/elf-sizes/source-folders.h"
#include "core/read/elf-sizes/symbol-path.h"
#include "core/read/readers.h"
#include "core/symbolize/dwarf/dwarf-code.h"

enum { N_CASES = 2000, SPACE = 60 };

/* --- claims --- */

typedef struct {
    int owners[SPACE]; /* -1: nobody */
    uint64_t end;      /* of the run before */
    int last_owner;
} Painted;

static void
paint (void *user, uint64_t start, uint64_t end, uint32_t owner)
{
    Painted *painted = user;
    g_assert_cmpuint (start, <, end);
    g_assert_cmpuint (end, <=, SPACE);
    g_assert_cmpuint (start, >=, painted->end);
    g_assert_false (start == painted->end && painted->last_owner == (int)owner); /* one run */
    for (uint64_t i = start; i < end; i++)
        painted->owners[i] = (int)owner;
    painted->end = end;
    painted->last_owner = (int)owner;
}

TEST (claims)
{
    for (unsigned c = 0; c < N_CASES; c++) {
        SizeClaim claims[12], copy[12];
        size_t n = (size_t)g_test_rand_int_range (0, G_N_ELEMENTS (claims) + 1);
        Painted painted = {.last_owner = -1};
        memset (painted.owners, -1, sizeof painted.owners);
        for (size_t i = 0; i < n; i++) {
            uint64_t start = (uint64_t)g_test_rand_int_range (0, SPACE);
            claims[i] = (SizeClaim){start, (uint64_t)g_test_rand_int_range ((int)start, SPACE + 1),
                                    (uint64_t)g_test_rand_int_range (0, 4), (uint32_t)i};
        }
        memcpy (copy, claims, sizeof copy);
        size_claims_resolve (claims, n, paint, &painted);
        for (uint64_t at = 0; at < SPACE; at++) {
            int wanted = -1;
            for (size_t i = 0; i < n; i++)
                if (at >= copy[i].start && at < copy[i].end &&
                    (wanted < 0 || copy[i].rank < copy[wanted].rank))
                    wanted = (int)i;
            g_assert_cmpint (painted.owners[at], ==, wanted);
        }
    }
}

/* --- paths --- */

static char *
spell_path (const char *symbol, bool is_go)
{
    SymbolPath path;
    symbol_path_find (symbol, is_go, &path);
    GString *text = g_string_new (NULL);
    for (unsigned i = 0; i < path.n; i++) {
        g_string_append (text, i > 0 ? path.separator : "");
        symbol_path_append (text, &path.parts[i]);
    }
    return g_string_free (text, FALSE);
}

TEST (paths)
{
    static const struct {
        const char *symbol, *path;
    } samples[] = {
        {"main", ""},
        {"foo.cold", ""},
        {"_Z3foov", ""},
        {"_ZN3abc3defEv", "abc"},
        {"_ZN3abc3def3ghiERKi", "abc::def"},
        {"_ZN3abc3defC1Ev", "abc::def"},
        {"_ZNK3abc3defcvbEv", "abc::def"},
        {"_ZN3abc3defIiE3ghiEv", "abc"},
        {"_ZNSt6vectorIiSaIiEE9push_backEOi", "std"},
        {"_ZSt4sortIPiEvT_S1_", "std"},
        {"_ZNSs6appendEPKc", "std"},
        {"_ZTVN3abc3defE", "abc"},
        {"_ZGVZN3abc3defEvE1x", "abc"},
        {"_ZThn16_N3abc3def3ghiEv", "abc::def"},
        {"_ZTv0_n24_N3abc3def3ghiEv", "abc::def"},
        {"_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)"},
        {"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt"},
        {"_ZN4core3fmt5write17h0123456789abcdefE.llvm.123", "core::fmt"},
        {"_ZN71_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$"
         "4drop17h0123456789abcdefE",
         "alloc"},
        {"_ZN36_$LT$T$u20$as$u20$core..any..Any$GT$7type_id17h0123456789abcdefE", "core"},
        {"_RNvC6_123foo3bar", "123foo"},
        {"_RNvNtCs1234_7mycrate3abc3def", "mycrate::abc"},
        {"_RNvNtCs1234_7mycrateu9gre_6ka8iu8zhle_loa", "mycrate::größe"},
        {"_RNvNtCs1234_7mycrateu30____7hkackfecea1cbdathfdh9hlq6y3def",
         "mycrate::საჭმელად_გემრიელი_სადილი"},
        {"_RNvNtCs1234_7mycrateu5a_999u8zhle_loa", "mycrate::a_999"},
        {"_RNvNtCs1234_7mycrateu3abZu8zhle_loa", "mycrate::abZ"},
        {"_RNCNvC7mycrate4main0B3_", "mycrate::main"},
        {"_RINvNtC3std3mem8align_ofjE", "std::mem"},
        {"_RNvMC7mycrateNtB2_3Foo3bar", "mycrate"},
        {"_RNvXCs1_7mycratelNtB2_5Trait3bar", "mycrate"},
        {"_RNvYNtC7mycrate3FooNtB4_5Trait3bar", "mycrate::Foo"},
        {"_R", ""},
        {"_RNvB_", ""},
        {"_RNvNvNv", ""},
        {"_ZN999999999999999999999999a", ""},
        {"_ZN", ""},
        {"_ZNS", ""},
        {"_Z", ""},
    };
    static const struct {
        const char *symbol, *path;
    } go_samples[] = {
        {"main.main", "main"},
        {"encoding/json.(*Decoder).Decode", "encoding/json"},
        {"github.com/a/b%2ec/d.F[go.shape.int]", "github.com/a/b%2ec/d"},
        {"type:.eq.main.T", "go runtime data"},
        {"go:itab.*os.File,io.Reader", "go runtime data"},
        {"x_cgo_init", ""},
        {"_cgo_topofstack", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (samples); i++) {
        g_autofree char *path = spell_path (samples[i].symbol, false);
        g_test_message ("%s", samples[i].symbol);
        g_assert_cmpstr (path, ==, samples[i].path);
    }
    for (size_t i = 0; i < G_N_ELEMENTS (go_samples); i++) {
        g_autofree char *path = spell_path (go_samples[i].symbol, true);
        g_test_message ("%s", go_samples[i].symbol);
        g_assert_cmpstr (path, ==, go_samples[i].path);
    }
}

/* Any name ends, within the name. */
TEST (any_path)
{
    static const char letters[] = "_ZNRvCtBsIMXYEStL017h2aQ.$/([:";
    for (unsigned c = 0; c < 100 * N_CASES; c++) {
        size_t len = (size_t)g_test_rand_int_range (0, 40);
        g_autofree char *name = g_malloc (len + 1); /* a sanitizer sees what is read beyond it */
        for (size_t i = 0; i < len; i++)
            name[i] = letters[g_test_rand_int_range (0, (int)strlen (letters))];
        if (len > 1 && c % 3 != 0)
            memcpy (name, c % 3 == 1 ? "_R" : "_Z", 2);
        name[len] = '\0';
        SymbolPath path;
        symbol_path_find (name, c % 2 == 0, &path);
        g_assert_cmpuint (path.n, <=, SYMBOL_PATH_MAX);
    }
}

/* --- folders --- */

static char *
list_folders (SourceFolders *folders, uint32_t place, uint32_t file)
{
    uint32_t nodes[SOURCE_FOLDERS_MAX + 1];
    unsigned n = source_folders_list (folders, place, file, nodes);
    GString *text = g_string_new (NULL);
    for (unsigned i = 0; i < n; i++) {
        size_t len;
        const char *name = source_folders_get_name (folders, nodes[i], &len);
        g_string_append (text, i > 0 ? " " : "");
        g_string_append_len (text, name, (gssize)len);
    }
    return g_string_free (text, FALSE);
}

/* Place 1 has all files, 2 and 3 those that are said. */
TEST (folders)
{
    static const struct {
        const char *path;
        bool is_in_2, is_in_3;
        const char *in_1, *in_2, *in_3;
    } samples[] = {
        {"/home/me/src/a/one.c", true, true, "src/ src/a/ src/a/one.c", "src/a/ src/a/one.c",
         "src/a/one.c"},
        {"/home/me/src/a/two.c", true, false, "src/ src/a/ src/a/two.c", "src/a/ src/a/two.c",
         NULL},
        {"/home/me/src/b/c/d/three.c", true, false, "src/ src/b/c/d/three.c", "src/b/c/d/three.c",
         NULL},
        {"/home/me/src.c", false, false, "src.c", NULL, NULL},
        {"/home/me/src/a", false, false, "src/ src/a", NULL, NULL}, /* a file named like a folder */
        {"plain.c", false, false, "plain.c", NULL, NULL},
    };
    SourceFolders folders = {0};
    uint32_t files[G_N_ELEMENTS (samples)];
    for (size_t i = 0; i < G_N_ELEMENTS (samples); i++) {
        bool is_full = *samples[i].path == '/';
        files[i] = source_folders_add (&folders, samples[i].path, is_full);
        g_assert_cmpuint (source_folders_add (&folders, samples[i].path, is_full), ==, files[i]);
        source_folders_put (&folders, 1, files[i]);
        source_folders_put (&folders, 1, files[i]);
        if (samples[i].is_in_2)
            source_folders_put (&folders, 2, files[i]);
        if (samples[i].is_in_3)
            source_folders_put (&folders, 3, files[i]);
    }
    for (size_t i = 0; i < G_N_ELEMENTS (samples); i++) {
        const char *wanted[] = {samples[i].in_1, samples[i].in_2, samples[i].in_3};
        for (uint32_t place = 1; place <= 3; place++) {
            assert_string (wanted[place - 1] != NULL ? list_folders (&folders, place, files[i])
                                                     : NULL,
                           wanted[place - 1]);
        }
    }
    source_folders_clear (&folders);
}

/* Folders in folders without end; what is deeper than the limit is told by files only. */
TEST (deep_folders)
{
    SourceFolders folders = {0};
    char *paths[40];
    uint32_t nodes[SOURCE_FOLDERS_MAX + 1];
    g_autoptr (GString) folder = g_string_new ("/");
    for (unsigned i = 0; i < G_N_ELEMENTS (paths); i++) {
        paths[i] = g_strconcat (folder->str, "file.c", NULL);
        g_string_append (folder, i % 2 == 0 ? "x/" : "/");
        source_folders_put (&folders, 1, source_folders_add (&folders, paths[i], true));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS (paths); i++) {
        uint32_t file = source_folders_add (&folders, paths[i], true);
        g_assert_cmpuint (source_folders_list (&folders, 1, file, nodes), <=, SOURCE_FOLDERS_MAX);
        g_free (paths[i]);
    }
    source_folders_clear (&folders);
}

/* --- archives --- */

static void
append_member (GString *archive, const char *name, const char *data, size_t size_bytes)
{
    g_string_append_printf (archive, "%-16s%-12s%-6s%-6s%-8s%-10zu`\n", name, "0", "0", "0",
                            "100644", size_bytes);
    g_string_append_len (archive, data, (gssize)size_bytes);
    if (size_bytes % 2 != 0)
        g_string_append_c (archive, '\n');
}

TEST (archive)
{
    static const struct {
        ArMemberKind kind;
        const char *name;
        size_t size_bytes;
    } wanted[] = {
        {AR_MEMBER_INDEX, "/", 4},      {AR_MEMBER_NAMES, "//", 24},
        {AR_MEMBER_FILE, "short.o", 3}, {AR_MEMBER_FILE, "a-name-that-is-longer.o", 5},
        {AR_MEMBER_FILE, "bsd.o", 2},
    };
    g_autoptr (GString) archive = g_string_new ("!<arch>\n");
    append_member (archive, "/", "\0\0\0\0", 4);
    append_member (archive, "//", "a-name-that-is-longer.o/\n", 24);
    append_member (archive, "short.o/", "abc", 3);
    append_member (archive, "/0", "hello", 5);
    append_member (archive, "#1/8", "bsd.o\0\0\0xy", 10);
    /* Whatever is cut off, members lie within what is left. */
    for (size_t n = strlen ("!<arch>\n"); n <= archive->len; n++) {
        g_autofree uint8_t *copy = g_memdup2 (archive->str, n);
        ArArchive reading;
        ArMember member;
        unsigned n_members = 0;
        ar_archive_init (&reading, copy, n);
        while (ar_archive_next (&reading, &member)) {
            g_assert_cmpuint (member.offset + member.size_bytes, <=, n);
            if (n == archive->len) {
                g_assert_cmpint (member.kind, ==, wanted[n_members].kind);
                g_assert_cmpuint (member.size_bytes, ==, wanted[n_members].size_bytes);
                g_assert_cmpmem (member.name, member.name_len, wanted[n_members].name,
                                 strlen (wanted[n_members].name));
                g_assert_false (member.is_cut);
            }
            n_members++;
        }
        g_assert_cmpuint (n_members, <=, G_N_ELEMENTS (wanted));
        g_assert_true (n < archive->len || n_members == G_N_ELEMENTS (wanted));
    }
}

/* The members of a thin archive are other files: after a header comes the next one. */
TEST (thin_archive)
{
    g_autoptr (GString) archive = g_string_new ("!<thin>\n");
    append_member (archive, "//", "folder/of/one.o/\n", 17);
    append_member (archive, "/0", "", 0);
    append_member (archive, "two.o/", "", 0);
    append_member (archive, "#1/999999", "", 0);
    memcpy (archive->str + 8 + 60 + 18 + 48, "1234567890", 10); /* the size of one.o */
    ArArchive reading;
    ArMember member;
    ar_archive_init (&reading, (const uint8_t *)archive->str, archive->len);
    g_assert_true (ar_archive_next (&reading, &member));
    g_assert_cmpint (member.kind, ==, AR_MEMBER_NAMES);
    g_assert_true (ar_archive_next (&reading, &member));
    g_assert_cmpmem (member.name, member.name_len, "folder/of/one.o", 15);
    g_assert_cmpuint (member.size_bytes, ==, 1234567890);
    g_assert_true (member.is_elsewhere && !member.is_cut);
    g_assert_true (ar_archive_next (&reading, &member));
    g_assert_cmpmem (member.name, member.name_len, "two.o", 5);
    g_assert_true (ar_archive_next (&reading, &member));
    g_assert_cmpmem (member.name, member.name_len, "#1/999999", 9);
    g_assert_false (ar_archive_next (&reading, &member));
    g_assert_cmpuint (reading.offset, ==, archive->len);
}

/* --- files --- */

static PvCodeMap *
read_code (void *user, PvElfImage *image, unsigned n_workers, uint64_t max_bytes, PvJob *job)
{
    PvModuleFile file = {.binary = image, .debug = image};
    unsigned *n_scopes = user;
    PvCodeMap *code = pv_dwarf_read_code (&file, n_workers, max_bytes, job);
    *n_scopes += code->n_scopes;
    return code;
}

/* However a program is damaged, each byte of the file counts once. */
TEST (damaged)
{
    g_autofree char *path = get_data ("sysroot/opt/samples/bin/calls");
    g_autofree char *data = NULL;
    gsize size_bytes;
    unsigned n_read = 0, n_scopes = 0;
    g_assert_true (g_file_get_contents (path, &data, &size_bytes, NULL));
    for (unsigned c = 0; c < N_CASES / 10; c++) {
        gsize n = c % 4 == 0 ? (gsize)g_test_rand_int_range (64, (int)size_bytes) : size_bytes;
        uint8_t *copy = g_memdup2 (data, n);
        /* Behind the first bytes, so that it stays an ELF file; most of all in the tables. */
        for (unsigned i = 0; i < c % 40; i++)
            copy[g_test_rand_int_range (20, i % 2 == 0 ? 64 : (int)n)] ^= (uint8_t)(1 << i % 8);
        for (unsigned i = 0; i < c % 7 && n == size_bytes; i++)
            copy[n - (gsize)g_test_rand_int_range (1, 2400)] ^= (uint8_t)(1 << i % 8);
        g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (copy, n);
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvReadContext context = {.read_code = read_code, .user = &n_scopes, .n_workers = 2};
        g_autoptr (GError) error = NULL;
        if (!pv_elf_sizes_reader.read (file, NULL, builder, &context, &error)) {
            g_assert_nonnull (error);
            continue;
        }
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_assert_cmpuint (profile->measures[0].total, ==, n);
        n_read++;
    }
    g_assert_cmpuint (n_read, >, N_CASES / 100); /* about a quarter of them all */
    g_assert_cmpuint (n_scopes, >, n_read);
}
