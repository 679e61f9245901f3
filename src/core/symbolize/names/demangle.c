/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libiberty implements the grammars. This file chooses one, limits the size of hostile names, and
 * makes the short form.
 *
 * A mangled name may refer back to parts of itself, so a hundred bytes can expand to gigabytes.
 * libiberty's callbacks cannot stop it, but all its state is on the stack, so the callback exits
 * with longjmp () when it reaches the limit.
 */
#include "core/symbolize/names/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/idmap.h"
#include "core/symbolize/names/languages.h"

#define MAX_SYMBOL_BYTES    (32u << 10)
#define MAX_DEMANGLED_BYTES (64u << 10)
#define MAX_D_REFERENCES    10u
#define MAX_D_DEPTH         8192u

/* Text under construction. Not GString, whose allocator ThreadSanitizer cannot follow. */
typedef struct {
    char *data;
    size_t len;
    size_t cap;
    PvNameParts *parts; /* collects what a short name leaves out; or NULL */
} Text;

static void
text_append (Text *text, const char *piece, size_t len)
{
    pv_array_append (text, piece, len);
}

static void
text_append_char (Text *text, char c)
{
    pv_array_push (text, c);
}

static char *
text_finish (Text *text)
{
    pv_array_push (text, '\0');
    return text->data;
}

typedef struct {
    Text text;
    jmp_buf too_long;
} Output;

static void
append_piece (const char *piece, size_t len, void *opaque)
{
    Output *output = opaque;

    if (output->text.len + len > MAX_DEMANGLED_BYTES)
        longjmp (output->too_long, 1);
    text_append (&output->text, piece, len);
}

typedef int (*DemangleFunc) (const char *symbol, int options, demangle_callbackref callback,
                             void *opaque);

/* The frame that longjmp () returns to modifies none of its variables. */
static bool
run (DemangleFunc demangle, const char *symbol, int options, Output *output)
{
    return setjmp (output->too_long) == 0 &&
           demangle (symbol, options, append_piece, output) != 0 && output->text.len > 0;
}

static char *
demangle_with (DemangleFunc demangle, const char *symbol, int options)
{
    Output output = {0};

    /* Most demangled names are not much longer. */
    pv_array_reserve (&output.text, 2 * strlen (symbol) + 16);
    if (run (demangle, symbol, options, &output))
        return text_finish (&output.text);
    pv_array_clear (&output.text);
    return NULL;
}

/* The target of a back reference in a D name ("Q" and a distance in base 26, whose last digit is
 * lower case); NULL if it is outside the name, or a plain identifier. */
static const char *
find_d_type (const char *symbol, const char *q)
{
    size_t distance = 0;
    const char *c = q + 1;
    for (; g_ascii_isupper (*c) && distance < MAX_SYMBOL_BYTES; c++)
        distance = distance * 26 + (size_t)(*c - 'A');
    if (!g_ascii_islower (*c))
        return NULL;
    distance = distance * 26 + (size_t)(*c - 'a');
    if (distance == 0 || distance > (size_t)(q - symbol) || g_ascii_isdigit (q[-(ssize_t)distance]))
        return NULL;
    return q - distance;
}

/* libiberty expands nested references again each time, and recurses for each character: without a
 * limit, a hundred bytes would take hours, and some thousand the whole stack. */
static bool
is_modest_d (const char *symbol)
{
    size_t n_references = 0;
    for (const char *q = strchr (symbol, 'Q'); q != NULL; q = strchr (q + 1, 'Q'))
        n_references += find_d_type (symbol, q) != NULL;
    return n_references <= MAX_D_REFERENCES && (n_references + 1) * strlen (symbol) <= MAX_D_DEPTH;
}

/* D has no callback interface. */
static char *
demangle_d (const char *symbol)
{
    if (!is_modest_d (symbol))
        return NULL;
    char *demangled = dlang_demangle (symbol, DMGL_PARAMS | DMGL_DLANG);
    char *copy = demangled != NULL && *demangled != '\0' ? g_strdup (demangled) : NULL;

    free (demangled);
    return copy;
}

/* "_Zoo" would be "operator||" without the types that each operator has: it is a name of C. */
static bool
is_bare_operator (const char *symbol)
{
    return g_ascii_islower (symbol[2]) && g_ascii_isalpha (symbol[3]) && symbol[4] == '\0';
}

