// SPDX-License-Identifier: MIT
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with its own options, if the program was built with it.
///
/// Returns whether it was, and the exit code in that case.
int cfuzzer_run(int argc, char **argv, int (*body)(const uint8_t *data, size_t size), int *code);

#endif
