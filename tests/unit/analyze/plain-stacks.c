/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plain-stacks.h"

#include <stdlib.h>
#include <string.h>

#include "../cases.h"

/* The name of a frame */

static const char *
base_name (const char *path)
{
    const char *slash = strrchr (path, '/');
    return slash != NULL ? slash + 1 : path;
}

char *
plain_frame_text (const PlainFrame *frame)
{
    return g_strdup_printf ("%s!%s", base_name (frame->module), frame->name);
}

static char *
short_name (const char *name)
{
    return g_strndup (name, strcspn (name, "("));
}

/* "alpha" of alpha::beta::run, "net" of net.Dial, "java.util" of java.util.HashMap.get, "libx" of a
 * merged libx.so; but none of libc.so.6, which looks like a compiler's clone. */
static char *
package_of (const char *name)
{
    g_autofree char *plain = short_name (name);
    char *colons = strstr (plain, "::");
    if (colons != NULL)
        return g_strndup (plain, (gsize)(colons - plain));
    g_auto (GStrv) parts = g_strsplit (plain, ".", -1);
    g_autoptr (GString) package = g_string_new (NULL);
    for (guint i = 0; parts[i] != NULL; i++) {
        if (g_ascii_isupper (parts[i][0]))
            return g_strdup (package->str);
        if (g_ascii_isdigit (parts[i][0]))
            return g_strdup ("");
        g_string_append_printf (package, "%s%s", i > 0 ? "." : "", parts[i]);
    }
    return parts[1] != NULL ? g_strdup (parts[0]) : g_strdup ("");
}

/* Expressions */

static bool
is_found (GRegex *regex, const char *text)
{
    return text != NULL && g_regex_match (regex, text, 0, NULL);
}

static GRegex *
compile (const PvTransform *transform)
{
    static const char *const prefixes[] = {"", "function:", "file:", "module:", "package:"};
    const char *pattern = transform->expression + strlen (prefixes[transform->subject]);
    g_assert_true (g_str_has_prefix (transform->expression, prefixes[transform->subject]));
    GRegex *regex = assert_ok (error, g_regex_new (pattern, 0, 0, &error));
    return regex;
}

static bool
is_frame_found (const PlainFrame *frame, GRegex *regex, PvSubject subject)
{
    g_autofree char *cut = short_name (frame->name);
    g_autofree char *package = package_of (frame->name);
    bool in_function = is_found (regex, frame->name) || is_found (regex, cut);
    bool in_file = is_found (regex, frame->file);
    bool in_module = is_found (regex, frame->module) || is_found (regex, base_name (frame->module));
    switch (subject) {
    case PV_SUBJECT_FUNCTION:
        return in_function;
    case PV_SUBJECT_FILE:
        return in_file;
    case PV_SUBJECT_MODULE:
        return in_module;
    case PV_SUBJECT_PACKAGE:
        return *package != '\0' && is_found (regex, package);
    case PV_SUBJECT_ANY:
    case PV_N_SUBJECTS:
        break;
    }
    return in_function || in_file || in_module;
}

static bool
is_any_found (const PlainStack *stack, GRegex *regex, PvSubject subject)
{
    for (unsigned i = 0; i < stack->n_frames; i++)
        if (is_frame_found (&stack->frames[i], regex, subject))
            return true;
    return false;
}

static bool
is_term_in (const PvSearchTerm *term, const char *text)
{
    if (text == NULL)
        return false;
    if (term->is_expression)
        return g_regex_match_simple (term->text, text, G_REGEX_CASELESS, 0);
    g_autofree char *small_text = g_ascii_strdown (text, -1);
    g_autofree char *small_term = g_ascii_strdown (term->text, -1);
    return strstr (small_text, small_term) != NULL;
}

bool
plain_frame_is_found (const PlainFrame *frame, const PvSearchTerm *term, bool by_name)
{
    if (*term->text == '\0')
        return false;
    if (!by_name)
        return is_term_in (term, frame->file) || is_term_in (term, frame->module) ||
               is_term_in (term, base_name (frame->module));
    g_autofree char *cut = short_name (frame->name);
    return is_term_in (term, cut) || (term->in_full && is_term_in (term, frame->name));
}

/* Transforms: each makes a new list of frames */

static void
push (PlainStack *stack, const PlainFrame *frame)
{
    g_assert_cmpuint (stack->n_frames, <, PLAIN_MAX_FRAMES);
    stack->frames[stack->n_frames++] = *frame;
}

