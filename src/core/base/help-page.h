/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* A page of the user's help, "names", or a section of it, "graph#calls". Only marks the text:
 * tests/install/check-help.py looks for the page in data/help. */
#define PV_HELP(page) page