static char *
demangle_once (const char *symbol, bool with_parameters)
{
    int options = DMGL_ANSI | (with_parameters ? DMGL_PARAMS | DMGL_RET_DROP : 0);
    char *name = NULL;

    /* Mach-O and some older systems add an underscore in front. */
    if (g_str_has_prefix (symbol, "__Z") || g_str_has_prefix (symbol, "__R"))
        symbol++;
    if (g_str_has_prefix (symbol, "_Z") || g_str_has_prefix (symbol, "_R")) {
        /* Rust first: its legacy names are also valid C++ names, with an unwanted hash, a part of
         * 17 letters. */
        if (symbol[1] == 'R' || strstr (symbol, "17h") != NULL)
            name = demangle_with (rust_demangle_callback, symbol, options);
        char *legacy =
            name != NULL && strstr (name, "$u") != NULL ? pv_demangle_legacy_rust (symbol) : NULL;
        if (legacy != NULL) {
            g_free (name);
            name = legacy;
        }
        if (name == NULL && symbol[1] == 'Z' && !is_bare_operator (symbol))
            name = demangle_with (cplus_demangle_v3_callback, symbol, options);
    } else if (symbol[0] == '_' && symbol[1] == 'D' && g_ascii_isdigit (symbol[2])) {
        name = demangle_d (symbol);
    }
    return name;
}

char *
pv_demangle (const char *symbol, bool with_parameters)
{
    g_assert (symbol != NULL);
    if (symbol[0] != '_' || strlen (symbol) > MAX_SYMBOL_BYTES)
        return NULL;
    char *name = demangle_once (symbol, with_parameters);
    if (name != NULL)
        return name;

    /* Clone suffixes (".llvm.123", ".cold", ".part.0") that the grammar does not know. */
    const char *suffix = strchr (symbol, '.');
    if (suffix == NULL || suffix - symbol < 4)
        return NULL;
    g_autofree char *without = g_strndup (symbol, (size_t)(suffix - symbol));
    return demangle_once (without, with_parameters);
}

/* "__dl__ZN6soinfo4linkEv", which keeps Android's linker apart from its C library, is written as
 * simpleperf does. */
static char *
demangle_linker (const char *symbol)
{
    static const char prefix[] = "__dl_";
    if (!g_str_has_prefix (symbol, prefix))
        return NULL;
    symbol += strlen (prefix);
    g_autofree char *name = pv_demangle (symbol, true);
    return g_strconcat ("[linker]", name != NULL ? name : symbol, NULL);
}

char *
pv_demangle_from (const char *symbol, PvNameSource source)
{
    char *name = pv_demangle (symbol, true);
    if (name != NULL)
        return name;
    return source == PV_NAME_LINKER ? demangle_linker (symbol)
                                    : pv_demangle_language (symbol, source);
}

/* Short names */

#define MAX_NESTING 128