static void
pick (const PlainStack *from, PlainStack *to, GRegex *regex, PvSubject subject, bool wanted)
{
    for (unsigned i = 0; i < from->n_frames; i++)
        if (is_frame_found (&from->frames[i], regex, subject) == wanted)
            push (to, &from->frames[i]);
}

static void
show_from (const PlainStack *from, PlainStack *to, GRegex *regex, PvSubject subject)
{
    unsigned first = 0;
    while (first < from->n_frames && !is_frame_found (&from->frames[first], regex, subject))
        first++;
    for (unsigned i = first; i < from->n_frames; i++)
        push (to, &from->frames[i]);
}

static void
collapse_recursion (const PlainStack *from, PlainStack *to)
{
    for (unsigned i = 0; i < from->n_frames; i++) {
        const PlainFrame *frame = &from->frames[i];
        if (i == 0 || strcmp (frame[-1].name, frame->name) != 0 ||
            strcmp (frame[-1].module, frame->module) != 0)
            push (to, frame);
    }
}

static void
merge_module (const PlainStack *from, PlainStack *to, GRegex *regex)
{
    const char *merged = NULL;
    for (unsigned i = 0; i < from->n_frames; i++) {
        PlainFrame frame = from->frames[i];
        if (!is_found (regex, frame.module) && !is_found (regex, base_name (frame.module))) {
            push (to, &frame);
            merged = NULL;
            continue;
        }
        if (merged == NULL || strcmp (merged, frame.module) != 0) {
            PlainFrame whole = {frame.module, base_name (frame.module), NULL, frame.is_inlined};
            push (to, &whole);
        }
        merged = frame.module;
    }
}

static void
hide_allocators (const PlainStack *from, PlainStack *to, GRegex *regex, PvSubject subject)
{
    for (unsigned i = 0; i < from->n_frames; i++) {
        const PlainFrame *frame = &from->frames[i];
        g_autofree char *cut = short_name (frame->name);
        bool allocates = strcmp (cut, "malloc") == 0 || strcmp (cut, "operator new") == 0 ||
                         strcmp (base_name (frame->module), "libjemalloc.so") == 0;
        bool is_match = regex != NULL && is_frame_found (frame, regex, subject);
        if (i == 0 || (!allocates && !is_match))
            push (to, frame);
    }
}

/* Shows only functions of the program itself, without malloc (). */
static void
show_my_code (const PlainStack *from, PlainStack *to)
{
    for (unsigned i = 0; i < from->n_frames; i++) {
        const PlainFrame *frame = &from->frames[i];
        if (strcmp (frame->module, "prog") == 0 && strcmp (frame->name, "malloc") != 0)
            push (to, frame);
    }
}

static bool
is_unwanted (const PlainFrame *frame, GRegex *regex)
{
    const char *name = frame->name + (frame->name[0] == '.');
    g_autofree char *cut = short_name (name);
    return is_found (regex, cut);
}

/* By location: a frame and what is inlined there. */
static void
drop (const PlainStack *from, PlainStack *to, GRegex *regex)
{
    bool has_started = false; /* a location without a match came before */
    for (unsigned first = 0, end; first < from->n_frames; first = end) {
        for (end = first + 1; end < from->n_frames && from->frames[end].is_inlined;)
            end++;
        unsigned match = first;
        while (match < end && !is_unwanted (&from->frames[match], regex))
            match++;
        bool is_cut = match < end && (has_started || match > first);
        for (unsigned i = first; i < (is_cut ? match : end); i++)
            push (to, &from->frames[i]);
        if (match < end && has_started)
            return;
        has_started |= match == end;
    }
}

