/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/analyze/compare/comparison.h"
#include "core/analyze/findings/finding-rule.h"
#include "core/analyze/findings/findings.h"
#include "core/analyze/query/query-words.h"
#include "core/analyze/tables/wakers.h"
#include "core/analyze/tree/call-tree.h"
#include "core/base/array.h"
#include "core/model/build/builder.h"
#include "core/model/profile/short-name.h"

/*
 * Programs that are planted: stacks, a line each, root first, with a number of samples. A frame is
 * "module!name", of the program itself without a module; one that begins with "~" is inlined into
 * the frame before it. Modules in brackets are the kernel's, those with a slash are files
 * there, and others are files in /usr/lib.
 */
enum { SAMPLE_NS = 1000000 };

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
} Planted;

typedef struct {
    char *name;
    PvModuleId module;
    bool is_inlined;
} Frame;

typedef struct {
    PvProfileBuilder *builder;
    GHashTable *modules;
    GHashTable *locations; /* text of a frame and those inlined into it -> id */
    GPtrArray *chains;     /* by location - 1: GArray of Frame, outermost first */
} Planter;

static PvModuleId
get_module (Planter *planter, const char *name)
{
    PvModuleId id = GPOINTER_TO_UINT (g_hash_table_lookup (planter->modules, name));
    if (id != 0)
        return id;
    const bool is_kernel = name[0] == '[' && strcmp (name, "[jit]") != 0;
    const bool is_program = strcmp (name, "prog") == 0;
    g_autofree char *path = is_kernel || strchr (name, '/') != NULL || name[0] == '['
                                ? g_strdup (name)
                                : g_strconcat (is_program ? "/home/me/" : "/usr/lib/", name, NULL);
    const PvModule module = {
        .path = path,
        .kind = is_kernel                     ? PV_MODULE_KERNEL
                : strcmp (name, "[jit]") == 0 ? PV_MODULE_JIT
                                              : PV_MODULE_FILE,
        .address_kind = is_kernel ? PV_ADDRESS_RUNTIME : PV_ADDRESS_FILE_OFFSET,
        .is_kernel = is_kernel,
        .section_kind = strcmp (name, "code") == 0 ? PV_SECTION_CODE : PV_SECTION_NONE,
        .is_main = is_program || g_str_has_suffix (name, "/python3.11") ||
                   g_str_has_suffix (name, "/node"),
    };
    id = pv_profile_builder_add_module (planter->builder, &module);
    g_hash_table_insert (planter->modules, g_strdup (name), GUINT_TO_POINTER (id));
    return id;
}

static void
free_frames (void *data)
{
    GArray *frames = data;
    for (guint i = 0; i < frames->len; i++)
        g_free (g_array_index (frames, Frame, i).name);
    g_array_unref (frames);
}

/* A frame and those inlined into it, as one location. */
static PvLocationId
get_location (Planter *planter, const GPtrArray *texts)
{
    GString *key = g_string_new (NULL);
    for (guint i = 0; i < texts->len; i++)
        g_string_append_printf (key, "%s;", (const char *)texts->pdata[i]);
    g_autofree char *key_text = g_string_free (key, FALSE);
    PvLocationId id = GPOINTER_TO_UINT (g_hash_table_lookup (planter->locations, key_text));
    if (id != 0)
        return id;
    GArray *frames = g_array_new (FALSE, FALSE, sizeof (Frame));
    for (guint i = 0; i < texts->len; i++) {
        const char *text = texts->pdata[i], *mark = strchr (text, '!');
        const bool is_inlined = *text == '~';
        g_autofree char *module =
            mark != NULL ? g_strndup (text + is_inlined, (gsize)(mark - text) - is_inlined)
                         : g_strdup ("prog");
        const Frame frame = {.name = g_strdup (mark != NULL ? mark + 1 : text + is_inlined),
                             .module = get_module (planter, module),
                             .is_inlined = is_inlined};
        g_array_append_val (frames, frame);
    }
    g_ptr_array_add (planter->chains, frames);
    id = pv_profile_builder_location (planter->builder, g_array_index (frames, Frame, 0).module,
                                      0x1000 + 16 * planter->chains->len, PV_LOCATION_EXACT);
    g_assert_cmpuint (id, ==, planter->chains->len);
    g_hash_table_insert (planter->locations, g_steal_pointer (&key_text), GUINT_TO_POINTER (id));
    return id;
}

static PvStackId
plant_stack (Planter *planter, const char *text)
{
    g_auto (GStrv) frames = g_strsplit (text, ";", -1);
    PvStackId stack = 0;
    for (guint i = 0; frames[i] != NULL;) {
        g_autoptr (GPtrArray) chain = g_ptr_array_new ();
        do
            g_ptr_array_add (chain, frames[i++]);
        while (frames[i] != NULL && frames[i][0] == '~');
        stack = pv_profile_builder_stack (planter->builder, stack, get_location (planter, chain));
    }
    return stack;
}

static PvSymbolTable *
name_all (const Planter *planter, const PvProfile *profile)
{
    g_autoptr (PvSymbolBuilder) symbols = pv_symbol_builder_new (profile);
    for (guint l = 0; l < planter->chains->len; l++) {
        const GArray *chain = planter->chains->pdata[l];
        g_autofree PvFrame *frames = g_new0 (PvFrame, chain->len);
        for (guint i = 0; i < chain->len; i++) {
            const Frame *frame = &g_array_index (chain, Frame, i);
            g_autofree char *short_name = pv_shorten_name (frame->name);
            const bool is_named = strcmp (frame->name, "??") != 0;
            const PvFunction function = {.name = is_named ? frame->name : "0x1234",
                                         .short_name = is_named ? short_name : "0x1234",
                                         .kind = is_named ? PV_FUNCTION_NAMED : PV_FUNCTION_UNKNOWN,
                                         .module = frame->module};
            frames[chain->len - 1 - i] =
                (PvFrame){.function = pv_symbol_builder_function (symbols, &function),
                          .is_inlined = frame->is_inlined};
        }
        pv_symbol_builder_set_frames (symbols, l + 1, frames, chain->len);
    }
    return pv_symbol_builder_publish (symbols, true);
}

