#pragma once

/* Runs the window until it is closed; argv as main () got it, with files and nothing else. Where
 * an instance runs already, the files are opened there. Returns the exit status. */
int pv_app_main (int argc, char **argv);
