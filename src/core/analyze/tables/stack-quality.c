/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/stack-quality.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/model/profile/note-groups.h"

/*
 * Functions at which threads start, as named in ELF symbol tables. '*' at the end matches any
 * suffix (symbol versions, ".abi0", ".isra.0", 64-bit and Xen variants).
 */
static const char *const library_roots[] = {
    /* C libraries and the dynamic linker */
    "_start",
    "_start_c",
    "__libc_start_main*",
    "__libc_start_call_main*",
    "libc_start_main_stage2",
    "clone",
    "clone3",
    "__clone*",
    "start_thread*",
    "thread_start*",
    "execute_native_thread_routine*", /* libstdc++ */
    "_dl_start*",
    /* Android's C library and its linker, whose symbols have a prefix */
    "__start_thread",
    "__libc_init",
    "_start_main",
    "__dl__start",
    "__bionic_clone",
};

static const char *const other_roots[] = {
    /* Go */
    "_rt0_*",
    "runtime.rt0_go*",
    "runtime.goexit*",
    "runtime.mstart*",
    "runtime.mcall*",
    "runtime.systemstack*",
    "runtime.morestack*",
    "runtime.gogo*",
    "crosscall*",
    /* the kernel: entries from user code, kernel threads, and start-up */
    "entry_*",
    "asm_*",
    "ret_from_fork*",
    "kthread",
    "secondary_startup*",
    "start_secondary*",
    "cpu_startup_entry",
    "start_kernel*",
    "x86_64_start_*",
    "common_startup*",
    "__primary_switched*",
    "__secondary_switched*",
    "el0*",
    "el1*",
    "vectors",
    "ret_to_user*",
    "syscall_return_via_sysret*",
    "swapgs_restore_regs_and_return_to_usermode*",
    "native_irq_return_iret*",
    "page_fault",
    "error_entry",
    "apic_timer_interrupt",
    "nmi",
};

static bool
is_one_of (const char *name, const char *const *patterns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen (patterns[i]);
        bool is_prefix = patterns[i][length - 1] == '*';
        if (is_prefix ? strncmp (name, patterns[i], length - 1) == 0
                      : strcmp (name, patterns[i]) == 0)
            return true;
    }
    return false;
}

static bool
is_root_name (const char *name)
{
    return is_one_of (name, library_roots, G_N_ELEMENTS (library_roots)) ||
           is_one_of (name, other_roots, G_N_ELEMENTS (other_roots));
}

/* If the C and C++ libraries are stripped, their functions that start threads have no names. An
 * unnamed function there that is a caller and the root is one of them: the libraries do not keep
 * frame pointers, so a broken chain cannot end there. */
static bool
is_unnamed_thread_start (const PvProfile *profile, const PvFunction *function,
                         PvLocationId location)
{
    if (function->kind == PV_FUNCTION_NAMED ||
        profile->kind_of_location[location] != PV_LOCATION_RETURN)
        return false;
    const char *module = profile->modules[function->module].name;
    return g_str_has_prefix (module, "libstdc++.so") || g_str_has_prefix (module, "libc.so") ||
           g_str_has_prefix (module, "libc-2.") || g_str_has_prefix (module, "libpthread");
}

/* A program's entry, _start, calls only the C library; what else seems to be called by it is what a
 * broken chain of frame pointers ran into. */
static bool
has_c_library (const PvProfile *profile)
{
    for (PvModuleId m = 1; m < profile->n_modules; m++) {
        const char *name = profile->modules[m].name;
        if (g_str_has_prefix (name, "libc.so") || g_str_has_prefix (name, "libc-2."))
            return true;
    }
    return false;
}

/* False if no stack can be: looks at functions, of which there are far fewer. */
static bool
may_be_broken (const PvProfile *profile, const PvSymbolTable *symbols)
{
    /* Only perf tells how it found the callers. */
    if (profile->facts.call_graph != NULL)
        return true;
    const bool is_mapped = pv_profile_has_mappings (profile);
    const bool is_linked = has_c_library (profile);
    for (PvFunctionId f = 0; f < symbols->n_functions; f++) {
        const PvFunction *function = &symbols->functions[f];
        if ((is_mapped && pv_function_is_unmapped (function, profile)) ||
            (is_linked && strcmp (function->name, "_start") == 0))
            return true;
    }
    return false;
}

