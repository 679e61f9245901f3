/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hand: moves the pointer and presses keys, as standard input says, a command a line. The answer is
 * a line once the X server has done it; it is empty where nothing was asked.
 *
 *   move X Y [WINDOW]   the pointer, within the window or the screen
 *   nudge X Y           the pointer, from where it is
 *   press N, release N  a button of the mouse
 *   click N TIMES       both at once, so that no menu comes up in between, which GTK complains of
 *   hold KEY, let KEY   a key
 *   key KEY+KEY...      keys together, by the names of their symbols, or ctrl, alt and shift
 *   type TEXT           any text, a character after the other
 *   place WINDOW X Y, size WINDOW WIDTH HEIGHT, activate WINDOW
 *   geometry WINDOW     "X Y WIDTH HEIGHT"
 *   windows PID         those of a process that are shown, the one on top last
 *   menus WINDOW        menus, lists that open and tips that its program shows
 *   active              the window that has the focus
 *   pointer             "X Y"
 *   contrast X Y WIDTH HEIGHT
 *                       of a part of the screen: between the color that most of it has and the one
 * that is farthest from that, as WCAG 2 has it, times 100 resources TEXT      of the X server, as
 * programs find them that start later: "Xft.dpi: 144" makes text larger rest QUIET MOST     waits
 * until nothing was drawn for QUIET milliseconds, at most MOST of them; "1" if so
 */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/extensions/Xdamage.h>
#include <glib.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 5, ACTIVATE_MS = 3000, BETWEEN_CLICKS_MS = 40 };

typedef struct {
    Display *display;
    Window root;
    Damage damage;
    int damage_event;
    int first_code, last_code;
} Hand;

/* --- keys ------------------------------------------------------------------------------------- */

/* The key that has a symbol. Where none has, a spare one gets it, and keeps it: a program may look
 * at the map later. */
static KeyCode
find_key (Hand *hand, KeySym symbol, gboolean *is_shifted)
{
    int n_codes = hand->last_code - hand->first_code + 1, n_each = 0, spare = 0;
    KeySym *map = XGetKeyboardMapping (hand->display, (KeyCode)hand->first_code, n_codes, &n_each);
    KeySym both[2] = {symbol, symbol};

    for (int i = 0; i < n_codes; i++) {
        const KeySym *levels = map + (gsize)i * (gsize)n_each;
        gboolean is_spare = TRUE;
        for (int level = 0; level < n_each; level++) {
            is_spare = is_spare && levels[level] == NoSymbol;
            if (levels[level] == symbol && level < 2) {
                *is_shifted = level == 1;
                XFree (map);
                return (KeyCode)(hand->first_code + i);
            }
        }
        if (is_spare)
            spare = hand->first_code + i;
    }
    XFree (map);
    g_assert (spare != 0);
    XChangeKeyboardMapping (hand->display, spare, 2, both, 1);
    XSync (hand->display, False);
    *is_shifted = FALSE;
    return (KeyCode)spare;
}

static KeySym
find_symbol (const char *name)
{
    static const struct {
        const char *name;
        KeySym symbol;
    } others[] = {{"ctrl", XK_Control_L}, {"alt", XK_Alt_L}, {"shift", XK_Shift_L}};

    for (unsigned i = 0; i < G_N_ELEMENTS (others); i++)
        if (g_str_equal (name, others[i].name))
            return others[i].symbol;
    KeySym symbol = XStringToKeysym (name);
    if (symbol == NoSymbol)
        g_error ("no key has the name %s", name);
    return symbol;
}

static void
turn_key (Hand *hand, KeySym symbol, gboolean is_down)
{
    gboolean is_shifted;
    KeyCode code = find_key (hand, symbol, &is_shifted);

    XTestFakeKeyEvent (hand->display, code, is_down, CurrentTime);
}

static void
stroke (Hand *hand, KeySym symbol)
{
    gboolean is_shifted;
    KeyCode code = find_key (hand, symbol, &is_shifted);

    if (is_shifted)
        turn_key (hand, XK_Shift_L, TRUE);
    XTestFakeKeyEvent (hand->display, code, True, CurrentTime);
    XTestFakeKeyEvent (hand->display, code, False, CurrentTime);
    if (is_shifted)
        turn_key (hand, XK_Shift_L, FALSE);
}

