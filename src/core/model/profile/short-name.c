/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/short-name.h"

#include <glib.h>
#include <string.h>

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

const char *
pv_skip_return_type (const char *name)
{
    g_assert (name != NULL);
    static const char unnamed[] = "(anonymous namespace)";
    const char *start = name;
    bool has_end = false; /* of the return type and the name */

    for (const char *s = name; *s != '\0' && !has_end;) {
        const char *close = strchr ("<([{", *s) != NULL ? find_close (s) : NULL;
        bool is_first = s == name || s[-1] == ' ' || s[-1] == ':';
        if (s > name && s[-1] == ' ')
            start = s;
        /* Parameters do not start a word: "decltype (x) f<int>()". */
        has_end = is_first ? g_str_has_prefix (s, "operator") : *s == '(';
        s = close != NULL ? close : s + 1;
    }
    bool is_template = has_end && strchr (start, '<') != NULL;
    return is_template && (*start != '(' || g_str_has_prefix (start, unnamed)) ? start : name;
}

static const char clone_suffix[] = " [clone ", plt_suffix[] = "@plt";

/* The end of a name without clone suffixes and qualifiers. */
static const char *
find_end (const char *name)
{
    static const char *const qualifiers[] = {" const", " volatile", " &&", " &"};
    const char *clone = strstr (name, clone_suffix);
    const char *end = clone != NULL ? clone : name + strlen (name);
    if (clone == NULL && g_str_has_suffix (name, plt_suffix))
        end -= strlen (plt_suffix);
    for (size_t i = 0; i < G_N_ELEMENTS (qualifiers);) {
        size_t len = strlen (qualifiers[i]);
        bool has_it = (size_t)(end - name) > len && memcmp (end - len, qualifiers[i], len) == 0;
        end -= has_it ? len : 0;
        i = has_it ? 0 : i + 1;
    }
    return end;
}

bool
pv_has_parameters (const char *name)
{
    g_assert (name != NULL);
    static const char *const specials[] = {
        "non-virtual thunk to ",  "virtual thunk to ",   "covariant return thunk to ",
        "transaction clone for ", "guard variable for ", "reference temporary ",
    };
    static const char call[] = "operator()", unnamed[] = "(anonymous namespace)";
    const char *end = find_end (name), *open = end;
    size_t depth = 0, len = (size_t)(end - name);
    if (len == 0 || end[-1] != ')')
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS (specials); i++)
        if (g_str_has_prefix (name, specials[i]))
            return false;
    do {
        open--;
        depth += *open == ')';
        depth -= *open == '(';
    } while (depth > 0 && open > name);
    if (depth > 0 || open == name || open[-1] == ' ')
        return false;
    bool is_call = len >= strlen (call) && memcmp (end - strlen (call), call, strlen (call)) == 0;
    return !is_call && !((size_t)(end - open) == strlen (unnamed) &&
                         memcmp (open, unnamed, strlen (unnamed)) == 0);
}

/* Appends template arguments. Some tools write a blank between two brackets that close. */
static void
append_arguments (Text *out, const char *start, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (start[i] != ' ' || i == 0 || i + 1 == len || start[i - 1] != '>' || start[i + 1] != '>')
            text_append_char (out, start[i]);
}

char *
pv_strip_parameters (const char *name)
{
    g_assert (name != NULL);
    PvNameParts parts = {0};
    Text out = {0};
    const char *suffix = g_str_has_suffix (name, plt_suffix) ? plt_suffix : "";
    g_autofree char *base = g_strndup (name, strlen (name) - strlen (suffix));
    g_autofree char *shorter = pv_shorten_name_parts (base, &parts);
    size_t done = 0;
    for (size_t i = 0; i < parts.len; i++) {
        const PvNamePart *part = &parts.data[i];
        size_t at = MAX (part->at, done);
        text_append (&out, shorter + done, at - done);
        done = at;
        if (*part->start == '<')
            append_arguments (&out, part->start, part->len);
    }
    text_append (&out, shorter + done, strlen (shorter) - done);
    text_append (&out, suffix, strlen (suffix));
    pv_array_clear (&parts);
    return text_finish (&out);
}