/* Where C libraries keep no frame pointers (glibc before 2.34), a chain ends one step past the
 * function that starts the thread, at whatever its register held. No caller is missing then. */
static bool
is_start_past_which_it_broke (const PvProfile *profile, const PvSymbolTable *symbols, PvStackId s)
{
    PvLocationId location = profile->location_of_stack[s];
    if (profile->parent_of_stack[profile->parent_of_stack[s]] != 0 ||
        profile->kind_of_location[location] != PV_LOCATION_RETURN)
        return false;
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (symbols, location, &n_frames);
    return n_frames > 0 && is_one_of (symbols->functions[chain[n_frames - 1].function].raw_name,
                                      library_roots, G_N_ELEMENTS (library_roots));
}

/* Parents come first, so stacks inherit the root that their outermost function is. */
uint8_t *
pv_stack_quality_find_roots (const PvProfile *profile, const PvSymbolTable *symbols)
{
    enum { UNKNOWN, NO, YES, ENTRY };
    const char *mode = profile->facts.call_graph;
    const bool is_mapped = pv_profile_has_mappings (profile);
    const bool is_linked = has_c_library (profile);
    /* Last-branch records are short, not broken. */
    const PvStackRoot other =
        mode != NULL && strstr (mode, "LBR") == NULL ? PV_ROOT_BROKEN : PV_ROOT_UNKNOWN;
    uint8_t *roots = g_new0 (uint8_t, MAX (profile->n_stacks, 1));
    g_autofree uint8_t *known = g_new0 (uint8_t, MAX (symbols->n_functions, 1));
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        PvStackRoot below = (PvStackRoot)roots[profile->parent_of_stack[s]];
        PvLocationId location = profile->location_of_stack[s];
        if (profile->parent_of_stack[s] != 0 && below != PV_ROOT_ENTRY) {
            roots[s] = below == PV_ROOT_BROKEN && is_start_past_which_it_broke (profile, symbols, s)
                           ? PV_ROOT_START
                           : below;
            continue;
        }
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (symbols, location, &n_frames);
        if (n_frames == 0)
            continue;
        PvFunctionId function = chain[n_frames - 1].function;
        const PvFunction *named = &symbols->functions[function];
        if (known[function] == UNKNOWN)
            known[function] = is_linked && strcmp (named->name, "_start") == 0               ? ENTRY
                              : is_root_name (named->raw_name) || is_root_name (named->name) ? YES
                                                                                             : NO;
        if (known[function] == ENTRY && below != PV_ROOT_ENTRY)
            roots[s] = PV_ROOT_ENTRY;
        else if (known[function] == YES || is_unnamed_thread_start (profile, named, location))
            roots[s] = PV_ROOT_START;
        else if (below == PV_ROOT_ENTRY || (is_mapped && pv_function_is_unmapped (named, profile)))
            roots[s] = PV_ROOT_BROKEN;
        else
            /* Without a name it may be a start as well. */
            roots[s] = named->kind == PV_FUNCTION_NAMED ? other : PV_ROOT_UNKNOWN;
    }
    return roots;
}

static bool
is_cut (PvStackEnd end)
{
    switch (end) {
    case PV_STACK_END_DUMP:
    case PV_STACK_END_DEPTH:
    case PV_STACK_END_NO_BINARY:
    case PV_STACK_END_NO_RULE:
    case PV_STACK_END_BAD_FRAME:
    case PV_STACK_END_OTHER_STACK:
        return true;
    default:
        return false;
    }
}

PvStackClass
pv_stack_quality_classify (PvStackEnd end, PvStackRoot root)
{
    if (end == PV_STACK_END_ROOT || root == PV_ROOT_START || root == PV_ROOT_ENTRY)
        return PV_STACK_COMPLETE;
    if (is_cut (end))
        return PV_STACK_TRUNCATED;
    return root == PV_ROOT_BROKEN && end != PV_STACK_END_NOT_RECORDED ? PV_STACK_BROKEN
                                                                      : PV_STACK_UNKNOWN;
}

/* advice uses the terms of the window's record dialog; command_advice is for a shell. */
static void
set_advice (PvStackQuality *quality, const char *cause, const char *advice,
            const char *command_advice)
{
    quality->cause = cause;
    quality->advice = advice;
    quality->command_advice = command_advice;
}

