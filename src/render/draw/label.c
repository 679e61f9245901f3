/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/label.h"

#include <math.h>
#include <string.h>

#include <glib.h>

/* The maximum nesting of brackets; names with deeper nesting are not elided. */
enum { MAX_NESTING = 64 };

bool
pv_label_is_ascii (const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

static float
measure_bytes (const PvAdvances *advances, const char *text, size_t len)
{
    float width = 0;
    for (size_t i = 0; i < len; i++)
        width += advances->of[text[i] & 0x7f];
    return width;
}

float
pv_label_measure (const PvAdvances *advances, const char *text)
{
    size_t len = strlen (text);
    return len < PV_LABEL_MAX ? measure_bytes (advances, text, len) : INFINITY;
}

static bool
is_word (char c)
{
    return g_ascii_isalnum (c) || c == '_' || c == '$';
}

/* True if the name written so far ends in the word "operator": then <, ( and [ are part of the
 * name. */
static bool
ends_in_operator (const char *text, size_t len)
{
    static const char word[] = "operator";
    size_t n = sizeof word - 1;
    return len >= n && memcmp (text + len - n, word, n) == 0 &&
           (len == n || !is_word (text[len - n - 1]));
}

/* The length of the symbols of an operator's name: "operator<<", "operator()", "operator->*". What
 * follows may be template arguments: "operator+<char>". */
static size_t
operator_length (const char *text)
{
    static const char *const symbols[] = {"<=>", "<<=", ">>=", "->*", "()", "[]", "->", "<<", ">>",
                                          "<=",  ">=",  "==",  "!=",  "&&", "||", "++", "--", "+=",
                                          "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^="};
    for (size_t i = 0; i < G_N_ELEMENTS (symbols); i++)
        if (g_str_has_prefix (text, symbols[i]))
            return strlen (symbols[i]);
    return *text != '\0' && strchr ("<>=-+*/%&|^!~,", *text) != NULL ? 1 : 0;
}

/* The position of the bracket that closes text[start], or 0. Arrows and shifts inside template
 * arguments ("->", "operator<") do not count as brackets. */
static size_t
find_close (const char *text, size_t start)
{
    char stack[MAX_NESTING];
    int depth = 0;
    for (size_t i = start; text[i] != '\0'; i++) {
        char c = text[i];
        if (c == '-' && text[i + 1] == '>')
            i++;
        else if (ends_in_operator (text + start, i - start))
            i += MAX (operator_length (text + i), 1) - 1;
        else if (c == '<' || c == '(' || c == '[' || c == '{') {
            if (depth == MAX_NESTING)
                return 0;
            stack[depth++] = c;
        } else if (c == '>' || c == ')' || c == ']' || c == '}') {
            char open = c == '>' ? '<' : c == ')' ? '(' : c == ']' ? '[' : '{';
            /* Comparisons are inside parentheses: "f<(a > b)>". */
            if (c == '>' && depth > 0 && stack[depth - 1] != open)
                continue;
            while (depth > 0 && stack[depth - 1] == '<' && open != '<')
                depth--;
            if (depth == 0 || stack[depth - 1] != open)
                return 0;
            if (--depth == 0)
                return i;
        }
    }
    return 0;
}

typedef struct {
    char *text;
    size_t len;
    bool changed;
    bool failed;         /* too long, or brackets that do not match */
    size_t operator_end; /* end of the symbol of an operator's name, or 0 */
    size_t return_end;   /* output before this is a return type if parameters follow */
    bool has_return;
} PvElision;

static void
put (PvElision *out, const char *text, size_t len)
{
    if (out->len + len >= PV_LABEL_MAX) {
        out->failed = true;
        return;
    }
    memcpy (out->text + out->len, text, len);
    out->len += len;
}

/* Drops the return type before a template function's name: "void std::sort<...>(...)". */
static void
drop_return_type (PvElision *out)
{
    if (!out->has_return)
        return;
    memmove (out->text, out->text + out->return_end, out->len - out->return_end);
    out->len -= out->return_end;
    out->has_return = false;
}

static bool
is_return_type_space (const PvElision *out)
{
    static const char *const words[] = {"operator", "new",   "delete",  "thunk", "to",
                                        "for",      "const", "virtual", "guard", "unsigned"};
    if (out->operator_end > 0 && out->len == out->operator_end)
        return false; /* "operator< <int>" */
    for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
        size_t n = strlen (words[i]);
        if (out->len >= n && memcmp (out->text + out->len - n, words[i], n) == 0)
            return false;
    }
    return true;
}