static void
clear_planted (Planted *planted)
{
    g_clear_pointer (&planted->profile, pv_profile_free);
    g_clear_pointer (&planted->symbols, pv_symbol_table_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Planted, clear_planted)

static void
init_planter (Planter *planter)
{
    *planter = (Planter){
        .builder = pv_profile_builder_new (),
        .modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
        .locations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
        .chains = g_ptr_array_new_with_free_func (free_frames),
    };
    pv_profile_builder_facts (planter->builder)->format = "perf.data";
}

/* Returns the planted program, and frees the planter's own. */
static Planted
harvest (Planter *planter)
{
    Planted planted = {.profile = pv_profile_builder_snapshot (planter->builder)};
    planted.symbols = name_all (planter, planted.profile);
    pv_profile_builder_free (planter->builder);
    g_hash_table_unref (planter->modules);
    g_hash_table_unref (planter->locations);
    g_ptr_array_unref (planter->chains);
    return planted;
}

static void
add_sample (Planter *planter, uint32_t set, PvThreadId thread, PvStackId stack, uint64_t time_ns,
            uint64_t weight)
{
    const PvNewSample sample = {
        .time_ns = time_ns, .thread = thread, .stack = stack, .stack_end = PV_STACK_END_ROOT};
    pv_profile_builder_add_sample (planter->builder, set, &sample, &weight);
}

/* Samples of all lines are spread evenly over the time. */
static Planted
plant (const char *text, const char *event, PvUnit unit)
{
    enum { MAX_LINES = 32 };
    Planter planter;
    PvStackId stacks[MAX_LINES];
    unsigned counts[MAX_LINES], n_whole = 0, n_lines = 0;
    double debts[MAX_LINES] = {0};
    init_planter (&planter);
    const uint32_t set = made_set (planter.builder, event, false, unit);
    const PvProcessId process = pv_profile_builder_add_process (planter.builder, 1, "prog", 0);
    const PvThreadId thread =
        pv_profile_builder_add_thread (planter.builder, process, 1, "prog", 0);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    for (; lines[n_lines] != NULL; n_lines++) {
        char *space = strrchr (lines[n_lines], ' ');
        g_assert (space != NULL && n_lines < MAX_LINES);
        *space = '\0';
        counts[n_lines] = (unsigned)g_ascii_strtoull (space + 1, NULL, 10);
        stacks[n_lines] = plant_stack (&planter, lines[n_lines]);
        n_whole += counts[n_lines];
    }
    for (unsigned i = 0; i < n_whole; i++) {
        unsigned most = 0;
        for (unsigned l = 0; l < n_lines; l++) {
            debts[l] += (double)counts[l] / n_whole;
            most = debts[l] > debts[most] ? l : most;
        }
        debts[most] -= 1;
        add_sample (&planter, set, thread, stacks[most], 1000 + (uint64_t)i * SAMPLE_NS, SAMPLE_NS);
    }
    return harvest (&planter);
}

static PvFindings *
find (const Planted *planted)
{
    g_auto (PvQuery) query;
    pv_query_init (&query);
    PvFindings *findings = pv_findings_compute (planted->profile, planted->symbols, &query, NULL);
    g_assert_nonnull (findings);
    return findings;
}

/* The part of a measure whose innermost frames, with what is inlined into them, have the function.
 */
static double
get_own_share (const Planted *planted, const PvFinding *finding)
{
    const PvSampleSet *set = pv_profile_get_measure_set (planted->profile, finding->measure);
    uint32_t n_of_function = 0;
    for (uint32_t i = 0; i < set->n_samples; i++) {
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (
            planted->symbols, planted->profile->location_of_stack[set->stack[i]], &n_frames);
        bool has_function = false;
        for (uint32_t f = 0; f < n_frames; f++)
            has_function |= frames[f].function == finding->function;
        n_of_function += has_function;
    }
    return n_of_function / (double)set->n_samples;
}

/* Those that say what is wrong, not only where the time is spent. */
static PvFindings *
find_wrong (const Planted *planted)
{
    PvFindings *findings = find (planted);
    unsigned n_kept = 0;
    for (unsigned i = 0; i < findings->n_findings; i++) {
        PvFinding *finding = &findings->findings[i];
        if (strcmp (finding->rule, "hot-function") == 0) {
            g_assert_cmpfloat_with_epsilon (finding->cost, get_own_share (planted, finding), 1e-9);
            g_free (finding->title);
            g_free (finding->detail);
            g_strfreev (finding->options);
        } else {
            findings->findings[n_kept++] = *finding;
        }
    }
    findings->n_findings = n_kept;
    return findings;
}

static const PvFinding *
find_rule (const PvFindings *findings, const char *rule)
{
    for (unsigned i = 0; i < findings->n_findings; i++)
        if (strcmp (findings->findings[i].rule, rule) == 0)
            return &findings->findings[i];
    return NULL;
}

static void
say (const Planted *planted, const PvFindings *findings)
{
    for (unsigned i = 0; i < findings->n_findings; i++)
        g_test_message ("  %.1f %% %s: %s", 100 * findings->findings[i].cost,
                        findings->findings[i].rule, findings->findings[i].title);
}

/* The share that the options of a finding leave. */
static double
get_shown_share (const Planted *planted, const PvFinding *finding)
{
    g_auto (PvQueryWords) words;
    g_auto (PvQuery) query;
    pv_query_words_init (&words);
    assert_ok (error,
               pv_query_words_add_all (&words, (const char *const *)finding->options, &error));
    assert_ok (error, pv_query_words_resolve (&words, planted->profile, &query, &error));
    query.measure = finding->measure;
    g_autoptr (PvCallTree) tree = assert_ok (
        error, pv_call_tree_build (planted->profile, planted->symbols, &query, NULL, NULL, &error));
    return (double)tree->total[0] / (double)planted->profile->measures[finding->measure].total;
}

typedef struct {
    const char *stacks;
    const char *rule;
    const char *function; /* to be selected */
    unsigned percent;
    const char *words; /* in the title; NULL: the function */
} Case;

#define K   "[kernel.kallsyms]!"
#define C   "libc.so.6!"
#define CPP "libstdc++.so.6!"

static const Case cases[] = {
    {"main;parse_row;" C "malloc;" C "_int_malloc 170\nmain;read_all;" C "cfree 30\n"
     "main;parse_row;" C "cfree;" C "_int_free 80\nmain;compute 720",
     "allocator", "parse_row", 28, "89.3 % of it in calls from “parse_row”"},
    {"main;build;std::vector<int>::push_back(int const&);" CPP "operator new(unsigned long);" C
     "malloc 300\nmain;compute 700",
     "allocator", "build", 30, "operator new"},
    {"main;grow;" C "realloc;" C "__memmove_avx_unaligned_erms 300\nmain;copy_rows;" C
     "__memcpy_avx_unaligned_erms 100\nmain;compute 600",
     "copying", "grow", 40, "75.0 % of it"},
    {"main;clear_table;" C "__memset_avx2_erms 200\nmain;compute 800", "zeroing", "clear_table", 20,
     NULL},
    {"main;poll_all;" C "epoll_wait;" K "entry_SYSCALL_64_after_hwframe;" K "do_syscall_64;" K
     "ep_poll 400\nmain;compute 600",
     "kernel", "poll_all", 40, "The kernel"},
    {"main;count_words;std::_Hash_bytes(void const*, unsigned long, unsigned long) 150\n"
     "main;compute 850",
     "hashing", "count_words", 15, "std::_Hash_bytes"},
    {"main;log_row;" C "snprintf;" C "__vfprintf_internal;" C "_itoa_word 250\nmain;compute 750",
     "formatting", "log_row", 25, "snprintf"},
    {"main.main;runtime.systemstack;runtime.gcBgMarkWorker;runtime.gcDrain;runtime.scanobject 300\n"
     "main.main;main.work 700",
     "go-gc", NULL, 30, "Go’s garbage collector"},
    {"main.main;main.handle;runtime.mallocgc;runtime.gcAssistAlloc;runtime.gcAssistAlloc1 60\n"
     "main.main;main.work 940",
     "go-assist", "main.handle", 6, NULL},
    {"main.main;main.handle;runtime.newobject;runtime.mallocgc;runtime.nextFreeFast 200\n"
     "main.main;main.work 800",
     "go-allocation", "main.handle", 20, NULL},
    {"main.main;main.pump;runtime.chansend1;runtime.chansend 90\nmain.main;main.pump;"
     "runtime.selectgo 60\nmain.main;main.work 850",
     "go-channels", "main.pump", 15, NULL},
    {"runtime.mcall;runtime.park_m;runtime.schedule;runtime.findRunnable 200\n"
     "main.main;main.work 800",
     "go-scheduler", NULL, 20, "runtime.schedule"},
    {"main;app::load;core::ptr::drop_in_place<alloc::vec::Vec<app::Row>>;app::free_row 200\n"
     "main;app::work 800",
     "rust-drop", "app::load", 20, NULL},
    {"main;app::load;<alloc::string::String as core::clone::Clone>::clone;" C
     "__memmove_avx_unaligned 70\nmain;app::work 930",
     "rust-clone", "app::load", 7, NULL},
    {"main;app::print;alloc::fmt::format;core::fmt::write;core::fmt::num::imp::fmt_u64 200\n"
     "main;app::work 800",
     "rust-fmt", "app::print", 20, NULL},
    {"main;tokio::runtime::scheduler::multi_thread::worker::Context::park_timeout;"
     "tokio::runtime::io::driver::Driver::turn 300\nmain;app::work 700",
     "rust-tokio", NULL, 30, "Tokio"},
    {"main;render;~std::shared_ptr<Node>::shared_ptr(std::shared_ptr<Node> const&);"
     "~__gnu_cxx::__exchange_and_add_dispatch(int*, int) 150\nmain;compute 850",
     "shared-ptr", "render", 15, NULL},
    {"main;dump;" CPP "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char "
     "const*);" CPP "std::__ostream_insert 200\nmain;compute 800",
     "iostream", "dump", 20, NULL},
    {"main;parse;" CPP "__cxa_throw;libgcc_s.so.1!_Unwind_RaiseException 100\nmain;compute 900",
     "exceptions", "parse", 10, "__cxa_throw"},
    {"main;filter_line;" C "regcomp;" C "re_compile_internal 120\nmain;compute 880",
     "regex-compile", "filter_line", 12, "regcomp"},
    {"main;resolve;" CPP "__cxa_demangle;" CPP "d_print_comp 50\nmain;compute 950", "demangling",
     "resolve", 5, NULL},
    {"main;sum;~std::vector<int>::size() const 100\n"
     "main;sum;std::vector<int>::operator[](unsigned long) 300\nmain;compute 600",
     "debug-build", "sum", 30, "std::vector::operator[]"},
    {"main;app::sum;core::iter::range::<impl core::iter::traits::iterator::Iterator for "
     "core::ops::range::Range<A>>::next 200\nmain;app::work 800",
     "debug-build", "app::sum", 20, "inline"},
    {"main;work;libasan.so.8!__asan_memcpy 100\nmain;work;libasan.so.8!__asan::Allocate 200\n"
     "main;compute 700",
     "instrumentation", "work", 30, "Sanitizers"},
    {"main;fill;" C "__memset_evex_unaligned;" K "asm_exc_page_fault;" K "exc_page_fault;" K
     "do_user_addr_fault;" K "clear_page_erms 300\nmain;compute 700",
     "page-faults", "fill", 30, "Page faults"},
    {"main;read_small;" C "read;" K "entry_SYSCALL_64_after_hwframe;" K "do_syscall_64;" K
     "__x64_sys_read;" K "ksys_read;" K "vfs_read 300\nmain;compute 700",
     "small-io", "read_small", 30, "(read)"},
    {"main;read_large;" C "read;" K "do_syscall_64;" K "__x64_sys_read;" K "ksys_read;" K
     "vfs_read;" K "filemap_read;" K "copy_page_to_iter 280\nmain;read_large;" C "read;" K
     "do_syscall_64;" K "__x64_sys_read;" K "ksys_read 20\nmain;compute 700",
     "system-calls", "read_large", 30, "(read)"},
    {"main;pick;std::vector<int>::at(unsigned long);~std::vector<int>::_M_range_check(unsigned "
     "long) const 80\nmain;pick;std::vector<int>::at(unsigned long) 120\nmain;compute 800",
     "bounds-checks", "pick", 8, "_M_range_check"},
    {"main;commit;" C "fsync;" K "do_syscall_64;" K "__x64_sys_fsync;" K "do_fsync;" K
     "vfs_fsync_range 50\nmain;compute 950",
     "fsync", "commit", 5, NULL},
    {"main;scan_folder;" C "stat64;" K "do_syscall_64;" K "__do_sys_newfstatat;" K
     "vfs_statx 80\nmain;compute 920",
     "stat", "scan_folder", 8, NULL},
    {"main;push;" C "pthread_mutex_lock;" C "__lll_lock_wait;" K "do_syscall_64;" K
     "__x64_sys_futex;" K "do_futex 100\nmain;push;" C "pthread_mutex_unlock 50\nmain;compute 850",
     "locks", "push", 15, "Locks"},
    {"ld-linux-x86-64.so.2!_dl_start;ld-linux-x86-64.so.2!_dl_relocate_object;"
     "ld-linux-x86-64.so.2!_dl_lookup_symbol_x;ld-linux-x86-64.so.2!do_lookup_x 250\n"
     "main;compute 750",
     "startup", NULL, 25, "shared libraries"},
    {"/usr/bin/python3.11!Py_BytesMain;/usr/bin/python3.11!_PyEval_EvalFrameDefault;"
     "/usr/bin/python3.11!long_add 1000",
     "no-frames", NULL, 100, "Python"},
    {"/usr/bin/node!node::Start(int, char**);[jit]!?? 200\n"
     "/usr/bin/node!node::Start(int, char**);[jit]!??;/usr/bin/node!Builtins_SubString 400\n"
     "/usr/bin/node!node::Start(int, char**) 400",
     "no-frames", NULL, 60, "JavaScript"},
    {"main;query;sqlite;" C "pthread_rwlock_rdlock 40\nmain;compute 960", "locks", "sqlite", 4,
     NULL},
};

/* As translations may have them. */
TEST (forms)
{
    const char *const texts[] = {"a", "%s", "c"};
    assert_string (pv_finding_fill_in ("%s (%s) %s, 2 % %s", texts, 3), "a (%s) c, 2 % %s");
    assert_string (pv_finding_fill_in ("%3$s %1$s %2$s %4$s %0$s", texts, 3), "c a %s %4$s %0$s");
}

TEST (planted)
{
    g_assert_cmpuint (G_N_ELEMENTS (cases), >=, 30);
    for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
        const Case *c = &cases[i];
        g_auto (Planted) planted = plant (c->stacks, "cpu-clock", PV_UNIT_NS);
        g_autoptr (PvFindings) findings = find (&planted);
        const PvFinding *found = NULL;
        g_test_message ("%u: %s", i, c->rule);
        say (&planted, findings);
        for (unsigned f = 0; f < MIN (findings->n_findings, 2) && found == NULL; f++)
            if (strcmp (findings->findings[f].rule, c->rule) == 0)
                found = &findings->findings[f];
        g_assert_nonnull (found);
        g_assert_cmpuint ((unsigned)lround (100 * found->cost), ==, c->percent);
        if (c->function != NULL)
            g_assert_cmpstr (planted.symbols->functions[found->function].short_name, ==,
                             c->function);
        const char *words = c->words != NULL ? c->words : c->function;
        g_assert_nonnull (strstr (found->title, words));
        /* Not too sure, nor too unsure: samples come one by one here. */
        const double expected = sqrt (found->cost * (1 - found->cost) / 1000);
        g_assert_cmpfloat_with_epsilon (found->error, expected, 0.002);
        g_assert_cmpuint (found->n_samples, ==, 10 * c->percent);
        if (found->options[0] != NULL)
            g_assert_cmpfloat (get_shown_share (&planted, found), >=, found->cost - 1e-9);
    }
}