/* A few percent of broken stacks are no reason to record again; nor is one, unless there are hardly
 * any others. */
static bool
are_too_many (uint64_t n_bad, uint64_t n)
{
    return n_bad > n / 50 && (n_bad > 1 || n_bad > n / 5);
}

/* True if the kernel followed the stacks, for which it needs frame pointers. */
static bool
is_of_kernel (const PvProfile *profile)
{
    static const char *const formats[] = {"perf.data", "perf script", "Sysprof", "bpftrace", NULL};
    const char *format = profile->facts.format;
    return format == NULL || g_strv_contains (formats, format);
}

/* Only perf records how it found the callers. Of other recordings it is only known that some stacks
 * are broken, and of those that the kernel did not make not even why. */
static void
advise_unknown (const PvProfile *profile, PvStackQuality *quality)
{
    const char *mode = profile->facts.call_graph;
    uint64_t n_good = quality->n_complete + quality->n_truncated + quality->n_unknown;
    if (mode == NULL) {
        quality->n_of_cause = quality->n_broken;
        if (!are_too_many (quality->n_broken, n_good + quality->n_broken))
            return;
    }
    if (mode != NULL && strstr (mode, "LBR") != NULL)
        set_advice (quality, _ ("Last-branch records hold only the innermost calls of a stack."),
                    _ ("Record again with copied stacks (DWARF) to get whole stacks."),
                    _ ("For whole stacks, record with: perf record --call-graph dwarf"));
    else if ((mode != NULL && strstr (mode, "DWARF") != NULL) || !is_of_kernel (profile))
        set_advice (quality, _ ("Some stacks end before the start of their thread."), NULL, NULL);
    else
        set_advice (quality,
                    _ ("Frame pointer chains break in code that was built without frame pointers; "
                       "callers are then missing."),
                    _ ("Record again with copied stacks (DWARF), or build the program with "
                       "-fno-omit-frame-pointer."),
                    _ ("Record with: perf record --call-graph dwarf, or build with "
                       "-fno-omit-frame-pointer."));
}

static void
advise_dump (const PvProfile *profile, PvStackQuality *quality)
{
    const char *cause = _ ("The stacks are larger than the part that was recorded.");
    const char *mode = profile->facts.call_graph;
    if (mode != NULL && strstr (mode, "655") != NULL)
        set_advice (quality, cause,
                    _ ("The recorded part is already as large as possible. Frame pointers have no "
                       "such limit if the program is built with -fno-omit-frame-pointer."),
                    _ ("The recorded part is already as large as possible; --call-graph fp has no "
                       "such limit if the program is built with -fno-omit-frame-pointer."));
    else if (mode != NULL && strstr (mode, "32768") != NULL)
        set_advice (quality, cause, _ ("Record again with a stack size of 65528 bytes."),
                    _ ("Record with: perf record --call-graph dwarf,65528"));
    else
        set_advice (quality, cause,
                    _ ("Record again with a larger stack size, such as 32768 bytes (at most "
                       "65528)."),
                    _ ("Record with: perf record --call-graph dwarf,32768 (at most 65528)."));
}

static void
advise_depth (PvStackQuality *quality)
{
    const char *advice =
        _ ("Before recording, raise the limit: sysctl kernel.perf_event_max_stack=1024");
    set_advice (quality, _ ("The stacks have more frames than the recorder was allowed to record."),
                advice, advice);
}

static void
advise_bad_frame (PvStackQuality *quality)
{
    const char *advice = _ ("Check that the files are the ones that were recorded.");
    set_advice (quality,
                _ ("Unwinding led to addresses that cannot be on a stack; the unwind information "
                   "may not match the program."),
                advice, advice);
}

/* n_samples: all that were recorded, of which only some have no stack perhaps. */
static void
advise_not_recorded (PvStackQuality *quality, uint64_t n_samples)
{
    const char *cause =
        _ ("Recorded without call stacks: each sample is one function, without its callers.");
    if (quality->n_of_end[PV_STACK_END_NOT_RECORDED] < n_samples)
        cause = _ ("Some samples were recorded without call stacks: each of them is one function, "
                   "without its callers.");
    set_advice (quality, cause,
                _ ("Record again with frame pointers, or with copied stacks (DWARF) for "
                   "programs built without them."),
                _ ("Record with: perf record -g, or perf record --call-graph dwarf for "
                   "programs built without frame pointers."));
}