/* False if the stack does not count. */
static bool
transform_stack (PlainStack *stack, const PvTransform *transform)
{
    bool needs_regex = transform->expression != NULL;
    g_autoptr (GRegex) regex = needs_regex ? compile (transform) : NULL;
    g_autofree PlainStack *from = g_memdup2 (stack, sizeof *stack);
    PvTransformKind kind = transform->kind;
    if (kind == PV_TRANSFORM_FOCUS || kind == PV_TRANSFORM_IGNORE)
        return is_any_found (stack, regex, transform->subject) == (kind == PV_TRANSFORM_FOCUS);
    stack->n_frames = 0;
    if (kind == PV_TRANSFORM_HIDE || kind == PV_TRANSFORM_SHOW)
        pick (from, stack, regex, transform->subject, kind == PV_TRANSFORM_SHOW);
    else if (kind == PV_TRANSFORM_SHOW_FROM)
        show_from (from, stack, regex, transform->subject);
    else if (kind == PV_TRANSFORM_COLLAPSE_RECURSION)
        collapse_recursion (from, stack);
    else if (kind == PV_TRANSFORM_MERGE_MODULE)
        merge_module (from, stack, regex);
    else if (kind == PV_TRANSFORM_HIDE_ALLOCATORS)
        hide_allocators (from, stack, regex, transform->subject);
    else if (kind == PV_TRANSFORM_MY_CODE && regex == NULL)
        show_my_code (from, stack);
    else if (kind == PV_TRANSFORM_MY_CODE)
        pick (from, stack, regex, transform->subject, true);
    else
        drop (from, stack, regex);
    bool shows = kind == PV_TRANSFORM_SHOW || kind == PV_TRANSFORM_SHOW_FROM;
    return stack->n_frames > 0 || (from->n_frames == 0 && !shows);
}

/* Filters */

static bool
is_among (const int *wanted, int number)
{
    bool is_empty = wanted == NULL || *wanted == 0;
    for (; wanted != NULL && *wanted != 0; wanted++)
        if (*wanted == number)
            return true;
    return is_empty;
}

/* "600..1500"; either may be left out. */
static bool
is_between (const char *range, const char *value)
{
    const char *dots = strstr (range, "..");
    guint64 number = g_ascii_strtoull (value, NULL, 10);
    return (dots == range || number >= g_ascii_strtoull (range, NULL, 10)) &&
           (dots[2] == '\0' || number <= g_ascii_strtoull (dots + 2, NULL, 10));
}

/* value NULL: the sample has no such label. */
static bool
is_label_found (const PvLabelFilter *label, const char *value, bool is_number)
{
    if (value == NULL || label->expression == NULL)
        return value != NULL;
    if (strstr (label->expression, "..") != NULL)
        return is_number && is_between (label->expression, value);
    return g_regex_match_simple (label->expression, value, 0, 0);
}

static bool
has_labels (const PlainStack *stack, const PvQuery *query)
{
    for (uint32_t i = 0; i < query->n_labels; i++) {
        const PvLabelFilter *label = &query->labels[i];
        bool is_size = strcmp (label->key, "size") == 0;
        const char *value = is_size                              ? stack->size
                            : strcmp (label->key, "tenant") == 0 ? stack->tenant
                                                                 : NULL;
        if (is_label_found (label, value, is_size) == label->is_excluding)
            return false;
    }
    return true;
}

/* Numbers that end with 0. */
static bool
shows (const int *only, const int *except, int number)
{
    return is_among (only, number) && (*except == 0 || !is_among (except, number));
}

static bool
has_cpu (const PlainStack *stack, const PvQuery *query)
{
    const PvIdList *only = &query->only[PV_ORIGIN_CPU], *except = &query->except[PV_ORIGIN_CPU];
    bool is_shown = only->n_ids == 0;
    for (uint32_t i = 0; i < only->n_ids; i++)
        is_shown |= only->ids[i] == stack->index % 4;
    for (uint32_t i = 0; i < except->n_ids; i++)
        is_shown &= except->ids[i] != stack->index % 4;
    return is_shown;
}

static bool
passes (const PlainStack *stack, const PvQuery *query, const PlainWho *who)
{
    uint64_t time_ns = 1000 * (uint64_t)stack->index;
    return stack->weight > 0 && time_ns >= query->start_ns && time_ns < query->end_ns &&
           shows (who->tids, who->except_tids, stack->tid) &&
           shows (who->pids, who->except_pids, stack->tid / 10) && has_cpu (stack, query) &&
           has_labels (stack, query);
}

/* From text */

static const char *
cut_at (char *text, const char *separator)
{
    char *found = strstr (text, separator);
    if (found == NULL)
        return NULL;
    *found = '\0';
    return g_intern_string (found + strlen (separator));
}

