/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/suppressions.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/mapped-file.h"
#include "core/base/ref.h"

#define MAX_FILE_BYTES    (UINT64_C (16) << 20)
#define MAX_MATCHED_BYTES (UINT64_C (1) << 33) /* bytes of names times patterns: about a second */
#define MIN_EMBEDDED      16

static const char leak[] = "leak:";

struct PvSuppressions {
    int ref_count; /* atomic */
    GPtrArray *patterns;
};

/* Blocks that libraries keep until the end by design. */
static const char *const defaults[] = {
    "__nss_module_allocate", "__gconv_read_conf",  "__new_exitfn",  "tzset_internal",
    "dl_open_worker",        "g_main_context_new", "g_thread_self",
};

/* Reading */

static PvSuppressions *
new_suppressions (void)
{
    PvSuppressions *self = g_new0 (PvSuppressions, 1);
    self->ref_count = 1;
    self->patterns = g_ptr_array_new_with_free_func (g_free);
    return self;
}

/* The pattern of a stripped line; NULL if the line is not a suppression. */
static const char *
get_pattern (const char *line)
{
    if (!g_str_has_prefix (line, leak))
        return NULL;
    const char *pattern = line + strlen (leak);
    return *pattern != '\0' ? pattern : NULL;
}

PvSuppressions *
pv_suppressions_parse (const char *text, size_t size_bytes, const char *name, GError **error)
{
    g_assert ((text != NULL || size_bytes == 0) && name != NULL);
    g_autoptr (PvSuppressions) self = new_suppressions ();
    const char *end = text + size_bytes;
    unsigned n_lines = 0;

    for (const char *next = text; next < end;) {
        const char *start = next;
        const char *stop = memchr (start, '\n', (size_t)(end - start));
        next = stop != NULL ? stop + 1 : end;
        g_autofree char *line = g_strndup (start, (size_t)((stop != NULL ? stop : end) - start));
        g_strstrip (line);
        n_lines++;
        if (*line == '\0' || *line == '#')
            continue;
        const char *pattern = get_pattern (line);
        if (pattern == NULL) {
            g_autofree char *shown = g_utf8_make_valid (line, -1);
            g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                         /* Translators: file, number of the line, the line */
                         _ ("%s, line %u: “%s” is not of the form leak:PATTERN"), name, n_lines,
                         shown);
            return NULL;
        }
        g_ptr_array_add (self->patterns, g_strdup (pattern));
    }
    return g_steal_pointer (&self);
}

PvSuppressions *
pv_suppressions_load (const char *path, GError **error)
{
    g_assert (path != NULL && (error == NULL || *error == NULL));
    g_autofree char *shown = g_filename_display_name (path);
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, error);
    if (file == NULL) {
        g_prefix_error (error, "%s: ", shown);
        return NULL;
    }
    if (pv_mapped_file_get_size (file) > MAX_FILE_BYTES) {
        g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                     _ ("%s is too large for a list of suppressions"), shown);
        return NULL;
    }
    return pv_suppressions_parse ((const char *)pv_mapped_file_get_data (file),
                                  pv_mapped_file_get_size (file), shown, error);
}

PvSuppressions *
pv_suppressions_ref (PvSuppressions *suppressions)
{
    if (suppressions != NULL)
        __atomic_add_fetch (&suppressions->ref_count, 1, __ATOMIC_RELAXED);
    return suppressions;
}

void
pv_suppressions_free (PvSuppressions *suppressions)
{
    if (!pv_ref_was_last (suppressions))
        return;
    g_ptr_array_unref (suppressions->patterns);
    g_free (suppressions);
}

static guint
count_patterns (const PvSuppressions *suppressions)
{
    return suppressions != NULL ? suppressions->patterns->len : 0;
}

