/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/recording-session.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/source/terminal-drain.h"

#define MAX_SLOW_US      (60 * G_USEC_PER_SEC)
#define TERMINAL_ROWS    24
#define TERMINAL_COLUMNS 80

struct PvRecordingSession {
    gpointer owner; /* NULL once it has left */
    PvRecordingSessionEvents events;
    PvRecording *recording;
    int terminal_fd; /* the program's end: open until the recording has ended, so that ours is not
                        hung up before the program has begun */
    int master_fd;   /* our end, until it is taken; or -1 */
    int drain_fd;    /* of pv_terminal_drain_later (); or -1 */
    gint64 slow_since_us;
};

static void
close_fd (int *fd)
{
    if (*fd >= 0)
        close (*fd);
    *fd = -1;
}

/* Returns the name by which the program opens its end. */
static char *
open_terminal (PvRecordingSession *session)
{
    struct winsize size = {.ws_row = TERMINAL_ROWS, .ws_col = TERMINAL_COLUMNS};
    char name[64];

    session->master_fd = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (session->master_fd < 0)
        return NULL;
    if (grantpt (session->master_fd) == 0 && unlockpt (session->master_fd) == 0 &&
        ptsname_r (session->master_fd, name, sizeof name) == 0)
        session->terminal_fd = open (name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (session->terminal_fd < 0) {
        close_fd (&session->master_fd);
        return NULL;
    }
    ioctl (session->master_fd, TIOCSWINSZ, &size);
    return g_strdup (name);
}

static void
session_free (PvRecordingSession *session)
{
    close_fd (&session->terminal_fd);
    close_fd (&session->master_fd);
    close_fd (&session->drain_fd);
    pv_recording_free (session->recording);
    g_free (session);
}

static void
hold_application (gboolean is_held)
{
    GApplication *application = g_application_get_default ();

    if (application != NULL && is_held)
        g_application_hold (application);
    else if (application != NULL)
        g_application_release (application);
}

/* The tab is closed, so nobody can be asked whether to wait for a slow recorder. */
static void
watch_orphan (PvRecordingSession *session)
{
    gint64 now_us = g_get_monotonic_time ();

    if (!pv_recording_get_figures (session->recording)->is_slow)
        return;
    if (session->slow_since_us == 0)
        session->slow_since_us = now_us;
    if (now_us - session->slow_since_us > MAX_SLOW_US)
        pv_recording_kill (session->recording);
}

static void
on_changed (PvRecording *recording, void *user)
{
    PvRecordingSession *session = user;

    if (session->owner != NULL)
        session->events.changed (session->owner);
    else
        watch_orphan (session);
}

static void
on_ended (PvRecording *recording, void *user)
{
    PvRecordingSession *session = user;

    if (session->owner != NULL) {
        close_fd (&session->terminal_fd);
        session->events.ended (session->owner);
        return;
    }
    session_free (session);
    hold_application (FALSE);
}

PvRecordingSession *
pv_recording_session_start (gpointer owner, const PvRecordingSessionEvents *events,
                            const PvRecordPlan *plan, GError **error)
{
    PvRecordingSession *session = g_new0 (PvRecordingSession, 1);
    PvRecordingOptions options = {.events = {on_changed, on_ended, session}};
    g_autofree char *terminal = NULL;

    g_assert (owner != NULL && plan != NULL);
    session->owner = owner;
    session->events = *events;
    session->terminal_fd = session->master_fd = session->drain_fd = -1;
    if (plan->target == PV_TARGET_LAUNCH)
        terminal = open_terminal (session);
    /* A program that goes on without us must not lose its terminal with us. */
    if (terminal != NULL && plan->leaves_target)
        session->drain_fd = pv_terminal_drain_later (session->master_fd);
    options.terminal = terminal;
    session->recording = pv_recording_start (plan, &options, error);
    if (session->recording == NULL)
        g_clear_pointer (&session, session_free);
    return session;
}

PvRecording *
pv_recording_session_get (const PvRecordingSession *session)
{
    return session->recording;
}

int
pv_recording_session_take_terminal (PvRecordingSession *session)
{
    int fd = session->master_fd;

    session->master_fd = -1;
    return fd;
}

void
pv_recording_session_leave (PvRecordingSession *session)
{
    g_assert (session->owner != NULL);
    session->owner = NULL;
    close_fd (&session->drain_fd);
    if (pv_recording_get_state (session->recording) == PV_RECORDING_ENDED) {
        session_free (session);
        return;
    }
    hold_application (TRUE);
    pv_recording_stop (session->recording);
}