static void
advise (const PvProfile *profile, const PvSampleSet *set, PvStackEnd worst, PvStackQuality *quality)
{
    switch (worst) {
    case PV_STACK_END_NOT_RECORDED:
        if (set->is_derived) {
            set_advice (quality, _ ("Waits were recorded without call stacks."),
                        _ ("Record again with Off-CPU, which records a stack at each wait."),
                        _ ("Record with: perf record --switch-events -e context-switches -c 1 -g"));
            break;
        }
        advise_not_recorded (quality, set->n_samples);
        break;
    case PV_STACK_END_DUMP:
        advise_dump (profile, quality);
        break;
    case PV_STACK_END_DEPTH:
        advise_depth (quality);
        break;
    case PV_STACK_END_NO_BINARY:
        set_advice (
            quality,
            _ ("Files of the recorded program were not found, so stacks could not be unwound "
               "through them."),
            _ ("Add the folder that contains them."),
            _ ("Add the folder that contains them (--symbol-path, --sysroot or --map-path)."));
        break;
    case PV_STACK_END_NO_RULE:
        set_advice (quality,
                    _ ("Stacks pass through code without unwind information, such as generated or "
                       "hand-written machine code."),
                    _ ("For programs that generate code, record again with frame pointers."),
                    _ ("For programs that generate code, record with frame pointers: perf record "
                       "--call-graph fp"));
        break;
    case PV_STACK_END_BAD_FRAME:
        advise_bad_frame (quality);
        break;
    case PV_STACK_END_OTHER_STACK:
        set_advice (
            quality,
            _ ("Some functions ran on a separate stack, such as a signal handler's (sigaltstack) "
               "or the Go scheduler's; the stack they were called from was not recorded."),
            _ ("Record again with frame pointers, which lead from one stack to the other."),
            _ ("Frame pointers lead from one stack to the other: perf record --call-graph "
               "fp"));
        break;
    case PV_STACK_END_UNKNOWN:
    case PV_STACK_END_ROOT:
    case PV_N_STACK_ENDS:
        advise_unknown (profile, quality);
        break;
    }
}

/* Obstacles that the end of a stack does not name, beside those that it does. */
enum {
    RETURN_PROBE = PV_N_STACK_ENDS,
    HIDDEN_KERNEL,
    NO_MAPPINGS,
    NAMELESS_ROOT,
    N_OBSTACLES,
};

/* Facts for telling obstacles apart. */
typedef struct {
    const PvProfile *profile;
    uint8_t *roots;         /* PvStackRoot, by stack */
    bool *has_return_probe; /* by stack; NULL: none has */
    bool *is_probed;        /* by process: functions had return probes; NULL: in none */
    PvLocationId *root_of_stack;
    bool is_kernel_hidden; /* no part of the kernel was mapped */
} Judge;

/* The kernel maps the code of return probes under this name, and puts its address on stacks in
 * place of the caller's. */
static bool
is_of_return_probes (const PvModule *module)
{
    return strcmp (module->path, "[uprobes]") == 0;
}

/* Samples of the probe itself, where the function has returned: its address is that of the caller.
 */
static bool
is_of_return_probe (const PvSampleSet *set)
{
    return set->fields != NULL && pv_fields_find (set->fields, "__probe_ret_ip") != NULL;
}

/* Finds the processes in which a return probe was recorded. */
static void
find_probed (Judge *judge)
{
    const PvProfile *profile = judge->profile;
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        if (!is_of_return_probe (set))
            continue;
        if (judge->is_probed == NULL)
            judge->is_probed = g_new0 (bool, MAX (profile->n_processes, 1));
        for (uint32_t i = 0; i < set->n_samples; i++)
            judge->is_probed[profile->threads[pv_sample_set_thread (set, i)].process] = true;
    }
}

