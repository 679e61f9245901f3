/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/symbol-chains.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/symbolize/names/languages.h"

#define NO_FUNCTION UINT32_MAX

/* Distinguishes keys that are range starts from keys that are addresses of names. */
#define RANGE_KEY (UINT64_C (1) << 63)

typedef struct {
    PvDemangler *demangler;
    PvArena *arena;
    const PvModule *module;
    PvIdMap index; /* address of a name, or start of a range -> 1 + index in functions */
    PV_ARRAY (PvFunction) functions;
    PV_ARRAY (PvNamedFrame) frames;
} Naming;

/* The local function of a name, created on first use. line distinguishes overloads without linkage
 * names. */
static uint32_t
add_function (Naming *naming, const char *raw_name, bool is_mangled, PvNameSource source,
              const char *file, uint32_t line)
{
    uint64_t key = (uint64_t)(uintptr_t)raw_name ^ (uint64_t)line << 40;
    uint32_t *slot = pv_id_map_slot (&naming->index, key & ~RANGE_KEY);

    if (*slot == 0) {
        PvDemangled names = pv_demangler_get_from (naming->demangler, raw_name, source);
        PvFunction function = {
            .name = names.name,
            .short_name = names.short_name,
            .raw_name = is_mangled || strcmp (names.name, raw_name) != 0 ? raw_name : NULL,
            .file = file,
            .line = line,
            .kind = PV_FUNCTION_NAMED};
        pv_array_push (&naming->functions, function);
        *slot = (uint32_t)naming->functions.len;
    }
    return *slot - 1;
}

static uint32_t
add_range (Naming *naming, uint64_t start)
{
    uint32_t *slot = pv_id_map_slot (&naming->index, start | RANGE_KEY);

    if (*slot == 0) {
        PvFunction function = {.name =
                                   pv_arena_printf (naming->arena, "%s+0x%" G_GINT64_MODIFIER "x",
                                                    naming->module->name, start),
                               .kind = PV_FUNCTION_RANGE};
        pv_array_push (&naming->functions, function);
        *slot = (uint32_t)naming->functions.len;
    }
    return *slot - 1;
}

static void
add_hit (Naming *naming, const PvSymbolHit *hit)
{
    PvNamedFrame frame = {.function = NO_FUNCTION};

    if (hit != NULL && hit->kind == PV_SYMBOL_NAMED)
        frame.function = add_function (naming, hit->name, true,
                                       pv_module_get_name_source (naming->module), NULL, 0);
    else if (hit != NULL && hit->kind == PV_SYMBOL_RANGE)
        frame.function = add_range (naming, hit->start);
    if (frame.function != NO_FUNCTION)
        pv_array_push (&naming->frames, frame);
}

/* A linkage name that is not mangled comes from an assembler label, such as those that the C
 * library uses for internal calls ("__GI___libc_malloc"). */
static bool
is_label (const char *linkage_name)
{
    static const char *const prefixes[] = {"_Z", "__Z", "_R", "_D", "$s"};

    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (g_str_has_prefix (linkage_name, prefixes[i]))
            return false;
    return true;
}

/* DWARF's name is better, because parts and inlined calls of a function have the same name; but the
 * symbol table has the public name where DWARF has a label, and the parameters where DWARF has no
 * linkage name (functions local to a unit). */
static bool
is_symbol_better (const PvChainFrame *frame, const PvFunction *known)
{
    if (known->kind != PV_FUNCTION_NAMED || known->raw_name == NULL ||
        frame->source == PV_NAME_ADA || frame->source == PV_NAME_NIM ||
        (frame->linkage_name != NULL && !is_label (frame->linkage_name)))
        return false;
    /* Not "f.cold" or "f.part.0"; mangled names lose that suffix. */
    return !is_label (known->raw_name) ||
           memchr (known->raw_name, '.', strcspn (known->raw_name, "@")) == NULL;
}

/* The name without a suffix for a part or variant of the function: " [clone .cold]". */
static const char *
cut_clone (Naming *naming, const char *name, const char *suffix)
{
    const char *end = strstr (name, suffix);
    return end != NULL && end > name ? pv_arena_strndup (naming->arena, name, (size_t)(end - name))
                                     : name;
}

/* Handles the outermost frame of a chain, whose function may also be in the symbol table. */
static void
use_symbol (Naming *naming, const PvChainFrame *from, const PvFunction *known,
            uint32_t *ret_function)
{
    if (*ret_function == NO_FUNCTION) {
        *ret_function = (uint32_t)naming->functions.len;
        pv_array_push (&naming->functions, *known);
    } else if (is_symbol_better (from, known)) {
        PvFunction *function = &naming->functions.data[*ret_function];
        PvDemangled names = {known->name, known->short_name};
        /* The unit knows better which mangling it can be. */
        if (is_label (known->raw_name) && strcmp (known->name, known->raw_name) != 0)
            names = pv_demangler_get_from (naming->demangler, known->raw_name, from->source);
        function->name = cut_clone (naming, names.name, " [clone ");
        function->short_name = names.short_name;
        function->raw_name = cut_clone (naming, known->raw_name, ".");
    }
}