static bool
is_word (char c)
{
    return g_ascii_isalnum (c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* '\0' counts, as both end a run of other characters. */
static const bool is_bracket_or_end[256] = {
    ['\0'] = true, ['<'] = true, ['('] = true, ['['] = true, ['{'] = true,
    ['>'] = true,  [')'] = true, [']'] = true, ['}'] = true,
};

static inline bool
opens (char c)
{
    return c == '<' || c == '(' || c == '[' || c == '{';
}

/* The position after the bracket that closes the one at s; NULL if it is never closed. '>' only
 * counts if the innermost open bracket is '<', which ignores comparisons in parentheses and
 * "->". */
static const char *
find_close (const char *s)
{
    char open[MAX_NESTING];
    size_t depth = 0;

    for (;; s++) {
        while (!is_bracket_or_end[(unsigned char)*s])
            s++;
        switch (*s) {
        case '\0':
            return NULL;
        case '<':
        case '(':
        case '[':
        case '{':
            if (depth == MAX_NESTING)
                return NULL;
            open[depth++] = *s;
            break;
        case '>':
            if (open[depth - 1] == '<' && s[-1] != '-')
                depth--;
            break;
        case ')':
        case ']':
        case '}':
            while (depth > 1 && open[depth - 1] == '<')
                depth--;
            depth--;
            break;
        default:
            break;
        }
        if (depth == 0)
            return s + 1;
    }
}

const char *
pv_find_close_bracket (const char *open)
{
    g_assert (opens (*open));
    return find_close (open);
}

/* True if the bracket contains " as " at its own level, or starts with "impl ". */
static bool
has_trait (const char *start, const char *end)
{
    for (const char *s = start; s < end;) {
        if (*s == ' ' && strncmp (s, " as ", 4) == 0)
            return true;
        const char *close = opens (*s) ? find_close (s) : NULL;
        s = close != NULL ? close : s + 1;
    }
    return strncmp (start, "impl ", 5) == 0;
}

static bool
ends_with (const Text *out, const char *suffix)
{
    size_t len = strlen (suffix);
    return out->len >= len && memcmp (out->data + out->len - len, suffix, len) == 0;
}

/* True if the output ends with the word "operator". */
static bool
ends_with_operator (const Text *out)
{
    static const size_t len = sizeof "operator" - 1;
    return ends_with (out, "operator") &&
           (out->len == len || !is_word (out->data[out->len - len - 1]));
}

/* Records that the text from start to end was left out here. */
static void
leave_out (Text *out, const char *start, const char *end)
{
    if (out->parts == NULL)
        return;
    PvNamePart part = {out->len, start, (size_t)(end - start)};
    pv_array_push (out->parts, part);
}

static void shorten (Text *out, const char *s, const char *end, unsigned depth);

/* A bracket to keep. */
static void
shorten_inside (Text *out, const char *s, const char *close, unsigned depth)
{
    text_append_char (out, *s);
    shorten (out, s + 1, close - 1, depth + 1);
    text_append_char (out, close[-1]);
}

/* Handles '<' at s; close is the end of the bracket. Returns where to continue. */
static const char *
shorten_angle (Text *out, const char *s, const char *close, unsigned depth)
{
    char before = out->len > 0 ? out->data[out->len - 1] : '\0';
    bool is_path = ends_with (out, "::");

    if (has_trait (s + 1, close - 1)) { /* <T as Trait>, <impl Trait for T> */
        text_append_char (out, '<');
        shorten (out, s + 1, close - 1, depth + 1);
        text_append_char (out, '>');
    } else if (out->len == 0 || (!is_word (before) && !is_path && strchr (">)]}", before) == NULL &&
                                 !ends_with (out, " "))) {
        /* <T>::f: drop the brackets if T is a plain path. */
        bool is_plain =
            is_word (s[1]) && strncmp (s + 1, "dyn ", 4) != 0 && strncmp (close, "::", 2) == 0;
        if (!is_plain)
            text_append_char (out, '<');
        shorten (out, s + 1, close - 1, depth + 1);
        if (!is_plain)
            text_append_char (out, '>');
    } else {
        if (is_path) /* f::<T> */
            out->len -= 2;
        leave_out (out, s, close);
    }
    return close;
}

/* The position after the qualifiers of a parameter list, of the function or an enclosing one:
 * "(int)", "(int) const::"; NULL if it is not a parameter list. */
static const char *
find_after_parameters (const char *close)
{
    static const char *const qualifiers[] = {" const", " volatile", " &&", " &"};

    for (size_t i = 0; i < G_N_ELEMENTS (qualifiers); i++) {
        size_t len = strlen (qualifiers[i]);
        if (strncmp (close, qualifiers[i], len) == 0)
            close += len;
    }
    bool is_end = *close == '\0' || strncmp (close, " [clone ", 8) == 0;
    return is_end || strncmp (close, "::", 2) == 0 ? close : NULL;
}

/* Handles the text after "operator": copies symbols that must not be mistaken for brackets, and
 * leaves out the operator's own template arguments. */
static const char *
copy_operator (Text *out, const char *s, const char *end)
{
    static const char *const symbols[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
                                          ">>", "->", "<=",  ">=",  "<",   ">"};
    const char *start = s;

    for (size_t i = 0; s == start && i < G_N_ELEMENTS (symbols); i++) {
        size_t len = strlen (symbols[i]);
        if ((size_t)(end - s) >= len && strncmp (s, symbols[i], len) == 0)
            s += len;
    }
    if (s == start)
        s += strspn (s, "+-*/%^&|~!=,");
    if (s == start || s > end)
        return start;
    text_append (out, start, (size_t)(s - start));
    const char *arguments = *s == ' ' ? s + 1 : s;
    const char *close = *arguments == '<' ? find_close (arguments) : NULL;
    if (close == NULL || close > end)
        return s;
    leave_out (out, arguments, close);
    return close;
}

/* Inline namespaces of standard libraries are of no use to readers. */
static const char *
skip_inline_namespace (const Text *out, const char *s, const char *end)
{
    static const char *const names[] = {"__cxx11::", "__1::"};

    if (*s != '_' || !ends_with (out, "std::"))
        return s;
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        size_t len = strlen (names[i]);
        if ((size_t)(end - s) > len && strncmp (s, names[i], len) == 0)
            return s + len;
    }
    return s;
}

/* The end of the characters from s on that stay as they are: no bracket, no blank, no word
 * "operator" that ends there, no inline namespace. */
static const char *
find_plain_end (const char *s, const char *end)
{
    static const bool is_special[256] = {['<'] = true, ['('] = true, ['{'] = true, [' '] = true};
    for (; s < end && !is_special[(unsigned char)*s]; s++) {
        if (*s == ':' && s + 1 < end && s[1] == '_')
            return s + 1;
        if (*s == 'r' && s + 1 < end && !is_word (s[1]))
            return s + 1;
    }
    return s;
}

static void
shorten (Text *out, const char *s, const char *end, unsigned depth)
{
    if (depth > MAX_NESTING) {
        text_append (out, s, (size_t)(end - s));
        return;
    }
    size_t operator_end = SIZE_MAX;
    while (s < end) {
        s = skip_inline_namespace (out, s, end);
        if (out->len > 0 && out->data[out->len - 1] == 'r' && ends_with_operator (out)) {
            const char *next = copy_operator (out, s, end);
            if (next != s) {
                s = next;
                operator_end = out->len;
                continue;
            }
        }
        if (depth == 0 && *s == ' ' && strncmp (s, " [clone ", 8) == 0) {
            leave_out (out, s, end);
            return;
        }

        const char *close = opens (*s) && *s != '[' ? find_close (s) : NULL;
        if (close == NULL || close > end) {
            const char *plain_end = find_plain_end (s + 1, end);
            if (*s == ':' || *s == 'r')
                plain_end = s + 1;
            text_append (out, s, (size_t)(plain_end - s));
            s = plain_end;
        } else if (*s == '<') {
            s = shorten_angle (out, s, close, depth);
        } else if (*s == '{') { /* {lambda(int)#1}, {closure#0} */
            shorten_inside (out, s, close, depth);
            s = close;
        } else {
            bool is_function =
                out->len == operator_end ||
                (out->len > 0 && (is_word (out->data[out->len - 1]) ||
                                  strchr (">})=]", out->data[out->len - 1]) != NULL));
            const char *after = is_function ? find_after_parameters (close) : NULL;
            if (after == NULL)
                shorten_inside (out, s, close, depth);
            else
                leave_out (out, s, after);
            s = after != NULL ? after : close;
        }
    }
}

/* Go names start with the package's path and have generics in square brackets:
 * "example.com/a/b.(*T[go.shape.int]).M". */
static char *
shorten_go (const char *name, const char *slash, PvNameParts *ret_parts)
{
    Text out = {.parts = ret_parts};

    for (const char *s = slash + 1; *s != '\0';) {
        bool is_generic = *s == '[' && s > slash + 1 && is_word (s[-1]); /* not an array */
        const char *close = is_generic ? find_close (s) : NULL;
        if (close != NULL) {
            leave_out (&out, s, close);
            text_append (&out, PV_GO_GENERIC, strlen (PV_GO_GENERIC));
            s = close;
        } else {
            text_append_char (&out, *s++);
        }
    }
    if (out.len == 0)
        text_append (&out, name, strlen (name));
    return text_finish (&out);
}

/* The last slash of a Go package path, which is before any bracket; name - 1 if the name looks like
 * Go but has no path; NULL if it does not. */
static const char *
find_go_path (const char *name)
{
    size_t len = strcspn (name, "([{< :");
    const char *slash = memrchr (name, '/', len);

    if (slash != NULL && slash != name)
        return memchr (slash, '.', (size_t)(name + len - slash)) != NULL ? slash : NULL;
    /* "main.Map[go.shape.int]", "main.Map[...]" */
    if (name[len] == '[' && len > 0 && is_word (name[len - 1]) && memchr (name, '.', len) != NULL)
        return name - 1;
    return NULL;
}

char *
pv_shorten_name (const char *name)
{
    g_assert (name != NULL);
    return pv_shorten_name_parts (name, NULL);
}

char *
pv_shorten_name_parts (const char *name, PvNameParts *ret_parts)
{
    const char *slash = find_go_path (name);
    if (slash != NULL)
        return shorten_go (name, slash, ret_parts);

    Text out = {.parts = ret_parts};
    size_t len = strlen (name);
    pv_array_reserve (&out, len + 1);
    shorten (&out, name, name + len, 0);
    if (out.len == 0)
        text_append (&out, name, strlen (name));
    return text_finish (&out);
}

/* True if libiberty's name without parameters lacks nothing else. With that option it also writes
 * return types of functions that are types: "(*)(int)" becomes "void (*)(int)". */
static bool
is_only_without_parameters (const char *symbol, const char *full)
{
    symbol += g_str_has_prefix (symbol, "__");
    bool is_special = g_str_has_prefix (symbol, "_ZT") || g_str_has_prefix (symbol, "_ZG");
    if (is_special || strstr (symbol, "cv") != NULL) /* a conversion */
        return false;
    for (const char *open = strchr (full, '('); open != NULL; open = strchr (open + 1, '(')) {
        bool is_type = open > full && strchr ("<,( ", open[-1]) != NULL;
        if ((is_type && !g_str_has_prefix (open, "(anonymous namespace)")) || open[1] == '*' ||
            open[1] == '&')
            return false;
    }
    return true;
}

char *
pv_demangle_short (const char *symbol, const char *full)
{
    g_assert (symbol != NULL && full != NULL);
    /* Without a bracket there are no parameters to leave out. */
    bool is_same = strchr (full, '(') == NULL || is_only_without_parameters (symbol, full);
    g_autofree char *plain = is_same ? NULL : pv_demangle (symbol, false);
    return pv_shorten_name (plain != NULL ? plain : full);
}

/* Cache */

struct PvDemangler {
    PvArena *arena;
    bool is_off;
    PvHashMap index; /* symbol -> 1 + index in names */
    PvDemangled *names;
    size_t n_names;
    size_t cap;
};

PvDemangler *
pv_demangler_new (PvArena *arena, bool is_off)
{
    g_assert (arena != NULL);
    PvDemangler *demangler = g_new0 (PvDemangler, 1);

    demangler->arena = arena;
    demangler->is_off = is_off;
    return demangler;
}

void
pv_demangler_free (PvDemangler *demangler)
{
    if (demangler == NULL)
        return;
    pv_hash_map_clear (&demangler->index);
    g_free (demangler->names);
    g_free (demangler);
}

static const char *
keep (PvDemangler *demangler, const char *text)
{
    return pv_arena_strndup (demangler->arena, text, strlen (text));
}

/* "memcpy@@GLIBC_2.14": the version is not part of the name; "memcpy@plt" is. */
static char *
strip_version (const char *symbol)
{
    const char *at = strchr (symbol + 1, '@');

    if (at == NULL || strcmp (at, "@plt") == 0)
        return NULL;
    return g_strndup (symbol, (size_t)(at - symbol));
}

static PvDemangled
make_names (PvDemangler *demangler, const char *symbol, PvNameSource source)
{
    static const char plt[] = "@plt";
    g_autofree char *stripped = *symbol != '\0' ? strip_version (symbol) : NULL;
    const char *base = stripped != NULL ? stripped : symbol;
    PvDemangled result;

    if (demangler->is_off) {
        result.name = keep (demangler, base);
        result.short_name = result.name;
        return result;
    }
    bool is_plt = g_str_has_suffix (base, plt);
    g_autofree char *target =
        is_plt ? g_strndup (base, strlen (base) - strlen (plt)) : g_strdup (base);
    g_autofree char *full = pv_demangle_from (target, source);
    const char *readable = full != NULL ? full : target;
    g_autofree char *shorter =
        full != NULL ? pv_demangle_short (target, full) : pv_shorten_name (target);
    const char *suffix = is_plt ? plt : "";

    result.name = pv_arena_printf (demangler->arena, "%s%s", readable, suffix);
    result.short_name = strcmp (shorter, readable) == 0
                            ? result.name
                            : pv_arena_printf (demangler->arena, "%s%s", shorter, suffix);
    return result;
}

PvDemangled
pv_demangler_get (PvDemangler *demangler, const char *symbol)
{
    return pv_demangler_get_from (demangler, symbol, PV_NAME_WRITTEN);
}

PvDemangled
pv_demangler_get_from (PvDemangler *demangler, const char *symbol, PvNameSource source)
{
    g_assert (symbol != NULL);
    PvHash hash = pv_hash_bytes (symbol, strlen (symbol), source);
    uint32_t *slot = pv_hash_map_slot (&demangler->index, hash);

    if (*slot != 0)
        return demangler->names[*slot - 1];
    PvDemangled names = make_names (demangler, symbol, source);
    if (demangler->n_names == demangler->cap) {
        demangler->cap = MAX (64, demangler->cap * 2);
        demangler->names = g_renew (PvDemangled, demangler->names, demangler->cap);
    }
    demangler->names[demangler->n_names++] = names;
    *slot = (uint32_t)demangler->n_names;
    return names;
}