static void
stroke_together (Hand *hand, const char *names)
{
    g_auto (GStrv) keys = g_strsplit (names, "+", -1);
    guint last = g_strv_length (keys) - 1;

    for (guint i = 0; i < last; i++)
        turn_key (hand, find_symbol (keys[i]), TRUE);
    stroke (hand, find_symbol (keys[last]));
    for (guint i = last; i > 0; i--)
        turn_key (hand, find_symbol (keys[i - 1]), FALSE);
}

static void
type_text (Hand *hand, const char *text)
{
    for (; *text != '\0'; text = g_utf8_next_char (text)) {
        gunichar c = g_utf8_get_char (text);
        stroke (hand, c < 0x100 ? (KeySym)c : (KeySym)c | 0x01000000);
    }
}

/* --- windows ---------------------------------------------------------------------------------- */

static gulong
get_number (Hand *hand, Window window, const char *property, Atom type)
{
    Atom found;
    int format;
    gulong n, left, number = 0;
    unsigned char *data = NULL;

    if (XGetWindowProperty (hand->display, window, XInternAtom (hand->display, property, False), 0,
                            1, False, type, &found, &format, &n, &left, &data) == Success &&
        n == 1 && format == 32)
        number = *(gulong *)(void *)data;
    if (data != NULL)
        XFree (data);
    return number;
}

static gboolean
is_shown (Hand *hand, Window window, XWindowAttributes *attributes)
{
    return XGetWindowAttributes (hand->display, window, attributes) &&
           attributes->map_state == IsViewable;
}

static void
print_windows (Hand *hand, Window top, gulong pid)
{
    Window root, parent, *children = NULL;
    unsigned n = 0;
    XWindowAttributes attributes;

    if (is_shown (hand, top, &attributes) &&
        get_number (hand, top, "_NET_WM_PID", XA_CARDINAL) == pid)
        printf ("%lu ", top);
    if (!XQueryTree (hand->display, top, &root, &parent, &children, &n))
        return;
    for (unsigned i = 0; i < n; i++)
        print_windows (hand, children[i], pid);
    if (children != NULL)
        XFree (children);
}

/* Windows that no window manager looks after. The numbers of a program's windows differ in their
 * last 21 bits. */
static void
print_menus (Hand *hand, Window window)
{
    Window root, parent, *children = NULL;
    unsigned n = 0;
    XWindowAttributes attributes;

    if (!XQueryTree (hand->display, hand->root, &root, &parent, &children, &n))
        return;
    for (unsigned i = 0; i < n; i++)
        if ((children[i] ^ window) >> 21 == 0 && is_shown (hand, children[i], &attributes) &&
            attributes.override_redirect && attributes.class == InputOutput)
            printf ("%lu ", children[i]);
    if (children != NULL)
        XFree (children);
}

static void
print_geometry (Hand *hand, Window window)
{
    XWindowAttributes attributes;
    Window child;
    int x, y;

    if (XGetWindowAttributes (hand->display, window, &attributes) &&
        XTranslateCoordinates (hand->display, window, hand->root, 0, 0, &x, &y, &child))
        printf ("%d %d %d %d", x, y, attributes.width, attributes.height);
}

static void
print_pointer (Hand *hand)
{
    Window root, child;
    int x, y, within_x, within_y;
    unsigned mask;

    XQueryPointer (hand->display, hand->root, &root, &child, &x, &y, &within_x, &within_y, &mask);
    printf ("%d %d", x, y);
}

static Window
get_active (Hand *hand)
{
    return get_number (hand, hand->root, "_NET_ACTIVE_WINDOW", XA_WINDOW);
}

static void
activate (Hand *hand, Window window)
{
    XEvent event = {
        .xclient = {
            .type = ClientMessage, .window = window, .format = 32, .data.l = {2, CurrentTime}}};
    gint64 end = g_get_monotonic_time () + ACTIVATE_MS * 1000;

    event.xclient.message_type = XInternAtom (hand->display, "_NET_ACTIVE_WINDOW", False);
    XSendEvent (hand->display, hand->root, False, SubstructureNotifyMask | SubstructureRedirectMask,
                &event);
    while (get_active (hand) != window && g_get_monotonic_time () < end)
        g_usleep (5000);
}

/* --- what is drawn ---------------------------------------------------------------------------- */