/* The filters of most findings leave exactly what they are about. */
TEST (shown)
{
    for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
        static const char *const more[] = {"kernel",  "shared-ptr", "debug-build",  "no-frames",
                                           "hashing", "small-io",   "bounds-checks"};
        g_auto (Planted) planted = plant (cases[i].stacks, "cpu-clock", PV_UNIT_NS);
        g_autoptr (PvFindings) findings = find (&planted);
        for (unsigned f = 0; f < findings->n_findings; f++) {
            const PvFinding *finding = &findings->findings[f];
            bool is_exact = finding->options[0] != NULL;
            for (unsigned m = 0; m < G_N_ELEMENTS (more); m++)
                is_exact &= strcmp (finding->rule, more[m]) != 0;
            if (is_exact)
                g_assert_cmpfloat_with_epsilon (get_shown_share (&planted, finding), finding->cost,
                                                1e-9);
        }
    }
}

TEST (clean)
{
    static const char *const programs[] = {
        "main;compute 1000",
        "main;compute;inner 600\nmain;compute;outer 400",
        /* Little of everything */
        "main;parse;" C "malloc 60\nmain;copy;" C "__memmove_avx_unaligned 60\nmain;print;" C
        "printf 40\nmain;compute 840",
        "main;read_all;" C "read;" K "do_syscall_64;" K "__x64_sys_read 80\nmain;compute 920",
        /* Names that only look like those of libraries */
        "main;my_malloc_stats 300\nmain;free_slots 300\nmain;memcpy_plan 400",
        "main;app::clone_tree 300\nmain;app::drop_rows 300\nmain;app::fmt_row 400",
        "main;Regex::match(char const*) 500\nmain;Locker::run() 500",
        /* A processor that has nothing to do */
        K "secondary_startup_64;" K "cpu_startup_entry;" K "do_idle;" K
          "default_idle 700\nmain;compute 300",
        /* Small functions that were inlined */
        "main;sum;~std::vector<int>::operator[](unsigned long) 500\n"
        "main;sum;~std::vector<int>::size() const 500",
        /* Loads that compilers make of calls */
        "main;sum;~memcpy 500\nmain;clear;~memset 300\nmain;compute 200",
        /* Recursion that is not deep */
        "main;walk;walk;walk;walk;walk;walk;walk;walk 500\nmain;compute 500",
        "main.main;main.work 900\nmain.main;main.work;runtime.mallocgc 50\n"
        "runtime.gcBgMarkWorker;runtime.gcDrain 50",
        "/usr/bin/python3.11!_PyEval_EvalFrameDefault;[jit]!py::work:/home/me/a.py 1000",
        "/usr/bin/node!node::Start(int, char**);[jit]!LazyCompile:*work /home/me/a.js:3 1000",
    };
    for (unsigned i = 0; i < G_N_ELEMENTS (programs); i++) {
        g_auto (Planted) planted = plant (programs[i], "cpu-clock", PV_UNIT_NS);
        g_autoptr (PvFindings) findings = find_wrong (&planted);
        g_test_message ("%u", i);
        say (&planted, findings);
        g_assert_cmpuint (findings->n_findings, ==, 0);
    }
}

