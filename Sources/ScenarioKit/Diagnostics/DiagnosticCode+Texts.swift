// SPDX-License-Identifier: MIT

/// What is wrong with the text of a scenario file.
extension DiagnosticCode {
    static let notUTF8 = DiagnosticCode(
        CodeArticle(
            "S0101",
            "the file is not UTF-8",
            """
            A scenario file is text in UTF-8, and the byte at the location is no part of such a text. \
            Usually the file was saved in another encoding, such as Latin-1 or UTF-16, or is no \
            text at all. Save it as UTF-8; 'iconv -f latin1 -t utf-8' converts one.
            """
        )
    )

    static let fileTooLarge = DiagnosticCode(
        CodeArticle(
            "S0102",
            "the file is too large",
            """
            A scenario file has 1 MiB at most. Usually the file is another one than was meant, or \
            was written by a tool. Split it, or take the rows of a table from a file of their own \
            with 'each from PATH'.
            """
        )
    )

    static let lineTooLong = DiagnosticCode(
        CodeArticle(
            "S0103",
            "the line is too long",
            """
            A line has 4096 bytes at most. A bracket that is left open continues a step on the next \
            line, so a large tree can stand on several.
            """
        )
    )

    static let tooManySteps = DiagnosticCode(
        CodeArticle(
            "S0104",
            "the file has too many steps",
            """
            A file has 100000 steps at most, those of macros, of 'repeat' and of each row of a table \
            counted. Usually a 'repeat' stands within another one. Split the file, or repeat less.
            """,
            found: .steps(
                """
                scenario "Back and forth"
                  repeat 1000
                    repeat 1000
                      back
                    end
                  end
                """
            ),
            mended: .steps(
                """
                scenario "Back and forth"
                  repeat 100
                    back
                  end
                """
            )
        )
    )

    static let unknownBlock = DiagnosticCode(
        CodeArticle(
            "S0105",
            "no block starts with this word",
            """
            What stands in the first column opens a block: 'use', 'include', 'set', 'background', \
            'macro', 'scenario', 'skip' or 'only'. Usually the word is misspelt, or is a step, which \
            has to be indented under its block.
            """,
            found: .steps(
                """
                scenario "Opens a show"
                navigate Show/open
                """
            ),
            mended: .steps(
                """
                scenario "Opens a show"
                  navigate Show/open
                """
            )
        )
    )

    static let stepOutside = DiagnosticCode(
        CodeArticle(
            "S0106",
            "a step stands outside of a block",
            """
            Steps stand under 'background', 'macro' or 'scenario', indented. Here is one before the \
            first of them, or under a line such as 'use', which holds no steps.
            """,
            found: .steps(
                """
                use app.lua
                  given nav[Main]
                """
            ),
            mended: .steps(
                """
                use app.lua
                background
                  given nav[Main]
                """
            )
        )
    )

    static let unknownStep = DiagnosticCode(
        CodeArticle(
            "S0107",
            "no step starts with this word",
            """
            The words of steps are a closed list, and this is none of them. Usually it is misspelt: \
            the message names a near one. A macro is called by 'do NAME'.
            """,
            found: .steps(
                """
                scenario "Opens a show"
                  navigat Show/open
                """
            ),
            mended: .steps(
                """
                scenario "Opens a show"
                  navigate Show/open
                """
            )
        )
    )

    static let unknownWord = DiagnosticCode(
        CodeArticle(
            "S0108",
            "a word is not one of those that fit",
            """
            At this location a few words can stand: a condition behind 'expect', the code of an error, \
            an option, a setting, a unit of time. The message names a near one, or all of them.
            """,
            found: .steps(
                """
                scenario "Opens nothing"
                  navigate Show/open
                  expect error notfound
                """
            ),
            mended: .steps(
                """
                scenario "Opens nothing"
                  navigate Show/open
                  expect error notFound
                """
            )
        )
    )

    static let missing = DiagnosticCode(
        CodeArticle(
            "S0109",
            "something is missing",
            """
            The step ends too early, or has something else where a part of it is expected: a task \
            behind 'Service/', a unit behind a number, quotes around a text. The message says what \
            is expected and what came.
            """,
            found: .steps(
                """
                scenario "Waits"
                  advance 5
                """
            ),
            mended: .steps(
                """
                scenario "Waits"
                  advance 5s
                """
            )
        )
    )

    static let notation = DiagnosticCode(
        CodeArticle(
            "S0110",
            "a tree, screen or value does not parse",
            """
            Trees are written as 'nav[Main, Show(showId=1)] ^ nav[Login]', values as in Lua. Usually \
            a bracket, a comma or a '=' is wrong, or a text with other characters than those of a \
            name has no quotes.
            """,
            found: .steps(
                """
                scenario "Shows a colour"
                  given nav[Page(color=00FF00)]
                """
            ),
            mended: .steps(
                """
                scenario "Shows a colour"
                  given nav[Page(color="00FF00")]
                """
            )
        )
    )

    static let leftOver = DiagnosticCode(
        CodeArticle(
            "S0111",
            "there is more text than expected",
            """
            The step is whole before its line ends. Usually a comment has no '#', or a word belongs \
            to another step. The help shows the form of the step.
            """,
            found: .steps(
                """
                scenario "Goes back"
                  back 2 screens
                """
            ),
            mended: .steps(
                """
                scenario "Goes back"
                  back 2
                """
            )
        )
    )

    static let leftOpen = DiagnosticCode(
        CodeArticle(
            "S0112",
            "a bracket is left open",
            """
            A bracket, a quote or a 'repeat' is never closed. An open bracket continues the step on \
            the next line, up to the next block at the most.
            """,
            found: .steps(
                """
                scenario "Has a stack"
                  given nav[Main, Show
                """
            ),
            mended: .steps(
                """
                scenario "Has a stack"
                  given nav[Main, Show]
                """
            )
        )
    )

