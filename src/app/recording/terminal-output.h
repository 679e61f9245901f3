/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/*
 * What a program writes to its terminal, in pieces small enough to be shown between two frames. A
 * worker reads it as fast as it comes, so that the program never waits for somebody to look; of
 * more than can be shown only the end is kept, and a line says so. Main loop only.
 */
typedef struct PvTerminalOutput PvTerminalOutput;

typedef struct {
    gpointer owner;
    void (*feed) (gpointer owner, const char *bytes, size_t n_bytes);
    /* Once, after the last of it: the program, and everybody else with its terminal, has gone. */
    void (*ended) (gpointer owner);
} PvTerminalEvents;

enum {
    PV_TERMINAL_MAX_WAITING = 1 << 20, /* bytes that have not been shown */
    PV_TERMINAL_MAX_PIECE = 1 << 14,
    PV_TERMINAL_MAX_LINES = 1000, /* in a piece: lines cost more than bytes */
};

/* fd is the master of a pseudo-terminal; it is owned from now on. */
PvTerminalOutput *pv_terminal_output_new (int fd, const PvTerminalEvents *events);
/* What somebody types. What the program does not take is kept for it, but not without bounds. */
void pv_terminal_output_write (PvTerminalOutput *output, const char *bytes, size_t n_bytes);
void pv_terminal_output_set_size (PvTerminalOutput *output, unsigned rows, unsigned columns);
/* Nothing is called any more. The program's terminal is hung up. */
void pv_terminal_output_close (PvTerminalOutput *output);