/* Handles a bracket at the outermost depth. Returns where to continue. */
static size_t
elide_bracket (PvElision *out, const char *name, size_t i)
{
    char open = name[i];
    char before = out->len > 0 ? out->text[out->len - 1] : '\0';
    size_t close = find_close (name, i);
    bool after_word = is_word (before) || before == '>' || before == ']' || before == '}' ||
                      (out->operator_end > 0 && out->len == out->operator_end);

    if (close == 0) {
        out->failed = true;
        return i + 1;
    }
    if (open == '(' && after_word) { /* parameters */
        if (before == '>')
            drop_return_type (out);
        out->changed = true;
        i = close + 1;
        if (g_str_has_prefix (name + i, " const"))
            i += strlen (" const");
        return i;
    }
    bool is_operator = out->operator_end > 0 && out->len == out->operator_end;
    if ((open == '<' && is_operator) || ((open == '<' || open == '[') && is_word (before))) {
        const char dots[] = {open, PV_LABEL_ELLIPSIS, name[close]};
        if (close - i > 2) {
            put (out, dots, sizeof dots);
            out->changed = true;
        } else {
            put (out, name + i, close - i + 1);
        }
        return close + 1;
    }
    put (out, name + i, close - i + 1); /* (anonymous namespace), <T as Trait>, {closure#0} */
    return close + 1;
}

bool
pv_label_elide (const char *name, char *buffer)
{
    g_assert (name != NULL && buffer != NULL);
    PvElision out = {.text = buffer};
    size_t i = 0;

    while (name[i] != '\0' && !out.failed) {
        char c = name[i];
        if (ends_in_operator (out.text, out.len) && operator_length (name + i) > 0) {
            size_t n = operator_length (name + i);
            /* operator< <int>: the brackets after the symbol are template arguments again */
            put (&out, name + i, n);
            out.operator_end = out.len;
            i += n;
        } else if (c == '<' || c == '(' || c == '[') {
            i = elide_bracket (&out, name, i);
        } else if (c == '{') {
            size_t close = find_close (name, i);
            size_t n = close > 0 ? close - i + 1 : 1;
            put (&out, name + i, n);
            i += n;
        } else {
            if (c == ' ' && is_return_type_space (&out)) {
                out.return_end = out.len + 1;
                out.has_return = true;
            }
            put (&out, &c, 1);
            i++;
        }
    }
    if (out.failed || !out.changed || out.len == 0)
        return false;
    buffer[out.len] = '\0';
    return true;
}

/* Suffixes that compilers add after a dot are not separate names. */
static bool
is_clone_suffix (const char *text)
{
    static const char *const suffixes[] = {"constprop", "part",  "isra",       "cold", "lto_priv",
                                           "llvm",      "clone", "localalias", "so"};
    if (g_ascii_isdigit (*text))
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS (suffixes); i++) {
        size_t n = strlen (suffixes[i]);
        if (strncmp (text, suffixes[i], n) == 0 && !is_word (text[n]))
            return true;
    }
    return false;
}

/* "c" of "main.c": without the rest it says nothing. */
static bool
is_file_suffix (const char *text)
{
    static const char *const suffixes[] = {"c",  "cc", "cpp", "cxx", "h", "hpp",
                                           "rs", "go", "o",   "S",   "s"};
    for (size_t i = 0; i < G_N_ELEMENTS (suffixes); i++)
        if (strcmp (text, suffixes[i]) == 0)
            return true;
    return false;
}

/* The length of the separator at text[i] after which a name may start, or 0. */
static size_t
separator_length (const char *text, size_t i, bool has_scopes)
{
    if (i == 0)
        return 0;
    if (text[i] == ':' && text[i + 1] == ':' && text[i + 2] != '\0')
        return 2;
    if (text[i] == '/' && text[i + 1] != '\0' && text[i + 1] != '/' && text[i + 1] != ' ')
        return 1;
    if (text[i] == '.' && !has_scopes && (is_word (text[i + 1]) || text[i + 1] == '(') &&
        (is_word (text[i - 1]) || text[i - 1] == ')') && !is_clone_suffix (text + i + 1) &&
        !is_file_suffix (text + i + 1))
        return 1;
    return 0;
}

/* Finds the separators at the outermost depth; if there are too many, the last ones. */
static size_t
find_separators (const char *text, size_t len, size_t *ret_positions, size_t max)
{
    bool has_scopes = strstr (text, "::") != NULL;
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        size_t close = c == '<' || c == '(' || c == '{' || c == '[' ? find_close (text, i) : 0;
        size_t sep;
        if (close > 0 && !ends_in_operator (text, i)) {
            i = close;
        } else if ((sep = separator_length (text, i, has_scopes)) > 0) {
            if (n == max) {
                memmove (ret_positions, ret_positions + 1, (max - 1) * sizeof *ret_positions);
                n--;
            }
            ret_positions[n++] = i;
            i += sep - 1;
        }
    }
    return n;
}