static void
judge_init (Judge *judge, const PvProfile *profile, const PvSymbolTable *symbols)
{
    bool has_kernel = false, has_probes = false;
    *judge = (Judge){.profile = profile};
    judge->roots = pv_stack_quality_find_roots (profile, symbols);
    judge->root_of_stack = g_new0 (PvLocationId, MAX (profile->n_stacks, 1));
    for (PvModuleId m = 1; m < profile->n_modules; m++) {
        has_kernel |= profile->modules[m].kind == PV_MODULE_KERNEL;
        has_probes |= is_of_return_probes (&profile->modules[m]);
    }
    judge->is_kernel_hidden = !has_kernel && pv_profile_has_format (profile, "perf.data");
    if (has_probes)
        find_probed (judge);
    if (has_probes)
        judge->has_return_probe = g_new0 (bool, MAX (profile->n_stacks, 1));
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        PvStackId parent = profile->parent_of_stack[s];
        PvLocationId location = profile->location_of_stack[s];
        judge->root_of_stack[s] = parent != 0 ? judge->root_of_stack[parent] : location;
        if (has_probes)
            judge->has_return_probe[s] =
                (parent != 0 && judge->has_return_probe[parent]) ||
                is_of_return_probes (&profile->modules[profile->module_of_location[location]]);
    }
}

static void
judge_clear (Judge *judge)
{
    g_free (judge->roots);
    g_free (judge->has_return_probe);
    g_free (judge->is_probed);
    g_free (judge->root_of_stack);
}

/* The reason why a sample's stack, which is not complete, ends where it does. */
static unsigned
find_obstacle (const Judge *judge, const PvSampleSet *set, uint32_t sample, PvStackEnd end)
{
    const PvProfile *profile = judge->profile;
    PvStackId stack = set->stack[sample];
    if (end == PV_STACK_END_NOT_RECORDED || stack == 0)
        return end;
    PvThreadId thread = pv_sample_set_thread (set, sample);
    PvProcessId process = profile->n_threads > 0 ? profile->threads[thread].process : 0;
    if (judge->has_return_probe != NULL && judge->has_return_probe[stack])
        return RETURN_PROBE;
    /* Without files, or with its own idea of where functions are, the unwinder does not get there;
     * it would not get any further with them. */
    bool is_lost = end == PV_STACK_END_BAD_FRAME || end == PV_STACK_END_NO_BINARY;
    if (is_lost && judge->is_probed != NULL && judge->is_probed[process] &&
        !is_of_return_probe (set))
        return RETURN_PROBE;
    const PvModule *module =
        &profile->modules[profile->module_of_location[judge->root_of_stack[stack]]];
    if (module->kind != PV_MODULE_UNKNOWN)
        return end;
    if (module->is_kernel)
        return judge->is_kernel_hidden ? HIDDEN_KERNEL : end;
    bool is_unmapped = profile->n_processes > 0 && profile->processes[process].is_unmapped;
    return is_unmapped ? NO_MAPPINGS : end;
}

static void
advise_about (const Judge *judge, const PvSampleSet *set, unsigned obstacle,
              PvStackQuality *quality)
{
    switch (obstacle) {
    case RETURN_PROBE:
        set_advice (quality,
                    _ ("A return probe replaces the address of the caller on the stack, so these "
                       "stacks cannot be followed beyond the probed function."),
                    _ ("Record without the return probe, or with frame pointers, where only the "
                       "caller of the probed function is missing."),
                    _ ("Record without the return probe (perf probe FUNCTION%return), or with: "
                       "perf record --call-graph fp, where only the caller of the probed function "
                       "is missing."));
        break;
    case HIDDEN_KERNEL:
        set_advice (quality,
                    _ ("The addresses of the kernel were hidden from the recorder "
                       "(kernel.kptr_restrict), so nothing tells where these stacks end."),
                    _ ("Set “sysctl kernel.kptr_restrict=0” before recording, or record as root."),
                    _ ("Set “sysctl kernel.kptr_restrict=0” before recording, or record as root."));
        break;
    case NAMELESS_ROOT:
        set_advice (
            quality,
            _ ("The functions where these stacks end have no names, so it is not known "
               "whether callers are missing."),
            _ ("Add a folder with debug files, or record again with copied stacks (DWARF)."),
            _ ("Add a folder with debug files (--symbol-path), or record with: perf record "
               "--call-graph dwarf"));
        break;
    case NO_MAPPINGS:
        set_advice (quality,
                    _ ("The recording does not say what was mapped in these processes, so their "
                       "stacks cannot be followed."),
                    _ ("Record again with the right to trace them, for example as root."),
                    _ ("Record with the right to trace them, for example as root, and without "
                       "--synth=no."));
        break;
    default:
        advise (judge->profile, set, (PvStackEnd)obstacle, quality);
        break;
    }
}