TEST (hot_function)
{
    static const struct {
        const char *stacks;
        const char *title; /* NULL: it is not told */
        const char *detail;
    } programs[] = {
        {"main;sort;insert 600\nmain;sort 300\nmain;" C "malloc 100",
         "“insert” takes 60.0 % of CPU time by itself", "What it calls is not counted."},
        {"main;sum;~std::vector<int>::size() const 400\nmain;sum 200\nmain;sum;rest 200\nmain 200",
         "“sum” takes 60.0 % of CPU time by itself",
         "What it calls is not counted, but what compilers inlined into it is."},
        {"main;a 249\nmain;b 249\nmain;c 249\nmain;d 249\nmain 4", NULL, NULL},
        {"main;" C "memcpy 500\nmain;read;" K "copy_to_user 500", NULL, NULL},
        {"main;parse;" C "malloc 400\nmain;parse 300\nmain;draw 300",
         "“parse” takes 30.0 % of CPU time by itself", "What it calls is not counted."},
        {"(root);(program) 600\n(root);(anonymous) 400",
         "“(anonymous)” takes 40.0 % of CPU time by itself", "What it calls is not counted."},
        /* What is said of it already says more. */
        {"main;XXH64_round 900\nmain;draw 100", NULL, NULL},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS (programs); i++) {
        g_auto (Planted) planted = plant (programs[i].stacks, "cpu-clock", PV_UNIT_NS);
        g_autoptr (PvFindings) findings = find (&planted);
        const PvFinding *finding = find_rule (findings, "hot-function");
        g_test_message ("%u", i);
        say (&planted, findings);
        g_assert_cmpint (finding != NULL, ==, programs[i].title != NULL);
        if (finding == NULL)
            continue;
        g_assert_cmpstr (finding->title, ==, programs[i].title);
        g_assert_cmpstr (finding->detail, ==, programs[i].detail);
        g_assert_cmpfloat_with_epsilon (finding->cost, get_own_share (&planted, finding), 1e-9);
        g_assert_cmpuint (finding->n_samples, ==, (unsigned)lround (1000 * finding->cost));
    }
}