static void
add_chain (Naming *naming, const PvFrameChain *chain, const PvFunction *known)
{
    static const char internal[] = "__GI_";

    for (uint32_t f = 0; f < chain->n_frames; f++) {
        const PvChainFrame *from = &chain->frames[f];
        PvNamedFrame frame = {.function = NO_FUNCTION,
                              .line = from->line,
                              .file = from->file,
                              .is_inlined = from->is_inlined};
        const char *raw = from->linkage_name != NULL ? from->linkage_name : from->name;
        bool is_mangled = from->linkage_name != NULL && !is_label (from->linkage_name);
        if (raw != NULL && g_str_has_prefix (raw, internal))
            raw += strlen (internal);
        if (raw != NULL && *raw != '\0')
            frame.function = add_function (naming, raw, is_mangled, from->source,
                                           from->decl_file != NULL ? from->decl_file : from->file,
                                           from->decl_line);
        if (!from->is_inlined && known != NULL)
            use_symbol (naming, from, known, &frame.function);
        /* Leave out inlined functions without a name. */
        if (frame.function != NO_FUNCTION || !frame.is_inlined)
            pv_array_push (&naming->frames, frame);
    }
}

/* The function that the first step found for an address, or NULL. */
static const PvFunction *
get_known (const PvNamedChains *known, uint32_t place)
{
    if (known == NULL || known->first_frame[place] == known->first_frame[place + 1])
        return NULL;
    uint32_t function = known->frames[known->first_frame[place + 1] - 1].function;
    return function != NO_FUNCTION ? &known->functions[function] : NULL;
}

void
pv_named_chains_build (PvNamedChains *named, PvDemangler *demangler, const PvModule *module,
                       const PvFrameChain *chains, const PvSymbolHit *hits,
                       const PvNamedChains *known, const uint32_t *places, size_t n, PvArena *arena)
{
    g_assert (named != NULL && demangler != NULL && module != NULL && arena != NULL);
    g_assert (known == NULL || places != NULL);

    Naming naming = {.demangler = demangler, .arena = arena, .module = module};

    named->n_addrs = n;
    named->first_frame = pv_arena_alloc (arena, (n + 1) * sizeof *named->first_frame);
    for (size_t i = 0; i < n; i++) {
        const PvSymbolHit *hit = hits != NULL ? &hits[i] : NULL;
        named->first_frame[i] = (uint32_t)naming.frames.len;
        if (chains != NULL && chains[i].n_frames > 0)
            add_chain (&naming, &chains[i], places != NULL ? get_known (known, places[i]) : NULL);
        else
            add_hit (&naming, hit);
    }
    named->first_frame[n] = (uint32_t)naming.frames.len;
    named->frames =
        pv_arena_memdup (arena, naming.frames.data, naming.frames.len * sizeof *named->frames);
    named->n_functions = (uint32_t)naming.functions.len;
    named->functions = pv_arena_memdup (arena, naming.functions.data,
                                        naming.functions.len * sizeof *named->functions);
    pv_array_clear (&naming.frames);
    pv_array_clear (&naming.functions);
    pv_id_map_clear (&naming.index);
}

/* File names repeat from frame to frame; within a unit they are the same pointer. */
typedef struct {
    PvIdMap index;
    PV_ARRAY (const char *) names;
} Files;

static const char *
intern_file (Files *files, PvSymbolBuilder *builder, const char *file)
{
    if (file == NULL || *file == '\0')
        return NULL;
    uint32_t *slot = pv_id_map_slot (&files->index, (uint64_t)(uintptr_t)file);
    if (*slot == 0) {
        pv_array_push (&files->names, pv_symbol_builder_string (builder, file));
        *slot = (uint32_t)files->names.len;
    }
    return files->names.data[*slot - 1];
}

void
pv_named_chains_add (const PvNamedChains *named, PvSymbolBuilder *builder, PvModuleId module,
                     PvBuiltChains *ret_built)
{
    g_assert (named != NULL && builder != NULL && ret_built != NULL);

    uint32_t n_frames = named->first_frame[named->n_addrs];
    g_autofree PvFunctionId *ids = g_new (PvFunctionId, named->n_functions);
    PvFunction unknown = {.name = "??", .module = module, .kind = PV_FUNCTION_UNKNOWN};
    Files files = {0};

    for (uint32_t f = 0; f < named->n_functions; f++) {
        PvFunction function = named->functions[f];
        function.module = module;
        ids[f] = pv_symbol_builder_function (builder, &function);
    }
    ret_built->frames = g_new (PvFrame, n_frames);
    ret_built->first_frame = named->first_frame;
    for (uint32_t f = 0; f < n_frames; f++) {
        const PvNamedFrame *from = &named->frames[f];
        ret_built->frames[f] = (PvFrame){
            .function = from->function != NO_FUNCTION
                            ? ids[from->function]
                            : pv_symbol_builder_function (builder, &unknown),
            .line = from->line,
            .file = intern_file (&files, builder, from->file),
            .is_inlined = from->is_inlined,
        };
    }
    pv_id_map_clear (&files.index);
    pv_array_clear (&files.names);
}

void
pv_built_chains_clear (PvBuiltChains *built)
{
    g_free (built->frames);
}