/* The command in place of perf's that is right on Android; NULL: the advice has no command. */
static const char *
get_simpleperf_advice (const PvProfile *profile, const PvSampleSet *set, unsigned obstacle)
{
    const char *mode = profile->facts.call_graph;
    switch (obstacle) {
    case PV_STACK_END_NOT_RECORDED:
        return set->is_derived ? _ ("Record with: simpleperf record --trace-offcpu -g")
                               : _ ("Record with: simpleperf record -g");
    case PV_STACK_END_DUMP:
        return mode != NULL && strstr (mode, "655") != NULL
                   ? NULL
                   : _ ("Record with: simpleperf record --call-graph dwarf,65528");
    case PV_STACK_END_NO_RULE:
    case PV_STACK_END_OTHER_STACK:
        return _ ("Record with frame pointers: simpleperf record --call-graph fp");
    case PV_STACK_END_UNKNOWN:
    case PV_STACK_END_ROOT:
        return _ ("Record with: simpleperf record --call-graph dwarf, or build with "
                  "-fno-omit-frame-pointer.");
    case RETURN_PROBE:
        return _ ("Record without the return probe.");
    case NAMELESS_ROOT:
        return _ ("Add a folder with debug files (--symbol-path), or record with: simpleperf "
                  "record --call-graph dwarf");
    default:
        return NULL;
    }
}

/* The obstacle to tell of. That stacks are broken comes before that others may be. */
static unsigned
find_worst (const uint64_t *n_of_obstacle, uint64_t n_samples)
{
    uint64_t n_broken = n_of_obstacle[PV_STACK_END_UNKNOWN];
    unsigned worst = PV_STACK_END_UNKNOWN;
    for (unsigned i = 0; i < N_OBSTACLES; i++)
        if (n_of_obstacle[i] > n_of_obstacle[worst])
            worst = i;
    return worst == NAMELESS_ROOT && are_too_many (n_broken, n_samples) ? PV_STACK_END_UNKNOWN
                                                                        : worst;
}

/* *ret_obstacle belongs to the cause, if there is one. */
static PvStackQuality
measure_set (const Judge *judge, const PvSampleSet *set, unsigned *ret_obstacle)
{
    PvStackQuality quality = {0};
    uint64_t bad_of[N_OBSTACLES] = {0};
    const char *mode = judge->profile->facts.call_graph;
    bool is_chain = mode != NULL && strstr (mode, "LBR") == NULL;
    for (uint32_t i = 0; i < set->n_samples; i++) {
        PvStackEnd end = pv_sample_set_stack_end (set, i);
        quality.n_of_end[end]++;
        PvStackClass class =
            pv_stack_quality_classify (end, (PvStackRoot)judge->roots[set->stack[i]]);
        quality.n_complete += class == PV_STACK_COMPLETE;
        quality.n_truncated += class == PV_STACK_TRUNCATED;
        quality.n_broken += class == PV_STACK_BROKEN;
        quality.n_unknown += class == PV_STACK_UNKNOWN;
        if (class == PV_STACK_COMPLETE)
            continue;
        unsigned obstacle = find_obstacle (judge, set, i, end);
        bool may_be_whole = is_chain && class == PV_STACK_UNKNOWN;
        bad_of[may_be_whole && obstacle == PV_STACK_END_UNKNOWN ? NAMELESS_ROOT : obstacle]++;
    }
    unsigned worst = PV_STACK_END_UNKNOWN;
    if (are_too_many (set->n_samples - quality.n_complete, set->n_samples)) {
        worst = find_worst (bad_of, set->n_samples);
        quality.n_of_cause = bad_of[worst];
        advise_about (judge, set, worst, &quality);
        const char *command =
            quality.command_advice != NULL && pv_facts_are_of_simpleperf (&judge->profile->facts)
                ? get_simpleperf_advice (judge->profile, set, worst)
                : NULL;
        if (command != NULL)
            quality.command_advice = command;
    }
    *ret_obstacle = worst;
    return quality;
}