    static let twice = DiagnosticCode(
        CodeArticle(
            "S0113",
            "something stands twice",
            """
            A file has one 'use', one 'set' of each key, one macro of each name; a table has one \
            column of each name; and a word of the steps cannot be a name. Leave out or rename one \
            of the two.
            """,
            found: .steps(
                """
                set seed = 1
                set seed = 2
                scenario "Draws lots"
                  start
                """
            ),
            mended: .steps(
                """
                set seed = 1
                scenario "Draws lots"
                  start
                """
            )
        )
    )

    static let unknownName = DiagnosticCode(
        CodeArticle(
            "S0114",
            "nothing has this name",
            """
            A name stands for a request that 'as NAME' names, a value of 'let NAME', a snapshot or a \
            macro, and nothing before this step has given it. Usually it is misspelt, or is given in \
            a later step or in another scenario: names hold in their own.
            """,
            found: .steps(
                """
                scenario "Is cancelled"
                  navigate Show/open as first
                  cancel frist
                """
            ),
            mended: .steps(
                """
                scenario "Is cancelled"
                  navigate Show/open as first
                  cancel first
                """
            )
        )
    )

    static let unknownParameter = DiagnosticCode(
        CodeArticle(
            "S0115",
            "nothing declares a parameter",
            """
            '<name>' is replaced by a cell of the table, or by an argument of the macro, and neither \
            has a column or a parameter of this name. Text that is meant as it stands goes into \
            quotes without '<'.
            """,
            found: .steps(
                """
                scenario "Opens <id>"
                  navigate Show/open(id=<di>)
                  each
                    | id |
                    | 7  |
                """
            ),
            mended: .steps(
                """
                scenario "Opens <id>"
                  navigate Show/open(id=<id>)
                  each
                    | id |
                    | 7  |
                """
            )
        )
    )

    static let unusedColumn = DiagnosticCode(
        CodeArticle(
            "S0116",
            "a column of a table is used nowhere",
            """
            No step and no name of the scenario has the column as '<column>', so it changes nothing. \
            Usually the name of the column is misspelt in one of the two places.
            """,
            found: .steps(
                """
                scenario "Opens a show"
                  navigate Show/open(id=7)
                  each
                    | id |
                    | 7  |
                """
            ),
            mended: .steps(
                """
                scenario "Opens a show"
                  navigate Show/open(id=<id>)
                  each
                    | id |
                    | 7  |
                """
            )
        )
    )

    static let badTable = DiagnosticCode(
        CodeArticle(
            "S0117",
            "a table has not the form of one",
            """
            The first row of a table names the columns, and each row behind it has a cell for each. \
            Usually a cell is missing, or a bar in a cell is not written as '\\|'. Files of rows are \
            comma-separated, with quotes around cells that hold a comma.
            """,
            found: .steps(
                """
                scenario "Opens <id>"
                  navigate Show/open(id=<id>, page=<page>)
                  each
                    | id | page |
                    | 7  |
                """
            ),
            mended: .steps(
                """
                scenario "Opens <id>"
                  navigate Show/open(id=<id>, page=<page>)
                  each
                    | id | page |
                    | 7  | 1    |
                """
            )
        )
    )

    static let cycle = DiagnosticCode(
        CodeArticle(
            "S0118",
            "files or macros lead back to themselves",
            """
            A file includes itself, or a macro does itself, perhaps by way of others. What they share \
            belongs into a third one.
            """,
            found: .steps(
                """
                macro login
                  do home
                macro home
                  do login
                scenario "Begins"
                  do home
                """
            ),
            mended: .steps(
                """
                macro login
                  ready session
                macro home
                  do login
                scenario "Begins"
                  do home
                """
            )
        )
    )

    static let misplaced = DiagnosticCode(
        CodeArticle(
            "S0119",
            "a word cannot stand here",
            """
            The word is right, and its location is not: an 'end' without a 'repeat', an 'each' that is \
            not at the end of a scenario, a scenario in a file that others include, a block that is \
            indented.
            """,
            found: .steps(
                """
                scenario "Goes back"
                  back
                  end
                """
            ),
            mended: .steps(
                """
                scenario "Goes back"
                  repeat 2
                    back
                  end
                """
            )
        )
    )

    static let bareReturn = DiagnosticCode(
        CodeArticle(
            "S0120",
            "a line ends with a carriage return alone",
            """
            Lines end with a line feed (LF), or with a carriage return and a line feed (CRLF). A \
            carriage return alone ended lines on old systems; here the next line would be part of \
            the same step. Save the file with other line ends; 'tr "\\r" "\\n"' converts it.
            """
        )
    )

    static let noSteps = DiagnosticCode(
        CodeArticle(
            "S0121",
            "a scenario has no steps",
            """
            A scenario without steps of its own would pass, whatever the scripts do. Usually its \
            steps are not indented, or are still to be written: then 'skip' marks it.
            """,
            found: .steps(
                """
                scenario "Goes back"
                """
            ),
            mended: .steps(
                """
                skip "Goes back"
                scenario "Begins"
                  start
                """
            )
        )
    )

    static let ofTexts: [DiagnosticCode] = [
        notUTF8, fileTooLarge, lineTooLong, tooManySteps, unknownBlock, stepOutside, unknownStep,
        unknownWord, missing, notation, leftOver, leftOpen, twice, unknownName, unknownParameter,
        unusedColumn, badTable, cycle, misplaced, bareReturn, noSteps,
    ]
}