/* With few samples nothing is sure enough. */
TEST (uncertain)
{
    g_auto (Planted) planted =
        plant ("main;parse;" C "malloc 2\nmain;compute 10", "cpu-clock", PV_UNIT_NS);
    g_autoptr (PvFindings) findings = find_wrong (&planted);
    g_assert_cmpuint (findings->n_findings, ==, 0);
    g_auto (Planted) more =
        plant ("main;parse;" C "malloc 20\nmain;compute 100", "cpu-clock", PV_UNIT_NS);
    g_autoptr (PvFindings) found = find_wrong (&more);
    g_assert_cmpuint (found->n_findings, ==, 1);
    g_autofree char *certainty = pv_finding_describe_certainty (&found->findings[0]);
    g_assert_cmpstr (certainty, ==, "20 samples: between 9.9 and 23.4 %");
}

TEST (measures)
{
    /* Waits and counts of other things are no CPU time. */
    g_auto (Planted) planted =
        plant ("main;parse;" C "malloc 500\nmain;compute 500", "cache-misses", PV_UNIT_COUNT);
    g_autoptr (PvFindings) findings = find_wrong (&planted);
    g_assert_cmpuint (findings->n_findings, ==, 0);
}

TEST (recursion)
{
    g_autoptr (GString) text = g_string_new ("main");
    for (unsigned i = 0; i < 150; i++)
        g_string_append (text, ";walk;visit");
    g_string_append (text, ";leaf 300\nmain;walk;visit;leaf 200\nmain;compute 500");
    g_auto (Planted) planted = plant (text->str, "cpu-clock", PV_UNIT_NS);
    g_autoptr (PvFindings) findings = find_wrong (&planted);
    g_assert_cmpuint (findings->n_findings, ==, 1);
    const PvFinding *finding = &findings->findings[0];
    g_assert_cmpstr (finding->rule, ==, "recursion");
    g_assert_cmpfloat_with_epsilon (finding->cost, 0.3, 1e-9);
    g_assert_nonnull (strstr (finding->title, "up to 150 times"));
}

