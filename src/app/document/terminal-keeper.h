/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Keeps the terminal of a program that goes on when profview, or the tab that shows the terminal,
 * does not: without anybody at the other end, the program would be hung up on.
 *
 * Another process has the terminal's master, too. It does nothing until the descriptor that is
 * returned is closed, be it because profview crashes; then it reads to nowhere what the program
 * says, so that this never waits, and ends with the program. -1: it cannot be kept.
 */
int pv_terminal_keep (int master_fd);