static void
read_location (PlainStack *stack, const char *text, bool no_inline)
{
    const char *mark = strchr (text, '!');
    g_autofree char *module = g_strndup (text, (gsize)(mark - text));
    g_auto (GStrv) chain = g_strsplit (mark + 1, ">", -1);
    for (guint i = 0; chain[i] != NULL && (i == 0 || !no_inline); i++) {
        PlainFrame frame = {.module = g_intern_string (module), .is_inlined = i > 0};
        frame.file = cut_at (chain[i], "|");
        frame.name = g_intern_string (chain[i]);
        push (stack, &frame);
    }
}

/* "STACK@TID#tenant=T,size=S WEIGHT", each label only if there. */
static PlainStack *
read_stack (const char *line, unsigned index, bool no_inline)
{
    PlainStack *stack = g_new0 (PlainStack, 1);
    g_autofree char *text = g_strdup (line);
    char *space = strrchr (text, ' ');
    *space = '\0';
    stack->weight = g_ascii_strtoull (space + 1, NULL, 10);
    stack->index = index;
    stack->size = cut_at (text, ",size=");
    stack->tenant = cut_at (text, "#tenant=");
    stack->tid = atoi (cut_at (text, "@"));
    g_auto (GStrv) locations = g_strsplit (text, ";", -1);
    for (char **location = locations; *location != NULL && **location != '\0'; location++)
        read_location (stack, *location, no_inline);
    return stack;
}

GPtrArray *
plain_stacks_new (const char *text, const PvQuery *query, const PlainWho *who)
{
    GPtrArray *stacks = g_ptr_array_new_with_free_func (g_free);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    for (unsigned i = 0; lines[i] != NULL && *lines[i] != '\0'; i++) {
        g_autofree PlainStack *stack = read_stack (lines[i], i, query->no_inline);
        bool counts = passes (stack, query, who);
        for (uint32_t t = 0; t < query->n_transforms && counts; t++)
            counts = query->transforms[t].is_off || transform_stack (stack, &query->transforms[t]);
        if (counts)
            g_ptr_array_add (stacks, g_steal_pointer (&stack));
    }
    return stacks;
}

/* The group of the innermost frame that is left; a merged module has no file and no package. */
static char *
group_of_leaf (const PlainFrame *leaf, PvGrouping grouping)
{
    if (grouping == PV_GROUP_MODULE)
        return g_strdup (leaf != NULL ? base_name (leaf->module) : "(no module)");
    bool has_file = leaf != NULL && leaf->file != NULL;
    if (grouping == PV_GROUP_FILE)
        return g_strdup (has_file ? leaf->file : "(no file)");
    g_autofree char *package = has_file ? package_of (leaf->name) : g_strdup ("");
    return g_strdup (*package != '\0' ? package : "(no package)");
}

char *
plain_stack_group (const PlainStack *stack, const PvQuery *query)
{
    switch (query->grouping) {
    case PV_GROUP_NONE:
    case PV_N_GROUPINGS:
        break;
    case PV_GROUP_THREAD:
        return g_strdup_printf ("thread%d (%d)", stack->tid, stack->tid);
    case PV_GROUP_PROCESS:
        return g_strdup_printf ("proc%d (%d)", stack->tid / 10, stack->tid / 10);
    case PV_GROUP_CPU:
        return g_strdup_printf ("CPU %u", stack->index % 4);
    case PV_GROUP_LABEL:
        return g_strdup (stack->tenant != NULL ? stack->tenant : "(no tenant)");
    case PV_GROUP_MODULE:
    case PV_GROUP_FILE:
    case PV_GROUP_PACKAGE:
        return group_of_leaf (stack->n_frames > 0 ? &stack->frames[stack->n_frames - 1] : NULL,
                              query->grouping);
    }
    return NULL;
}

/* Random */

typedef struct {
    const char *module;
    const char *name;
    const char *file;
} Function;

/* The same names in several modules and packages, overloads, and names that hold others. */
static const Function functions[] = {
    {"prog", "main", "/src/main.c"},
    {"prog", "run", "/src/main.c"},
    {"prog", "alpha::run(int)", "/src/alpha/run.cc"},
    {"prog", "alpha::run(char)", "/src/alpha/run.cc"},
    {"prog", "alpha::beta::step", "/src/alpha/step.h"},
    {"prog", "malloc", "/src/own.c"},
    {"/usr/lib/libx.so", "run", "/x/run.c"},
    {"/usr/lib/libx.so", "net.Dial", "/x/net.go"},
    {"/usr/lib/libx.so", "operator new(unsigned long)", "/x/new.cc"},
    {"/usr/lib/libx.so", "java.util.HashMap.get", "HashMap.java"},
    {"libc.so.6", "malloc", "malloc.c"},
    {"libc.so.6", ".hidden", "main.S"},
    {"/usr/lib/libjemalloc.so", "je_arena", "arena.c"},
};