/* Forgets what was drawn. FALSE: nothing was. */
static gboolean
take_damage (Hand *hand)
{
    gboolean is_damaged = FALSE;
    XEvent event;

    while (XPending (hand->display) > 0) {
        XNextEvent (hand->display, &event);
        if (event.type == hand->damage_event + XDamageNotify)
            is_damaged = TRUE;
    }
    if (is_damaged) {
        XDamageSubtract (hand->display, hand->damage, None, None);
        XFlush (hand->display);
    }
    return is_damaged;
}

static gboolean
wait_for_rest (Hand *hand, int quiet_ms, int most_ms)
{
    struct pollfd server = {ConnectionNumber (hand->display), POLLIN, 0};
    gint64 now = g_get_monotonic_time (), end = now + most_ms * 1000, rest = now + quiet_ms * 1000;

    XSync (hand->display, False);
    take_damage (hand);
    while (now < rest && now < end) {
        poll (&server, 1, (int)((MIN (rest, end) - now + 999) / 1000));
        now = g_get_monotonic_time ();
        if (take_damage (hand))
            rest = now + quiet_ms * 1000;
    }
    return now >= rest;
}

static double
find_luminance (guint32 pixel)
{
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    double luminance = 0;

    for (int i = 0; i < 3; i++) {
        double c = (pixel >> (16 - 8 * i) & 0xff) / 255.0;
        luminance += weights[i] * (c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4));
    }
    return luminance;
}

static void
print_contrast (Hand *hand, int x, int y, unsigned width, unsigned height)
{
    XImage *image = XGetImage (hand->display, hand->root, x, y, width, height, AllPlanes, ZPixmap);
    g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
    gpointer pixel, count;
    GHashTableIter iter;
    guint most = 0;
    double background = 0, contrast = 1;

    if (image == NULL)
        return;
    for (int line = 0; line < image->height; line++)
        for (int column = 0; column < image->width; column++) {
            gpointer key = GUINT_TO_POINTER (XGetPixel (image, column, line) & 0xffffff);
            guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key));
            g_hash_table_insert (counts, key, GUINT_TO_POINTER (n + 1));
        }
    XDestroyImage (image);
    g_hash_table_iter_init (&iter, counts);
    while (g_hash_table_iter_next (&iter, &pixel, &count))
        if (GPOINTER_TO_UINT (count) > most) {
            most = GPOINTER_TO_UINT (count);
            background = find_luminance (GPOINTER_TO_UINT (pixel));
        }
    g_hash_table_iter_init (&iter, counts);
    while (g_hash_table_iter_next (&iter, &pixel, &count)) {
        double text = find_luminance (GPOINTER_TO_UINT (pixel));
        contrast =
            MAX (contrast, (MAX (text, background) + 0.05) / (MIN (text, background) + 0.05));
    }
    printf ("%d", (int)(contrast * 100));
}

/* --- commands --------------------------------------------------------------------------------- */

static void
move (Hand *hand, int x, int y, Window window)
{
    XWarpPointer (hand->display, None, window != None ? window : hand->root, 0, 0, 0, 0, x, y);
}

static void
turn_button (Hand *hand, int button, gboolean is_down)
{
    XTestFakeButtonEvent (hand->display, (unsigned)button, is_down, CurrentTime);
}

/* The server gets both at once: a menu that came up in between would get the release, of a press
 * that it did not get. */
static void
click (Hand *hand, int button, int times)
{
    for (int i = 0; i < times; i++) {
        if (i > 0)
            g_usleep (BETWEEN_CLICKS_MS * 1000);
        turn_button (hand, button, TRUE);
        turn_button (hand, button, FALSE);
        XSync (hand->display, False);
    }
}

static void
set_resources (Hand *hand, const char *text)
{
    XChangeProperty (hand->display, hand->root, XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace,
                     (const unsigned char *)text, (int)strlen (text));
}

static int
number (char **words, int place)
{
    g_assert (words[place] != NULL);
    return (int)strtol (words[place], NULL, 10);
}

static Window
window (char **words, int place)
{
    return words[place] != NULL ? strtoul (words[place], NULL, 10) : None;
}

