// SPDX-License-Identifier: MIT
#include "CFuzzer.h"

// Weak: a plain build of the package links without libFuzzer, and only replays files.
extern int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*body)(const uint8_t *data, size_t size)) __attribute__((weak));

int cfuzzer_run(int argc, char **argv, int (*body)(const uint8_t *data, size_t size), int *code) {
    if (!LLVMFuzzerRunDriver) return 0;
    *code = LLVMFuzzerRunDriver(&argc, &argv, body);
    return 1;
}