/* At most five, highest cost first, and what is of the same stacks is told once. */
TEST (order)
{
    g_auto (Planted) planted =
        plant ("main;a;" C "malloc 200\nmain;b;" C "__memmove_avx 150\nmain;c;" C
               "snprintf 120\nmain;d;" C "regcomp 60\nmain;e;" C "pthread_mutex_lock 50\nmain;f;" C
               "__memset_avx2 100\nmain;g;std::_Hash_bytes 80\nmain;compute 240",
               "cpu-clock", PV_UNIT_NS);
    g_autoptr (PvFindings) findings = find_wrong (&planted);
    g_assert_cmpuint (findings->n_findings, ==, PV_MAX_FINDINGS);
    for (unsigned i = 1; i < findings->n_findings; i++)
        g_assert_cmpfloat (findings->findings[i - 1].cost, >=, findings->findings[i].cost);
    g_assert_cmpstr (findings->findings[0].rule, ==, "allocator");
    g_autofree const char **words = pv_findings_list_rules ();
    for (unsigned i = 0; words[i] != NULL; i++)
        for (unsigned j = 0; j < i; j++)
            g_assert_cmpstr (words[i], !=, words[j]);
}

/* Four threads in one half of the time, one of them in the other. */
TEST (one_thread)
{
    enum { N_THREADS = 4, N_STEPS = 4000 };
    for (unsigned is_clean = 0; is_clean < 2; is_clean++) {
        Planter planter;
        PvThreadId threads[N_THREADS];
        init_planter (&planter);
        const uint32_t set = made_set (planter.builder, "cpu-clock", false, PV_UNIT_NS);
        const PvProcessId process = pv_profile_builder_add_process (planter.builder, 1, "prog", 0);
        const PvStackId stack = plant_stack (&planter, "main;work");
        for (int t = 0; t < N_THREADS; t++)
            threads[t] = pv_profile_builder_add_thread (planter.builder, process, t + 1,
                                                        t == 0 ? "leader" : "helper", 0);
        for (unsigned i = 0; i < N_STEPS; i++)
            for (unsigned t = 0; t < (i < N_STEPS / 2 || is_clean ? N_THREADS : 1); t++)
                add_sample (&planter, set, threads[t], stack, 1000 + (uint64_t)i * SAMPLE_NS,
                            SAMPLE_NS);
        g_auto (Planted) planted = harvest (&planter);
        g_autoptr (PvFindings) findings = find_wrong (&planted);
        g_assert_cmpuint (findings->n_findings, ==, is_clean ? 0 : 1);
        if (is_clean)
            continue;
        const PvFinding *finding = &findings->findings[0];
        g_assert_cmpstr (finding->rule, ==, "one-thread");
        g_assert_nonnull (strstr (finding->title, "leader"));
        g_assert_nonnull (strstr (finding->title, "3 other threads"));
        g_assert_cmpfloat_with_epsilon (finding->cost, 0.2, 0.01);
        g_assert_cmpfloat_with_epsilon (get_shown_share (&planted, finding), 0.2, 0.01);
    }
}

/* One thread waits for a lock a third of the time that it is not on a processor, and for work the
 * rest of it. */
TEST (lock_waits)
{
    enum { N_WAITS = 300 };
    Planter planter;
    init_planter (&planter);
    const uint32_t set = made_set (planter.builder, "blocked", true, PV_UNIT_NS);
    pv_profile_builder_set_derived (planter.builder, set);
    const PvProcessId process = pv_profile_builder_add_process (planter.builder, 1, "prog", 0);
    const PvThreadId thread =
        pv_profile_builder_add_thread (planter.builder, process, 1, "prog", 0);
    const PvThreadId saver =
        pv_profile_builder_add_thread (planter.builder, process, 2, "saver", 0);
    const PvStackId stacks[] = {
        plant_stack (&planter, "main;push;" C "pthread_mutex_lock;" C "__lll_lock_wait;" K
                               "do_futex;" K "schedule"),
        plant_stack (&planter, "main;next_job;" C "pthread_cond_wait;" K "do_futex;" K "schedule")};
    for (unsigned i = 0; i < N_WAITS; i++) {
        const PvWait wait = {.state = 'S', .waker = i % 4 == 3 ? thread : saver};
        const PvNewSample sample = {.time_ns = 1000 + 2 * (uint64_t)i * SAMPLE_NS,
                                    .duration_ns = SAMPLE_NS,
                                    .thread = thread,
                                    .stack = stacks[i % 3 != 0],
                                    .cpu = PV_CPU_UNKNOWN,
                                    .stack_end = PV_STACK_END_ROOT,
                                    .wait = pv_profile_builder_wait (planter.builder, &wait)};
        pv_profile_builder_add_sample (planter.builder, set, &sample, &sample.duration_ns);
    }
    g_auto (Planted) planted = harvest (&planter);
    g_autoptr (PvFindings) findings = find (&planted);
    say (&planted, findings);
    const PvFinding *finding = find_rule (findings, "lock-waits");
    g_assert_nonnull (finding);
    g_assert_cmpstr (planted.symbols->functions[finding->function].name, ==, "push");
    g_assert_cmpfloat_with_epsilon (finding->cost, 1.0 / 3, 1e-9);
    g_assert_nonnull (strstr (finding->title, "takes 33.3 % of time blocked"));
    g_assert_nonnull (strstr (finding->detail, "“saver (2)” held the lock"));
    g_assert_nonnull (strstr (finding->detail, "for 75.0 % of that time"));
    g_assert_cmpfloat_with_epsilon (get_shown_share (&planted, finding), 1.0 / 3, 1e-9);
}

/* Each of sixteen threads is woken by the one before it, soon after that one got the lock for which
 * all had waited. */
