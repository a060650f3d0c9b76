
// A form of two words, or with a key, is one token.
const words = list => choice(...list.map(word => /[ .]/.test(word)
  ? token(new RegExp(word.replace(" ", "[ \\t]+").replace(".KEY", "\\.[A-Za-z][\\w.-]*")))
  : word));

module.exports = grammar({
  name: "luaroute",
  extras: $ => [/[ \t\r]/, $.comment],
  word: $ => $.name,
  rules: {
    file: $ => seq(optional($.block), repeat(choice(seq("\n", optional($.block)), $._indented))),
    block: $ => prec.right(seq(
      choice(alias(words(blocks), $.keyword), $._value), repeat($._value), repeat($._indented)
    )),
    _indented: $ => prec.right(seq($._indentation, optional(choice($.row, $.step, repeat1($._value))))),
    // Blank lines before an indented line do not end the block.
    _indentation: $ => /\n([ \t\r]*\n)*[ \t]+/,
    row: $ => prec(1, seq("|", repeat($._value))),
    step: $ => choice(
      seq(alias(words(structure), $.keyword), repeat($._value)),
      seq(alias(words(wrappers), $.keyword), choice($.step, repeat($._value))),
      seq(alias(words(steps), $.action), repeat($._value)),
      seq(alias(words(expectations), $.action), repeat(choice($.condition, $._value)))
    ),
    condition: $ => prec(1, words(conditions)),
    connective: $ => words(connectives),
    _value: $ => choice($._part, $.connective),
    _part: $ => choice(
      $.operator, $.name, $.field, $.string, $.time, $.duration, $.number, $.constant, $.parameter,
      $.route, $.url, $.tag, $.text, $.brackets
    ),
    brackets: $ => choice(
      seq("(", repeat($._inner), ")"), seq("[", repeat($._inner), "]"), seq("{", repeat($._inner), "}")
    ),
    _inner: $ => choice($._part, $._indentation, "\n"),
    field: $ => seq(alias($.name, $.key), token.immediate("=")),
    constant: $ => choice("true", "false", "nil", "_"),
    // If several tokens have the same length, the first one is used.
    parameter: $ => /<[A-Za-z][\w.-]*>/,
    string: $ => token(choice(/"([^"\\\n]|\\.)*"/, /'([^'\\\n]|\\.)*'/)),
    time: $ => /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?/,
    duration: $ => /\d+(\.\d+)?(ms|s|m|h)/,
    number: $ => /-?(0x[\da-fA-F]+|\d+(\.\d+)?)/,
    name: $ => /[A-Za-z_][\w.-]*/,
    route: $ => /[A-Za-z][\w.-]*\/[A-Za-z][\w.-]*/,
    url: $ => /[A-Za-z][\w+.-]*:\/\/\S*/,
    tag: $ => /@[A-Za-z][\w.-]*/,
    operator: $ => /\.\.\.|[<>]=?|[*^=,?|"']/,
    text: $ => /[^\s()\[\]{},|=<>"'*^#?][^\s()\[\]{},|=<>^]*/,
    comment: $ => token(prec(-1, /#.*/)),
  },
});