void
pv_stack_quality_measure (const PvProfile *profile, const PvSymbolTable *symbols,
                          uint32_t set_index, PvStackQuality *ret_quality)
{
    g_assert (set_index < profile->n_sets);
    Judge judge;
    judge_init (&judge, profile, symbols);
    unsigned obstacle;
    *ret_quality = measure_set (&judge, &profile->sets[set_index], &obstacle);
    judge_clear (&judge);
}

void
pv_stack_quality_measure_all (const PvProfile *profile, const PvSymbolTable *symbols,
                              PvStackQuality *ret_quality)
{
    Judge judge;
    judge_init (&judge, profile, symbols);
    PvStackQuality all = {0};
    uint64_t most_bad = 0, n_samples = 0;
    bool is_derived = false;              /* as is the set of the cause so far */
    unsigned told = PV_STACK_END_UNKNOWN; /* obstacle of the cause so far */
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        unsigned obstacle;
        PvStackQuality one = measure_set (&judge, &profile->sets[s], &obstacle);
        uint64_t n_bad = one.n_truncated + one.n_broken + one.n_unknown;
        n_samples += profile->sets[s].n_samples;
        all.n_complete += one.n_complete;
        all.n_truncated += one.n_truncated;
        all.n_broken += one.n_broken;
        all.n_unknown += one.n_unknown;
        for (unsigned end = 0; end < PV_N_STACK_ENDS; end++)
            all.n_of_end[end] += one.n_of_end[end];
        bool is_first = all.cause == NULL;
        /* Missing files have notes of their own, return probes have not. */
        bool is_news = obstacle == RETURN_PROBE && told == PV_STACK_END_NO_BINARY;
        bool is_known = obstacle == PV_STACK_END_NO_BINARY && told == RETURN_PROBE;
        if (one.cause != NULL && (is_first || is_news || (n_bad > most_bad && !is_known))) {
            most_bad = n_bad;
            told = obstacle;
            all.cause = one.cause;
            all.advice = one.advice;
            all.command_advice = one.command_advice;
            all.n_of_cause = one.n_of_cause;
            is_derived = profile->sets[s].is_derived;
        }
    }
    if (all.cause != NULL && told == PV_STACK_END_NOT_RECORDED && !is_derived)
        advise_not_recorded (&all, n_samples);
    judge_clear (&judge);
    *ret_quality = all;
}

bool
pv_stack_quality_is_known (const PvStackQuality *quality)
{
    g_assert (quality != NULL);
    bool is_whole = quality->n_complete > 0 && quality->n_unknown == 0;
    return is_whole || quality->n_truncated + quality->n_broken > 0 || quality->cause != NULL;
}

void
pv_stack_quality_note (const PvProfile *profile, PvSymbolTable *symbols)
{
    if (!may_be_broken (profile, symbols))
        return;
    Judge judge;
    judge_init (&judge, profile, symbols);
    PvStackQuality all = {0};
    uint64_t n_samples = 0;
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        unsigned obstacle;
        PvStackQuality one = measure_set (&judge, &profile->sets[s], &obstacle);
        all.n_broken += obstacle == PV_STACK_END_UNKNOWN ? one.n_broken : 0;
        n_samples += profile->sets[s].n_samples;
    }
    judge_clear (&judge);
    if (all.n_broken * 5 <= n_samples)
        return;
    advise_unknown (profile, &all);
    g_autofree char *broken = pv_format_count (all.n_broken);
    g_autofree char *samples = pv_format_count (n_samples);
    g_autoptr (GString) text = g_string_new (NULL);
    /* Translators: numbers of stacks, then the cause: a sentence. */
    g_string_printf (text,
                     g_dngettext (GETTEXT_PACKAGE, "%s of %s stack is broken. %s",
                                  "%s of %s stacks are broken. %s", (gulong)n_samples),
                     broken, samples, all.cause);
    if (all.advice != NULL)
        g_string_append_printf (text, " %s", all.advice);
    const PvNote note = {PV_NOTE_WARNING, PV_NOTE_BROKEN_STACKS, 0, text->str};
    pv_symbol_table_add_note (symbols, &note);
}