TEST (convoy)
{
    enum { N_THREADS = 16 };
    Planter planter;
    init_planter (&planter);
    const uint32_t set = made_set (planter.builder, "blocked", true, PV_UNIT_NS);
    pv_profile_builder_set_derived (planter.builder, set);
    const PvProcessId process = pv_profile_builder_add_process (planter.builder, 1, "prog", 0);
    const PvStackId stack = plant_stack (&planter, "main;push;" C "pthread_mutex_lock");
    PvThreadId before = pv_profile_builder_add_thread (planter.builder, process, 99, "saver", 0);
    for (int t = 0; t < N_THREADS; t++) {
        const PvWait wait = {.state = 'S', .waker = before};
        const PvNewSample sample = {
            .time_ns = 1000,
            .duration_ns = (100 + (uint64_t)t) * SAMPLE_NS,
            .thread = pv_profile_builder_add_thread (planter.builder, process, t + 1, "worker", 0),
            .stack = stack,
            .cpu = PV_CPU_UNKNOWN,
            .stack_end = PV_STACK_END_ROOT,
            .wait = pv_profile_builder_wait (planter.builder, &wait)};
        pv_profile_builder_add_sample (planter.builder, set, &sample, &sample.duration_ns);
        before = sample.thread;
    }
    g_auto (Planted) planted = harvest (&planter);
    g_autoptr (PvFindings) findings = find (&planted);
    say (&planted, findings);
    const PvFinding *finding = find_rule (findings, "lock-waits");
    g_assert_nonnull (finding);
    /* 16 × 100 of 16 × 100 + 1 + 2 + … + 15 */
    g_assert_nonnull (strstr (finding->detail, "“saver (99)” held the lock"));
    g_assert_nonnull (strstr (finding->detail, "for 93.0 % of that time"));
}

/* A timer ended the waits, whoever ran when it did. */
TEST (interrupts)
{
    enum { N_WAITS = 100 };
    Planter planter;
    init_planter (&planter);
    const uint32_t set = made_set (planter.builder, "blocked", true, PV_UNIT_NS);
    pv_profile_builder_set_derived (planter.builder, set);
    const PvProcessId process = pv_profile_builder_add_process (planter.builder, 1, "prog", 0);
    const PvThreadId thread =
        pv_profile_builder_add_thread (planter.builder, process, 1, "prog", 0);
    const PvThreadId busy = pv_profile_builder_add_thread (planter.builder, process, 2, "busy", 0);
    const PvStackId stack =
        plant_stack (&planter, "main;push;" C "pthread_mutex_timedlock;" C "__lll_lock_wait");
    const PvWait wait = {
        .state = 'S',
        .waker = busy,
        .waker_stack = plant_stack (&planter, "main;burn;" K "asm_sysvec_apic_timer_interrupt;" K
                                              "hrtimer_wakeup;" K "try_to_wake_up")};
    for (unsigned i = 0; i < N_WAITS; i++) {
        const PvNewSample sample = {.time_ns = 1000 + 2 * (uint64_t)i * SAMPLE_NS,
                                    .duration_ns = SAMPLE_NS,
                                    .thread = thread,
                                    .stack = stack,
                                    .cpu = PV_CPU_UNKNOWN,
                                    .stack_end = PV_STACK_END_ROOT,
                                    .wait = pv_profile_builder_wait (planter.builder, &wait)};
        pv_profile_builder_add_sample (planter.builder, set, &sample, &sample.duration_ns);
    }
    g_auto (Planted) planted = harvest (&planter);
    g_autoptr (PvFindings) findings = find (&planted);
    const PvFinding *finding = find_rule (findings, "lock-waits");
    g_assert_nonnull (finding);
    g_assert_null (strstr (finding->detail, "busy"));
    PvFunctionId functions[PV_WAKER_FUNCTIONS];
    g_assert_true (
        pv_wakers_find_functions (planted.profile, planted.symbols, wait.waker_stack, functions));
    g_assert_cmpstr (planted.symbols->functions[functions[0]].name, ==, "try_to_wake_up");
    g_assert_false (pv_wakers_find_functions (planted.profile, planted.symbols, stack, functions));
    g_assert_cmpstr (planted.symbols->functions[functions[0]].name, ==, "__lll_lock_wait");
}

/* --- heaps --- */

typedef PV_ARRAY (PvHeapEvent) Events;

static void
add_event (Events *events, PvHeapEventKind kind, uint32_t site, uint64_t value)
{
    const PvHeapEvent event = {.kind = kind, .site = site, .value = value};
    pv_array_push (events, event);
}

/* A heap of two sites, "leaky" and "churn". */
static Planted
plant_heap (const Events *events)
{
    Planter planter;
    init_planter (&planter);
    const uint32_t stacks[] = {plant_stack (&planter, "main;leaky;" C "malloc"),
                               plant_stack (&planter, "main;churn;" C "malloc")};
    PvHeapBuilder *heap = pv_heap_builder_new (false, 0);
    pv_heap_builder_add (heap, events->data, events->len);
    pv_profile_builder_set_heap (planter.builder,
                                 pv_heap_builder_finish (heap, stacks, G_N_ELEMENTS (stacks)));
    pv_heap_builder_free (heap);
    return harvest (&planter);
}

TEST (heap)
{
    enum { N_STEPS = 64, STEP_MS = 10, N_TEMPORARY = 100 };
    Events events = {0};
    for (unsigned i = 0; i < N_STEPS; i++) {
        add_event (&events, PV_HEAP_EVENT_TIME, 0, i * STEP_MS);
        add_event (&events, PV_HEAP_EVENT_ALLOC, 0, 64 << 10);
        for (unsigned t = 0; t < N_TEMPORARY; t++) {
            add_event (&events, PV_HEAP_EVENT_ALLOC, 1, 100);
            add_event (&events, PV_HEAP_EVENT_FREE_TEMPORARY, 1, 100);
        }
    }
    g_auto (Planted) planted = plant_heap (&events);
    g_autoptr (PvFindings) findings = find_wrong (&planted);
    say (&planted, findings);
    const PvFinding *steps = find_rule (findings, "leak-steps");
    const PvFinding *temporary = find_rule (findings, "temporary");
    const PvFinding *site = find_rule (findings, "one-site");
    g_assert_true (steps != NULL && temporary != NULL && site != NULL);
    g_assert_cmpuint (findings->n_findings, ==, 3);
    g_assert_cmpstr (planted.symbols->functions[steps->function].name, ==, "leaky");
    g_assert_cmpstr (planted.symbols->functions[temporary->function].name, ==, "churn");
    g_assert_cmpstr (planted.symbols->functions[site->function].name, ==, "leaky");
    g_assert_cmpuint (temporary->amount, ==, N_STEPS * N_TEMPORARY);
    g_assert_cmpfloat (site->cost, >, 0.99);
    g_assert_cmpfloat (steps->cost, >, 0.7);
    pv_array_clear (&events);
}