PvSuppressions *
pv_suppressions_join (const PvSuppressions *a, const PvSuppressions *b)
{
    PvSuppressions *joined = new_suppressions ();
    for (guint i = 0; i < count_patterns (a); i++)
        g_ptr_array_add (joined->patterns, g_strdup (a->patterns->pdata[i]));
    for (guint i = 0; i < count_patterns (b); i++)
        g_ptr_array_add (joined->patterns, g_strdup (b->patterns->pdata[i]));
    return joined;
}

bool
pv_suppressions_equal (const PvSuppressions *a, const PvSuppressions *b)
{
    if (a == b)
        return true;
    if (count_patterns (a) != count_patterns (b))
        return false;
    for (guint i = 0; i < count_patterns (a); i++)
        if (strcmp (a->patterns->pdata[i], b->patterns->pdata[i]) != 0)
            return false;
    return true;
}

/* Matching */

/* The pairs of neighboring bytes of a text, by their hash. */
typedef struct {
    uint64_t bits[4];
} Pairs;

/* A parsed pattern: pieces with any text between them. */
typedef struct {
    const char *text;
    char **pieces;
    size_t *piece_lengths;
    Pairs pairs; /* of all pieces: a text without one of them does not match */
    size_t n_pieces;
    bool is_at_start;
    bool is_at_end;
    bool is_empty; /* "$" with nothing before it: only matches itself */
} Pattern;

typedef struct {
    PV_ARRAY (Pattern) patterns;
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    bool *is_function;
    bool *is_module;
    PvIdMap files; /* by pointer (equal names have the same): 1 no, 2 yes */
} Matching;

static void
add_pairs (Pairs *pairs, const char *text, size_t length)
{
    for (size_t i = 1; i < length; i++) {
        uint32_t pair = (uint32_t)(uint8_t)text[i - 1] << 8 | (uint8_t)text[i];
        unsigned bit = pair * UINT32_C (0x9e3779b1) >> 24;
        pairs->bits[bit / 64] |= UINT64_C (1) << bit % 64;
    }
}

static bool
has_pairs (const Pairs *all, const Pairs *wanted)
{
    uint64_t missing = 0;
    for (size_t i = 0; i < G_N_ELEMENTS (all->bits); i++)
        missing |= wanted->bits[i] & ~all->bits[i];
    return missing == 0;
}

static void
add_pattern (Matching *matching, const char *text)
{
    Pattern pattern = {.text = text, .is_at_start = *text == '^'};
    const char *start = text + pattern.is_at_start;
    size_t length = strcspn (start, "$"); /* ignore everything after "$" */
    pattern.is_at_end = start[length] == '$';
    pattern.is_empty = pattern.is_at_end && length == 0;
    g_autofree char *body = g_strndup (start, length);
    pattern.pieces = g_strsplit (*body != '\0' ? body : "*", "*", -1);
    pattern.n_pieces = g_strv_length (pattern.pieces);
    pattern.piece_lengths = g_new (size_t, pattern.n_pieces);
    for (size_t i = 0; i < pattern.n_pieces; i++) {
        pattern.piece_lengths[i] = strlen (pattern.pieces[i]);
        add_pairs (&pattern.pairs, pattern.pieces[i], pattern.piece_lengths[i]);
    }
    pv_array_push (&matching->patterns, pattern);
}

static void
clear_patterns (Matching *matching)
{
    for (size_t i = 0; i < matching->patterns.len; i++) {
        g_strfreev (matching->patterns.data[i].pieces);
        g_free (matching->patterns.data[i].piece_lengths);
    }
    pv_array_clear (&matching->patterns);
}

/* The position after the first occurrence of a piece in the rest of a text, or after the anchored
 * one; NULL if there is none. */