static void
obey (Hand *hand, const char *line)
{
    g_auto (GStrv) words = g_strsplit (line, " ", MAX_WORDS);
    const char *command = words[0];

    if (g_str_equal (command, "type"))
        type_text (hand, line + strlen ("type "));
    else if (g_str_equal (command, "key"))
        stroke_together (hand, words[1]);
    else if (g_str_equal (command, "hold") || g_str_equal (command, "let"))
        turn_key (hand, find_symbol (words[1]), g_str_equal (command, "hold"));
    else if (g_str_equal (command, "move"))
        move (hand, number (words, 1), number (words, 2),
              words[2] != NULL ? window (words, 3) : None);
    else if (g_str_equal (command, "nudge"))
        XWarpPointer (hand->display, None, None, 0, 0, 0, 0, number (words, 1), number (words, 2));
    else if (g_str_equal (command, "press") || g_str_equal (command, "release"))
        turn_button (hand, number (words, 1), g_str_equal (command, "press"));
    else if (g_str_equal (command, "click"))
        click (hand, number (words, 1), number (words, 2));
    else if (g_str_equal (command, "place"))
        XMoveWindow (hand->display, window (words, 1), number (words, 2), number (words, 3));
    else if (g_str_equal (command, "size"))
        XResizeWindow (hand->display, window (words, 1), (unsigned)number (words, 2),
                       (unsigned)number (words, 3));
    else if (g_str_equal (command, "activate"))
        activate (hand, window (words, 1));
    else if (g_str_equal (command, "geometry"))
        print_geometry (hand, window (words, 1));
    else if (g_str_equal (command, "windows"))
        print_windows (hand, hand->root, strtoul (words[1], NULL, 10));
    else if (g_str_equal (command, "menus"))
        print_menus (hand, window (words, 1));
    else if (g_str_equal (command, "active"))
        printf ("%lu", get_active (hand));
    else if (g_str_equal (command, "pointer"))
        print_pointer (hand);
    else if (g_str_equal (command, "contrast"))
        print_contrast (hand, number (words, 1), number (words, 2), (unsigned)number (words, 3),
                        (unsigned)number (words, 4));
    else if (g_str_equal (command, "resources"))
        set_resources (hand, line + strlen ("resources "));
    else if (g_str_equal (command, "rest"))
        printf ("%d", wait_for_rest (hand, number (words, 1), number (words, 2)));
    else
        g_error ("no command: %s", line);
    XSync (hand->display, False);
}

/* Others may have been stopped in the middle of something; and nothing is to be under the pointer
 * by chance. */
static void
let_all_go (Hand *hand)
{
    Window root, child;
    int x, y, within_x, within_y;
    unsigned mask;
    char keys[32];

    XQueryKeymap (hand->display, keys);
    for (int code = hand->first_code; code <= hand->last_code; code++)
        if ((keys[code / 8] >> code % 8 & 1) != 0)
            XTestFakeKeyEvent (hand->display, (unsigned)code, False, CurrentTime);
    XQueryPointer (hand->display, hand->root, &root, &child, &x, &y, &within_x, &within_y, &mask);
    for (unsigned button = 1; button <= 3; button++)
        if ((mask & Button1Mask << (button - 1)) != 0)
            XTestFakeButtonEvent (hand->display, button, False, CurrentTime);
    move (hand, DisplayWidth (hand->display, 0) - 1, DisplayHeight (hand->display, 0) - 1, None);
    XSync (hand->display, False);
}

/* Windows come and go while they are looked at. */
static int
on_error (Display *display, XErrorEvent *error)
{
    return 0;
}

int
main (void)
{
    g_autofree char *line = g_malloc (1 << 16);
    int damage_error, event, error, major, minor;
    Hand hand = {.display = XOpenDisplay (NULL)};

    g_assert (hand.display != NULL);
    g_assert (XTestQueryExtension (hand.display, &event, &error, &major, &minor));
    g_assert (XDamageQueryExtension (hand.display, &hand.damage_event, &damage_error));
    XSetErrorHandler (on_error);
    hand.root = DefaultRootWindow (hand.display);
    hand.damage = XDamageCreate (hand.display, hand.root, XDamageReportNonEmpty);
    XDisplayKeycodes (hand.display, &hand.first_code, &hand.last_code);
    let_all_go (&hand);
    while (fgets (line, 1 << 16, stdin) != NULL) {
        line[strcspn (line, "\n")] = '\0';
        obey (&hand, line);
        puts ("");
        fflush (stdout);
    }
    XCloseDisplay (hand.display);
    return 0;
}