/* A heap that is made at once and freed at the end is no leak, nor is much memory beside it
 * fragmentation, unless the process keeps what the heap gives back. */
TEST (fragmentation)
{
    enum { N_STEPS = 64, STEP_MS = 10, MIB = 1 << 20 };
    for (unsigned keeps = 0; keeps < 2; keeps++) {
        Events events = {0};
        for (unsigned i = 0; i < N_STEPS; i++) {
            add_event (&events, PV_HEAP_EVENT_TIME, 0, i * STEP_MS);
            if (i == 2)
                for (unsigned s = 0; s < 2; s++)
                    add_event (&events, PV_HEAP_EVENT_ALLOC, s, 50 * MIB);
            if (i == 20)
                for (unsigned s = 0; s < 2; s++)
                    add_event (&events, PV_HEAP_EVENT_FREE, s, 50 * MIB);
            const uint64_t rss = i < 2 ? 20 : i < 20 || keeps ? 120 : 20;
            add_event (&events, PV_HEAP_EVENT_RSS, 0, rss * MIB);
        }
        g_auto (Planted) planted = plant_heap (&events);
        g_autoptr (PvFindings) findings = find (&planted);
        say (&planted, findings);
        const PvFinding *finding = find_rule (findings, "fragmentation");
        g_assert_true ((finding != NULL) == (keeps == 1));
        g_assert_null (find_rule (findings, "leak-steps"));
        if (keeps)
            g_assert_cmpuint (finding->amount, ==, 100 * MIB);
        pv_array_clear (&events);
    }
}

TEST (series)
{
    enum { N_DUMPS = 5 };
    Planter planter;
    init_planter (&planter);
    const uint64_t second_ns = 1000000000;
    const PvStackId leaky = plant_stack (&planter, "main;leaky;" C "malloc");
    const PvStackId steady = plant_stack (&planter, "main;steady;" C "malloc");
    const uint32_t set = pv_profile_builder_add_set (planter.builder, "heap", false);
    pv_profile_builder_add_measure (planter.builder, set, "space", PV_UNIT_BYTES,
                                    PV_AGGREGATION_STATE);
    for (unsigned d = 0; d < N_DUMPS; d++) {
        const PvDump dump = {.name = "dump", .time_ns = (d + 1) * second_ns};
        pv_profile_builder_add_dump (planter.builder, &dump);
        add_sample (&planter, set, 0, leaky, dump.time_ns, (d + 1) * 1000000);
        add_sample (&planter, set, 0, steady, dump.time_ns, 1000000);
    }
    g_auto (Planted) planted = harvest (&planter);
    g_autoptr (PvFindings) findings = find_wrong (&planted);
    say (&planted, findings);
    g_assert_cmpuint (findings->n_findings, ==, 1);
    g_assert_cmpstr (findings->findings[0].rule, ==, "series-growth");
    g_assert_cmpuint (findings->findings[0].amount, ==, 4000000);
    g_assert_cmpstr (planted.symbols->functions[findings->findings[0].function].name, ==, "leaky");
}

TEST (sizes)
{
    g_autoptr (GString) text = g_string_new ("code!app::run() 700");
    for (unsigned i = 0; i < 8; i++)
        g_string_append_printf (text, "\ncode!serde::visit<T%u>() 40", i);
    g_auto (Planted) planted = plant (text->str, "size", PV_UNIT_BYTES);
    g_autoptr (PvFindings) findings = find_wrong (&planted);
    say (&planted, findings);
    g_assert_cmpuint (findings->n_findings, ==, 2);
    g_assert_nonnull (strstr (findings->findings[0].title, "“app” is 68.6 %"));
    g_assert_nonnull (strstr (findings->findings[1].title, "8 instances of “serde::visit”"));
    g_assert_cmpfloat_with_epsilon (findings->findings[1].cost, 320.0 / 1020, 1e-9);
}

TEST (comparison)
{
    g_auto (Planted) base = plant ("main;f 1000\nmain;compute 5000", "cpu-clock", PV_UNIT_NS);
    g_auto (Planted) newer = plant ("main;f 3000\nmain;compute 5000", "cpu-clock", PV_UNIT_NS);
    g_auto (PvQuery) query = new_query ();
    for (unsigned is_same = 0; is_same < 2; is_same++) {
        const Planted *side = is_same ? &base : &newer;
        const PvCompareRun before = {base.profile, base.symbols, &query, "base"};
        const PvCompareRun after = {side->profile, side->symbols, &query, "new"};
        const PvCompareInput input = {.runs = {&before, &after}, .n_runs = {1, 1}};
        g_auto (PvComparison) comparison = {0};
        assert_ok (error, pv_comparison_build (&input, &comparison, NULL, &error));
        const Planted both = {comparison.profile, comparison.symbols};
        g_autoptr (PvFindings) findings = find_wrong (&both);
        say (&both, findings);
        g_assert_cmpuint (findings->n_findings, ==, is_same ? 0 : 1);
        if (is_same)
            continue;
        g_assert_cmpstr (findings->findings[0].rule, ==, "comparison");
        g_assert_cmpfloat_with_epsilon (findings->findings[0].cost, 0.25, 1e-9);
        g_assert_cmpstr (both.symbols->functions[findings->findings[0].function].name, ==, "f");
        g_autofree char *certainty = pv_finding_describe_certainty (&findings->findings[0]);
        g_assert_true (strstr (certainty, "between +1.") != NULL);
        g_assert_true (g_str_has_suffix (certainty, " s"));
    }
}