static size_t
emit (char *ret_label, bool ellipsis_first, const char *text, size_t len, bool ellipsis_last)
{
    size_t n = 0;
    if (ellipsis_first)
        ret_label[n++] = PV_LABEL_ELLIPSIS;
    memcpy (ret_label + n, text, len);
    n += len;
    if (ellipsis_last)
        ret_label[n++] = PV_LABEL_ELLIPSIS;
    return n;
}

/* "memcpy_avx_una…"; 0 if fewer than PV_LABEL_MIN_CHARS fit. */
static size_t
cut_end (const PvAdvances *advances, const char *text, size_t len, float width, char *ret_label)
{
    width -= advances->of[PV_LABEL_ELLIPSIS];
    size_t n = 0;
    while (n < len && n < PV_LABEL_MAX - 2 && width >= advances->of[text[n] & 0x7f])
        width -= advances->of[text[n++] & 0x7f];
    /* An ellipsis after punctuation reads badly. */
    while (n > PV_LABEL_MIN_CHARS &&
           (text[n - 1] == ':' || text[n - 1] == '_' || text[n - 1] == '<'))
        n--;
    return n >= PV_LABEL_MIN_CHARS ? emit (ret_label, false, text, n, true) : 0;
}

/* "…::push_back", then "push_back", then "push_b…". */
static size_t
cut_left (const PvAdvances *advances, const char *text, float width, char *ret_label)
{
    size_t positions[32];
    size_t len = strlen (text);
    size_t n =
        len < PV_LABEL_MAX ? find_separators (text, len, positions, G_N_ELEMENTS (positions)) : 0;
    if (n == 0)
        return cut_end (advances, text, len, width, ret_label);

    size_t best = n, right = len;
    float used = advances->of[PV_LABEL_ELLIPSIS];
    for (size_t i = n; i-- > 0; right = positions[i]) {
        used += measure_bytes (advances, text + positions[i], right - positions[i]);
        if (used > width || len - positions[i] >= PV_LABEL_MAX - 1)
            break;
        best = i;
    }
    if (best < n) {
        /* The ellipsis replaces a dot, too: "…scanobject", not "….scanobject". */
        size_t start = positions[best] + (text[positions[best]] == '.');
        return emit (ret_label, true, text + start, len - start, false);
    }

    size_t last = positions[n - 1] + (text[positions[n - 1]] == ':' ? 2 : 1);
    if (len - last < PV_LABEL_MAX && measure_bytes (advances, text + last, len - last) <= width)
        return emit (ret_label, false, text + last, len - last, false);
    return cut_end (advances, text + last, len - last, width, ret_label);
}

/* "libfoo…+0x1234": keeps the offset, which identifies the function. */
static size_t
cut_range_name (const PvAdvances *advances, const char *text, float width, char *ret_label)
{
    const char *offset = strrchr (text, '+');
    size_t len = offset != NULL ? (size_t)(offset - text) : strlen (text);
    if (offset == NULL)
        return cut_end (advances, text, len, width, ret_label);
    float room = width - pv_label_measure (advances, offset);
    size_t n = room > 0 ? cut_end (advances, text, len, room, ret_label) : 0;
    size_t tail = strlen (offset);
    if (n == 0 || n + tail > PV_LABEL_MAX)
        return cut_end (advances, text, len, width, ret_label);
    memcpy (ret_label + n, offset, tail);
    return n + tail;
}

size_t
pv_label_fit (const PvAdvances *advances, const PvLabelName *name, float width, char *ret_label)
{
    g_assert (advances != NULL && name != NULL && ret_label != NULL);
    if (name->name_width <= width)
        return emit (ret_label, false, name->name, strlen (name->name), false);
    if (!name->is_symbol)
        return cut_range_name (advances, name->name, width, ret_label);
    if (name->label != NULL && name->label_width <= width)
        return emit (ret_label, false, name->label, strlen (name->label), false);
    if (name->elided != NULL && name->elided_width <= width)
        return emit (ret_label, false, name->elided, strlen (name->elided), false);
    if (name->short_width <= width)
        return emit (ret_label, false, name->short_name, strlen (name->short_name), false);
    return cut_left (advances, name->short_name, width, ret_label);
}