static const char *const patterns[] = {
    "run",  "^main$", "^run$", "libx",  "^libc", "alpha",     "^alpha$",   "/src",
    "[xa]", "\\.c$",  "int",   "\\(",   "so$",   "(?i)DIAL",  "net|java",  "^alpha::run$",
    "",     "^.?h",   "lib",   "main|", "prog",  "^malloc$",  "operator",  "^(?:.*alloc.*|run)$",
    "beta", "\\.h$",  "new",   "java",  "/x/",   "java.util", "^alpha::r", "nothing at all",
};

static const char *
random_pattern (GRand *random)
{
    return patterns[g_rand_int_range (random, 0, G_N_ELEMENTS (patterns))];
}

static void
append_location (GString *text, GRand *random, unsigned n_functions)
{
    unsigned f = (unsigned)g_rand_int_range (random, 0, (gint32)n_functions);
    const Function *outer = &functions[f];
    g_string_append_printf (text, "%s!%s|%s", outer->module, outer->name, outer->file);
    for (unsigned n = 0; n < 5 && g_rand_int_range (random, 0, 4) == 0; n++) {
        const Function *inner = &functions[g_rand_int_range (random, 0, (gint32)n_functions)];
        if (strcmp (inner->module, outer->module) == 0)
            g_string_append_printf (text, ">%s|%s", inner->name, inner->file);
    }
}

char *
plain_random_text (GRand *random)
{
    GString *text = g_string_new (NULL);
    gint32 n_stacks = g_rand_int_range (random, 0, 30);
    unsigned n_functions = (unsigned)g_rand_int_range (random, 1, G_N_ELEMENTS (functions) + 1);
    for (gint32 s = 0; s < n_stacks; s++) {
        gint32 depth = g_rand_int_range (random, 0, 9);
        for (gint32 d = 0; d < depth; d++) {
            if (d > 0)
                g_string_append_c (text, ';');
            append_location (text, random, n_functions);
        }
        g_string_append_printf (text, "@%d", g_rand_int_range (random, 10, 40));
        if (g_rand_int_range (random, 0, 3) > 0)
            g_string_append_printf (text, "#tenant=%s",
                                    g_rand_boolean (random) ? "red" : "dark red");
        if (strchr (strrchr (text->str, '@'), '#') != NULL && g_rand_boolean (random))
            g_string_append_printf (text, ",size=%d", 512 << g_rand_int_range (random, 0, 3));
        g_string_append_printf (text, " %d\n", g_rand_int_range (random, 0, 9));
    }
    return g_string_free (text, FALSE);
}

void
plain_random_transforms (GRand *random, PvQuery *query)
{
    gint32 n = g_rand_int_range (random, 0, 6);
    for (gint32 i = 0; i < n; i++) {
        PvTransformKind kind = (PvTransformKind)g_rand_int_range (random, 0, PV_TRANSFORM_DROP + 1);
        g_autofree char *expression = NULL;
        bool takes_subject = kind != PV_TRANSFORM_DROP && kind != PV_TRANSFORM_MERGE_MODULE;
        PvSubject subject = (PvSubject)g_rand_int_range (random, 0, PV_N_SUBJECTS);
        const char *prefix = takes_subject ? pv_subject_get_prefix (subject) : "";
        if (pv_transforms[kind].must_have_expression ||
            (pv_transforms[kind].may_have_expression && g_rand_boolean (random)))
            expression =
                g_strconcat (prefix, *prefix != '\0' ? ":" : "", random_pattern (random), NULL);
        pv_query_add_transform (query, kind, expression);
        query->transforms[i].is_off = g_rand_int_range (random, 0, 8) == 0;
    }
}

void
plain_random_term (GRand *random, PvSearchTerm *ret_term)
{
    static const char *const texts[] = {"RUN", "(int)", "alpha::run(", "lib", "main.c", "Hash"};
    bool is_expression = g_rand_boolean (random);
    const char *text = is_expression ? random_pattern (random)
                                     : texts[g_rand_int_range (random, 0, G_N_ELEMENTS (texts))];
    *ret_term = (PvSearchTerm){g_strdup (text), is_expression, g_rand_boolean (random)};
}