/* The end of a name without "::h0123456789abcdef", which Rust's legacy names have. */
static const char *
find_rust_hash (const char *name, const char *end)
{
    enum { HASH_LEN = 3 + 16 };
    const char *hash = end - name > HASH_LEN ? end - HASH_LEN : NULL;
    if (hash == NULL || strncmp (hash, "::h", 3) != 0)
        return end;
    for (const char *s = hash + 3; s < end; s++)
        if (strchr ("0123456789abcdef", *s) == NULL)
            return end;
    return hash;
}

/* The end of a name without "@GLIBC_2.2.5" or "@@LIB_1.0", a symbol's version. */
static const char *
find_version (const char *name, const char *end)
{
    const char *at = end, *digit = NULL;
    for (; at > name && (g_ascii_isalnum (at[-1]) || at[-1] == '_' || at[-1] == '.'); at--)
        if (at < end && at[-1] == '_' && g_ascii_isdigit (*at))
            digit = at;
    if (digit == NULL || at - name < 2 || at[-1] != '@' || !g_ascii_isupper (*at))
        return end;
    at -= at[-2] == '@' ? 2 : 1;
    return at > name ? at : end;
}

/* Appends ".cold" of " (.cold)", ".part.0" of " [clone .part.0]"; not what a build numbers. */
static void
append_clone (Text *out, const char *start, size_t len)
{
    static const char numbered[] = ".llvm.";
    if (len > strlen (numbered) && strncmp (start, numbered, strlen (numbered)) == 0)
        return;
    text_append (out, clone_suffix, strlen (clone_suffix));
    text_append (out, start, len);
    text_append_char (out, ']');
}

static void
append_clones (Text *out, const char *s)
{
    for (const char *end; *s != '\0'; s = end) {
        bool is_other = strncmp (s, " (.", 3) == 0, is_clone = strncmp (s, clone_suffix, 8) == 0;
        size_t skipped = is_other ? 2 : is_clone ? strlen (clone_suffix) : 0;
        end = skipped > 0 ? strchr (s, is_other ? ')' : ']') : NULL;
        if (end == NULL) {
            text_append (out, s, strlen (s));
            return;
        }
        append_clone (out, s + skipped, (size_t)(end - s) - skipped);
        end++;
    }
}

/* Go's linker writes dots of the last part of a package's path as "%2e". */
static void
append_unescaped (Text *out, const char *start, const char *end)
{
    static const char escaped[] = "%2e";
    for (const char *found; (found = g_strstr_len (start, end - start, escaped)) != NULL;) {
        text_append (out, start, (size_t)(found - start));
        text_append_char (out, '.');
        start = found + strlen (escaped);
    }
    text_append (out, start, (size_t)(end - start));
}

char *
pv_unify_name (const char *name)
{
    g_assert (name != NULL);
    static const char llvm[] = ".llvm.";
    static const char internal[] = "__GI_"; /* labels that the C library has for itself */
    static const char abi[] = ".abi0";      /* Go's assembler adds it to symbols */
    Text out = {0};
    const char *start = strchr (name, ' ') != NULL ? pv_skip_return_type (name) : name;
    const char *clones = strstr (start, clone_suffix), *other = strstr (start, " (.");
    if (clones == NULL || (other != NULL && other < clones))
        clones = other;
    const char *end = clones != NULL ? clones : start + strlen (start);
    if (g_str_has_prefix (start, internal) && start[strlen (internal)] != '\0')
        start += strlen (internal);
    if (end - start > (ptrdiff_t)strlen (abi) &&
        strncmp (end - strlen (abi), abi, strlen (abi)) == 0)
        end -= strlen (abi);
    const char *number = strstr (start, llvm);
    if (number != NULL && number > start && number < end &&
        strspn (number + strlen (llvm), "0123456789") == (size_t)(end - number) - strlen (llvm))
        end = number;
    end = find_rust_hash (start, find_version (start, end));
    append_unescaped (&out, start, end);
    if (clones != NULL)
        append_clones (&out, clones);
    char *unified = text_finish (&out);
    if (strcmp (unified, name) == 0)
        g_clear_pointer (&unified, g_free);
    return unified;
}

size_t
pv_find_variant (const char *name)
{
    static const char *const suffixes[] = {" [clone ", ".constprop.", ".isra.", ".part.",
                                           ".cold",    ".lto_priv.",  ".llvm."};
    const char *first = NULL;
    g_assert (name != NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (suffixes); i++) {
        const char *found = strstr (name, suffixes[i]);
        if (found != NULL && (first == NULL || found < first))
            first = found;
    }
    return first != NULL ? (size_t)(first - name) : 0;
}
