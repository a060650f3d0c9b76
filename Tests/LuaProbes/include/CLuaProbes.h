// SPDX-License-Identifier: MIT
#ifndef CLUAPROBES_H
#define CLUAPROBES_H

#include <stddef.h>
#include <stdint.h>

enum {
    LEXER_SAME = 0,     // Lua accepts the source, and the same program from the tokens
    LEXER_REFUSED = 1,  // Lua refuses the source
    LEXER_DIFFERS = 2,  // Lua accepts the source, and another program or none from the tokens
};

// Writes the tokens of a source anew, each at its line and without what is between them, and
// compares the programs that Lua makes of the two texts, with their line numbers.
int lexer_probe(const uint8_t *source, size_t length);

// Reads the values above the top of the stack that runs in a state, which no call has cleared. Answers
// what is among them that scripts must not have, or NULL.
const char *stack_probe(void *context);

// The number of bytes in the segments that the heap of a state uses.
size_t region_probe(const void *context);

#endif