static const char *
skip_piece (const Pattern *pattern, size_t i, const char *rest, const char *end)
{
    const char *piece = pattern->pieces[i];
    size_t length = pattern->piece_lengths[i], n_left = (size_t)(end - rest);
    bool is_at_start = pattern->is_at_start && i == 0;
    bool is_at_end = pattern->is_at_end && i + 1 == pattern->n_pieces;

    if (length > n_left || (is_at_start && is_at_end && length != n_left))
        return NULL;
    if (is_at_end)
        return memcmp (end - length, piece, length) == 0 ? end : NULL;
    if (is_at_start)
        return memcmp (rest, piece, length) == 0 ? rest + length : NULL;
    const char *found = strstr (rest, piece);
    return found != NULL ? found + length : NULL;
}

static bool
matches_pattern (const Pattern *pattern, const char *text, size_t length)
{
    const char *rest = pattern->is_empty ? NULL : text;
    for (size_t i = 0; i < pattern->n_pieces && rest != NULL; i++)
        rest = skip_piece (pattern, i, rest, text + length);
    /* Names of operators may contain stars. */
    bool is_plain = pattern->n_pieces == 1 && !pattern->is_at_start && !pattern->is_at_end;
    return rest != NULL || (!is_plain && strcmp (pattern->text, text) == 0);
}

static bool
matches_text (const Matching *matching, const char *text)
{
    size_t length = text != NULL ? strlen (text) : 0;
    Pairs pairs = {0};
    add_pairs (&pairs, text, length);
    for (size_t i = 0; length > 0 && i < matching->patterns.len; i++) {
        const Pattern *pattern = &matching->patterns.data[i];
        if (has_pairs (&pairs, &pattern->pairs) && matches_pattern (pattern, text, length))
            return true;
    }
    return false;
}

static bool
matches_file (Matching *matching, const char *file)
{
    if (file == NULL)
        return false;
    uint32_t *known = pv_id_map_slot (&matching->files, (uint64_t)(uintptr_t)file);
    if (*known == 0)
        *known = matches_text (matching, file) ? 2 : 1;
    return *known == 2;
}

static bool
matches_location (Matching *matching, PvLocationId location)
{
    uint32_t n_frames;
    const PvFrame *frames = pv_symbol_table_frames (matching->symbols, location, &n_frames);

    if (matching->is_module[matching->profile->module_of_location[location]])
        return true;
    for (uint32_t f = 0; f < n_frames; f++)
        if (matching->is_function[frames[f].function] || matches_file (matching, frames[f].file))
            return true;
    return false;
}

/* The number of the recording's patterns to use: a hostile one could have as many as functions. */
static size_t
count_embedded (const Matching *matching)
{
    uint64_t size_bytes = 1;
    for (PvFunctionId f = 1; f < matching->symbols->n_functions; f++)
        size_bytes += strlen (matching->symbols->functions[f].name) + 64;
    uint64_t most = MAX (MAX_MATCHED_BYTES / size_bytes, MIN_EMBEDDED);
    return MIN (most, matching->profile->n_suppressions);
}

static void
gather_patterns (Matching *matching, const PvSuppressions *suppressions, bool with_defaults)
{
    for (guint i = 0; i < count_patterns (suppressions); i++)
        add_pattern (matching, suppressions->patterns->pdata[i]);
    if (!with_defaults)
        return;
    for (size_t i = 0; i < G_N_ELEMENTS (defaults); i++)
        add_pattern (matching, defaults[i]);
    size_t n_embedded = count_embedded (matching);
    for (size_t i = 0; i < n_embedded; i++) {
        const char *pattern = get_pattern (matching->profile->suppressions[i]);
        if (pattern != NULL)
            add_pattern (matching, pattern);
    }
}

