/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interpreters and compilers at run time of which stacks show the machinery, but not the functions
 * of the language that ran.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/findings/finding-weights.h"
#include "core/analyze/findings/rules.h"
#include "core/base/large.h"

#define LEAST 0.1

typedef enum {
    IS_PYTHON = 1 << 0,   /* a frame of the interpreter */
    IS_NODE = 1 << 1,     /* a frame of node */
    IS_NAMELESS = 1 << 2, /* code without a name that is of no file */
    HAS_PYTHON_NAME = 1 << 3,
    HAS_JS_NAME = 1 << 4,
} Kind;

static bool
has_prefix_of (const char *text, const char *const *prefixes)
{
    for (size_t i = 0; text != NULL && prefixes[i] != NULL; i++)
        if (g_str_has_prefix (text, prefixes[i]))
            return true;
    return false;
}

static unsigned
find_kind (const PvFunction *function, const PvModule *module)
{
    static const char *const evaluators[] = {"_PyEval_EvalFrame", "PyEval_EvalFrame",
                                             "_PyEval_Vector", "PyEval_EvalCode", NULL};
    static const char *const python_names[] = {"py::", "<module>", NULL};
    static const char *const js_names[] = {
        "LazyCompile:",         "Function:", "JS:", "Script:", "Eval:", "Builtin:",
        "InterpretedFunction:", NULL};
    static const char *const nodes[] = {"node", "nodejs", NULL};
    const bool is_named = function->kind == PV_FUNCTION_NAMED;
    unsigned kind = 0;
    if (is_named && has_prefix_of (function->short_name, evaluators))
        kind |= IS_PYTHON;
    if (is_named && (has_prefix_of (function->name, python_names) ||
                     (function->file != NULL && g_str_has_suffix (function->file, ".py"))))
        kind |= HAS_PYTHON_NAME;
    if (is_named && (has_prefix_of (function->name, js_names) ||
                     (function->file != NULL && (g_str_has_suffix (function->file, ".js") ||
                                                 g_str_has_suffix (function->file, ".mjs") ||
                                                 g_str_has_suffix (function->file, ".ts")))))
        kind |= HAS_JS_NAME;
    for (size_t i = 0; nodes[i] != NULL && module->name != NULL; i++)
        if (strcmp (module->name, nodes[i]) == 0)
            kind |= IS_NODE;
    if (!is_named && !module->is_kernel &&
        (module->kind == PV_MODULE_JIT || module->kind == PV_MODULE_UNKNOWN))
        kind |= IS_NAMELESS;
    return kind;
}

typedef struct {
    uint64_t python, nameless; /* weight of stacks with the interpreter, and with nameless code */
    bool has_python_names, has_js_names;
} Sums;

static void
sum_kinds (const PvFindingContext *context, const PvFindingWeights *weights, Sums *sums)
{
    const PvProfile *profile = context->profile, *named = pv_profile_get_named (profile);
    g_autofree uint8_t *of_function = g_new0 (uint8_t, MAX (context->symbols->n_functions, 1));
    g_autofree uint8_t *of_stack = pv_new0_large (uint8_t, MAX (profile->n_stacks, 1));
    for (PvFunctionId f = 1; f < context->symbols->n_functions; f++) {
        const PvFunction *function = &context->symbols->functions[f];
        of_function[f] = (uint8_t)find_kind (function, &named->modules[function->module]);
        sums->has_python_names |= (of_function[f] & HAS_PYTHON_NAME) != 0;
        sums->has_js_names |= (of_function[f] & HAS_JS_NAME) != 0;
    }
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        uint32_t n_frames;
        const PvFrame *chain =
            pv_symbol_table_frames (context->symbols, profile->location_of_stack[s], &n_frames);
        of_stack[s] = of_stack[profile->parent_of_stack[s]];
        for (uint32_t i = 0; i < n_frames; i++)
            of_stack[s] |= of_function[chain[i].function];
        if (weights->of_stack[s] == 0)
            continue;
        sums->python += (of_stack[s] & IS_PYTHON) != 0 ? weights->of_stack[s] : 0;
        sums->nameless += (of_stack[s] & IS_NAMELESS) != 0 && (of_stack[s] & IS_NODE) != 0
                              ? weights->of_stack[s]
                              : 0;
    }
}

static void
add (const PvFindingContext *context, const PvFindingWeights *weights, uint64_t amount,
     const char *title, const char *detail, PvFindingList *list)
{
    if ((double)amount < LEAST * (double)weights->total)
        return;
    g_autofree char *share = pv_format_percent ((double)amount, (double)weights->total);
    const char *const texts[] = {
        share, pv_finding_get_measure_title (context->profile, context->cpu_measure)};
    PvFinding finding = {
        .rule = pv_rule_no_frames.word,
        .title = pv_finding_fill_in (title, texts, G_N_ELEMENTS (texts)),
        .detail = g_strdup (detail),
        .measure = context->cpu_measure,
        .amount = amount,
        .page = PV_FINDING_FUNCTIONS,
        .options = g_new0 (char *, 1),
    };
    pv_finding_weights_judge (weights, &finding);
    pv_array_push (list, finding);
}

static void
find_no_frames (const PvFindingContext *context, PvFindingList *list)
{
    g_auto (PvFindingWeights) weights = {0};
    Sums sums = {0};
    if (context->cpu_measure == UINT32_MAX ||
        !pv_finding_weights_init (&weights, context, context->cpu_measure) || weights.total == 0)
        return;
    sum_kinds (context, &weights, &sums);
    if (!sums.has_python_names)
        add (context, &weights, sums.python,
             /* Translators: a share, and the measure that it is a share of. */
             _ ("Python code takes %s of %s, and no stack tells which of its functions ran"),
             _ ("Python 3.12 and later tell perf their functions: run python3 -X perf, and record "
                "again. Of older ones py-spy writes profiles that can be opened here."),
             list);
    if (!sums.has_js_names)
        add (context, &weights, sums.nameless,
             _ ("JavaScript code takes %s of %s, and no stack tells which of its functions ran"),
             _ ("Run node with --perf-basic-prof, and record again; or run it with --cpu-prof, and "
                "open the file that it writes."),
             list);
}

const PvFindingRule pv_rule_no_frames = {
    .word = "no-frames",
    .find = find_no_frames,
};