/* NULL if no location matches. */
static bool *
match_locations (Matching *matching)
{
    const PvProfile *profile = matching->profile;
    const PvSymbolTable *symbols = matching->symbols;
    bool *is_location = g_new0 (bool, profile->n_locations);
    bool is_any = false;

    matching->is_function = g_new0 (bool, symbols->n_functions);
    matching->is_module = g_new0 (bool, profile->n_modules);
    for (PvFunctionId f = 1; f < symbols->n_functions; f++)
        matching->is_function[f] = symbols->functions[f].kind == PV_FUNCTION_NAMED &&
                                   matches_text (matching, symbols->functions[f].name);
    for (PvModuleId m = 0; m < profile->n_modules; m++)
        matching->is_module[m] = matches_text (matching, profile->modules[m].path);
    for (PvLocationId l = 1; l < symbols->n_locations && l < profile->n_locations; l++) {
        is_location[l] = matches_location (matching, l);
        is_any |= is_location[l];
    }
    g_free (matching->is_function);
    g_free (matching->is_module);
    pv_id_map_clear (&matching->files);
    if (!is_any)
        g_clear_pointer (&is_location, g_free);
    return is_location;
}

bool *
pv_suppressions_match_stacks (const PvSuppressions *suppressions, bool with_defaults,
                              const PvProfile *profile, const PvSymbolTable *symbols)
{
    g_assert (symbols->n_locations >= profile->n_locations);
    Matching matching = {.profile = pv_profile_get_named (profile),
                         .symbols = pv_symbol_table_get_named (symbols)};

    gather_patterns (&matching, suppressions, with_defaults);
    g_autofree bool *is_location = matching.patterns.len > 0 ? match_locations (&matching) : NULL;
    clear_patterns (&matching);
    if (is_location == NULL)
        return NULL;
    bool *is_suppressed = g_new0 (bool, profile->n_stacks);
    for (PvStackId s = 1; s < profile->n_stacks; s++)
        is_suppressed[s] = is_suppressed[profile->parent_of_stack[s]] ||
                           is_location[profile->location_of_stack[s]];
    return is_suppressed;
}

void
pv_suppressions_sum_leaks (const PvSuppressions *suppressions, bool with_defaults,
                           const PvProfile *profile, const PvSymbolTable *symbols,
                           uint64_t *ret_leaked, uint64_t *ret_suppressed)
{
    const PvHeap *heap = profile->heap;
    int64_t leaked = 0, suppressed = 0;

    if (heap != NULL) {
        g_autofree bool *is_suppressed =
            pv_suppressions_match_stacks (suppressions, with_defaults, profile, symbols);
        g_autofree int64_t *weights = g_new (int64_t, MAX (heap->n_sites, 1));
        pv_heap_weigh_sites (heap, PV_HEAP_LEAKED, 0, heap->n_bins, weights, NULL);
        for (uint32_t s = 0; s < heap->n_sites; s++) {
            if (is_suppressed != NULL && is_suppressed[heap->stack_of_site[s]])
                suppressed += weights[s];
            else
                leaked += weights[s];
        }
    }
    *ret_leaked = (uint64_t)MAX (leaked, 0);
    *ret_suppressed = (uint64_t)MAX (suppressed, 0);
}

/* Cached results */

PvSuppressedStacks *
pv_suppressed_stacks_new (PvSuppressions *suppressions, bool with_defaults,
                          const PvProfile *profile, const PvSymbolTable *symbols)
{
    PvSuppressedStacks *stacks = g_new0 (PvSuppressedStacks, 1);
    stacks->ref_count = 1;
    stacks->suppressions = pv_suppressions_ref (suppressions);
    stacks->with_defaults = with_defaults;
    stacks->is_suppressed =
        pv_suppressions_match_stacks (suppressions, with_defaults, profile, symbols);
    return stacks;
}

PvSuppressedStacks *
pv_suppressed_stacks_ref (PvSuppressedStacks *stacks)
{
    if (stacks != NULL)
        __atomic_add_fetch (&stacks->ref_count, 1, __ATOMIC_RELAXED);
    return stacks;
}

void
pv_suppressed_stacks_unref (PvSuppressedStacks *stacks)
{
    if (!pv_ref_was_last (stacks))
        return;
    pv_suppressions_free (stacks->suppressions);
    g_free (stacks->is_suppressed);
    g_free (stacks);
}
