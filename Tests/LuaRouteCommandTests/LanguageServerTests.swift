// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Tests of the command `lsp` as a process, and with existing clients such as editors.
struct LanguageServerTests {
    private static func framed(_ messages: [String]) -> String {
        messages.map { "Content-Length: \($0.utf8.count)\\r\\n\\r\\n\($0)" }.joined()
    }

    private static let initialize = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#
    private static let shutdown = #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#
    private static let exit = #"{"jsonrpc":"2.0","method":"exit"}"#

    @Test(
        "the server process answers requests, and ends when its client ends",
        arguments: [
            ([initialize, shutdown, exit], 0, 2), ([initialize, exit], 1, 1), ([initialize], 0, 1),
            ([], 0, 0),
        ] as [([String], Int32, Int)]
    )
    func ends(messages: [String], code: Int32, answers: Int) throws {
        let result = try CommandProcess(shell: "printf '\(Self.framed(messages))' | $LUAROUTE lsp")
        #expect(result.code == code && result.errors.isEmpty)
        #expect(result.output.components(separatedBy: "Content-Length: ").count == answers + 1)
    }

    @Test(
        "input that ends without a header is an error, after the messages before it were answered",
        arguments: [("", 0), (framed([initialize]), 1)]
    )
    func noHeader(messages: String, answers: Int) throws {
        let result = try CommandProcess(
            shell: "printf '\(messages)%s\\n' '\(Self.shutdown)' | $LUAROUTE lsp"
        )
        #expect(result.code == 66)
        #expect(
            result.errors == """
                a header 'Content-Length: N' was expected before a message, got \
                '{"jsonrpc":"2.0","id":2,"method":"shutdo…': start 'luaroute lsp' from an editor

                """
        )
        #expect(result.output.components(separatedBy: "Content-Length: ").count == answers + 1)
    }

    // MARK: Editors

    /// Creates a project whose scenario first has a wrong name, and then an expectation that fails.
    private static func project(_ session: (name: String, text: String)) throws -> (
        folder: TemporaryFolder, root: String
    ) {
        let folder = try TemporaryFolder()
        try folder.write(
            "main.lua",
            """
            router.class("Home", {})
            router.start(function() return router.nav { router.screen "Home" } end)

            """
        )
        try folder.write(
            "shop.scenario",
            "use main.lua\n\nscenario \"The first screen\"\n  start\n  expect top Hme\n"
        )
        try folder.write(session.name, session.text)
        return (folder, URL(filePath: folder.path).resolvingSymlinksInPath().path())
    }

    /// The lines that an editor session writes to the file `out`.
    private static let expected = """
        findings 1 S0205
        findings 0
        label Home
        line 0
          expect top First
        action Write the actual state: depth 1
          expect depth 1
        lenses run trace update
        result ✔ The first screen

        """

    private static func isThere(_ command: String) -> Bool {
        (try? CommandProcess(shell: "\(command) >/dev/null 2>&1").code) == 0
    }

    /// A session that opens a file, waits for its finding, fixes the finding, renames a symbol, and
    /// applies an action and a lens.
    ///
    /// Each wait has a timeout.
    private static let neovimSession = """
        local root, command = vim.env.ROOT, vim.env.LUAROUTE
        vim.cmd('edit ' .. root .. '/shop.scenario')
        local id = vim.lsp.start_client({
          name = 'luaroute', cmd = { command, 'lsp' }, root_dir = root,
          workspace_folders = { { uri = 'file://' .. root, name = 'shop' } },
          init_options = { trusted = true },
        })
        vim.lsp.buf_attach_client(0, id)
        local function found(count)
          vim.wait(30000, function() return #vim.diagnostic.get(0) == count end)
          return #vim.diagnostic.get(0)
        end
        local function request(method, line, character, more)
          local position = { line = line, character = character }
          local parameters = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = position }
          for key, value in pairs(more or {}) do parameters[key] = value end
          local answers = vim.lsp.buf_request_sync(0, method, parameters, 30000)
          for _, answer in pairs(answers or {}) do return answer.result end
        end
        local function line(number) return vim.api.nvim_buf_get_lines(0, number, number + 1, false)[1] end
        local out = io.open(root .. '/out', 'w')
        out:write('findings ', found(1), ' ', vim.diagnostic.get(0)[1].code, '\\n')
        vim.api.nvim_buf_set_lines(0, 4, 5, false, { '  expect top Home' })
        out:write('findings ', found(0), '\\n')
        out:write('label ', request('textDocument/completion', 4, 15)[1].label, '\\n')
        local place = request('textDocument/definition', 4, 15)[1]
        out:write('line ', place.range.start.line, '\\n')
        local edit = request('textDocument/rename', 4, 15, { newName = 'First' })
        vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
        vim.cmd('silent wall')
        out:write(line(4), '\\n')
        vim.api.nvim_buf_set_lines(0, 5, 5, false, { '  expect depth 2' })
        found(1)
        local here = { line = 5, character = 10 }
        local action = request('textDocument/codeAction', 5, 10,
          { range = { start = here, ['end'] = here }, context = { diagnostics = {} } })[1]
        out:write('action ', action.title, '\\n')
        vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
        out:write(line(5), '\\n')
        local lenses, names = request('textDocument/codeLens', 0, 0), {}
        for _, lens in ipairs(lenses) do table.insert(names, lens.command.title) end
        out:write('lenses ', table.concat(names, ' '), '\\n')
        local text = request('workspace/executeCommand', 0, 0, lenses[1].command)
        out:write('result ', text:match('[^\\n]-screen'), '\\n')
        out:close()
        vim.cmd('qa!')

        """

    @Test(
        "Neovim can show findings, complete, go to definitions, rename, and use actions and lenses",
        .enabled(if: isThere("nvim --version"), "no Neovim is here")
    )
    func neovim() throws {
        let (folder, root) = try Self.project(("session.lua", Self.neovimSession))
        let result = try CommandProcess(
            shell: "nvim --headless -u NONE -S '\(root)/session.lua'",
            environment: ["ROOT": root]
        )
        #expect(result.code == 0)
        #expect(try folder.read("out") == Self.expected, "\(result.errors)")
    }

    /// The same session in Emacs.
    private static let emacsSession = """
        (require 'eglot)
        (define-derived-mode luaroute-mode prog-mode "luaroute")
        (setq root (getenv "ROOT") out "" eglot-autoshutdown t
              eglot-sync-connect 30 eglot-send-changes-idle-time 0.05)
        (add-to-list 'eglot-server-programs
          `(luaroute-mode . (,(getenv "LUAROUTE") "lsp" :initializationOptions (:trusted t))))
        (defun say (&rest parts) (setq out (concat out (apply #'format parts) "\\n")))
        (find-file-noselect (concat root "/main.lua"))
        (find-file (concat root "/shop.scenario"))
        (luaroute-mode)
        (cl-letf (((symbol-function 'project-current)
                   (lambda (&rest _) (cons 'transient root))))
          (apply #'eglot (eglot--guess-contact)))
        (setq server (eglot-current-server) findings nil)
        (advice-add 'eglot-handle-notification :after
          (lambda (_server method &rest parameters)
            (when (and (eq method 'textDocument/publishDiagnostics)
                       (string-suffix-p "shop.scenario" (plist-get parameters :uri)))
              (setq findings (append (plist-get parameters :diagnostics) nil)))))
        (defun found (count)
          (with-timeout (30) (while (/= (length findings) count) (accept-process-output nil 0.05)))
          (length findings))
        (defun request (method line character &rest more)
          (eglot--signal-textDocument/didChange)
          (jsonrpc-request server method
            (append more `(:textDocument (:uri ,(eglot--path-to-uri buffer-file-name))
                           :position (:line ,line :character ,character)))))
        (defun line (number)
          (goto-char (point-min)) (forward-line number)
          (buffer-substring (line-beginning-position) (line-end-position)))
        (defun write-line (number text)
          (line number)
          (delete-region (line-beginning-position) (line-end-position))
          (insert text)
          (eglot--signal-textDocument/didChange))
        (say "findings %s %s" (found 1) (plist-get (car findings) :code))
        (write-line 4 "  expect top Home")
        (say "findings %s" (found 0))
        (say "label %s" (plist-get (aref (request :textDocument/completion 4 15) 0) :label))
        (let ((place (aref (request :textDocument/definition 4 15) 0)))
          (say "line %s" (plist-get (plist-get (plist-get place :range) :start) :line)))
        (eglot--apply-workspace-edit (request :textDocument/rename 4 15 :newName "First"))
        (save-some-buffers t)
        (say "%s" (line 4))
        (goto-char (point-max))
        (insert "  expect depth 2\\n")
        (eglot--signal-textDocument/didChange)
        (found 1)
        (let* ((here '(:line 5 :character 10))
               (action (aref (request :textDocument/codeAction 5 10
                 :range `(:start ,here :end ,here) :context '(:diagnostics [])) 0)))
          (say "action %s" (plist-get action :title))
          (eglot--apply-workspace-edit (plist-get action :edit))
          (say "%s" (line 5)))
        (let* ((lenses (append (request :textDocument/codeLens 0 0) nil))
               (commands (mapcar (lambda (lens) (plist-get lens :command)) lenses))
               (text (apply #'request :workspace/executeCommand 0 0 (car commands))))
          (say "lenses %s" (mapconcat (lambda (command) (plist-get command :title)) commands " "))
          (say "result %s" (and (string-match ".*?screen" text) (match-string 0 text))))
        (let ((coding-system-for-write 'utf-8))
          (write-region out nil (concat root "/out")))
        (kill-emacs 0)

        """

    @Test(
        "Emacs can show findings, complete, go to definitions, rename, and use actions and lenses",
        .enabled(
            if: isThere("emacs --batch --eval \"(require 'eglot)\""),
            "no Emacs with eglot is here"
        )
    )
    func emacs() throws {
        let (folder, root) = try Self.project(("session.el", Self.emacsSession))
        let result = try CommandProcess(
            shell: "LC_ALL=C.UTF-8 timeout 120 emacs --batch -l '\(root)/session.el'",
            environment: ["ROOT": root]
        )
        #expect(result.code == 0)
        #expect(try folder.read("out") == Self.expected, "\(result.errors)")
    }

    /// A client that decodes every message with the definitions of the protocol.
    private static let pythonSession = """
        import asyncio, os
        import pytest_lsp
        from lsprotocol.types import *

        root = os.environ["ROOT"]
        uri = f"file://{root}/shop.scenario"

        async def main():
            client = pytest_lsp.make_test_lsp_client()
            await client.start_io(os.environ["LUAROUTE"], "lsp")
            answer = await client.initialize_session(
                InitializeParams(
                    capabilities=pytest_lsp.client_capabilities("visual-studio-code"),
                    initialization_options={"trusted": True},
                    workspace_folders=[WorkspaceFolder(uri=f"file://{root}", name="shop")],
                )
            )
            with open(f"{root}/shop.scenario") as file:
                text = file.read()
            document = TextDocumentIdentifier(uri=uri)
            client.text_document_did_open(
                DidOpenTextDocumentParams(
                    text_document=TextDocumentItem(uri=uri, language_id="luaroute", version=1, text=text)
                )
            )
            while True:
                await client.wait_for_notification(TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
                if client.diagnostics.get(uri):
                    break
            print("findings", [finding.code for finding in client.diagnostics[uri]])
            whole = Range(start=Position(line=0, character=0), end=Position(line=9, character=0))
            hints = await client.text_document_inlay_hint_async(
                InlayHintParams(text_document=document, range=whole)
            )
            print("hints", [(hint.position.line, hint.label) for hint in hints])
            tokens = await client.text_document_semantic_tokens_full_async(
                SemanticTokensParams(text_document=document)
            )
            print("tokens", len(tokens.data) // 5)
            lenses = await client.text_document_code_lens_async(CodeLensParams(text_document=document))
            print("lenses", [lens.command.title for lens in lenses])
            here = Position(line=4, character=13)
            place = TextDocumentPositionParams(text_document=document, position=here)
            items = await client.text_document_completion_async(
                CompletionParams(text_document=document, position=here)
            )
            print("completion", [item.label for item in items])
            actions = await client.text_document_code_action_async(
                CodeActionParams(
                    text_document=document, range=Range(start=here, end=here),
                    context=CodeActionContext(diagnostics=[]),
                )
            )
            print("actions", [action.title for action in actions])
            text = await client.workspace_execute_command_async(
                ExecuteCommandParams(
                    command=lenses[1].command.command, arguments=lenses[1].command.arguments
                )
            )
            print("trace", "after  +nav[+Home]" in text)
            await client.shutdown_session()

        asyncio.run(main())

        """

    @Test(
        "a client that validates every message against the protocol accepts all responses",
        .enabled(if: isThere("python3 -c 'import pytest_lsp'"), "no pytest-lsp is here")
    )
    func strictClient() throws {
        let (folder, root) = try Self.project(("session.py", Self.pythonSession))
        let result = try CommandProcess(
            shell: "PYTHONIOENCODING=utf-8 timeout 120 python3 '\(folder.path)/session.py'",
            environment: ["ROOT": root]
        )
        #expect(result.code == 0)
        #expect(
            result.output == """
                findings ['S0205']
                hints [(3, '→ nav[Home]')]
                tokens 7
                lenses ['run', 'trace', 'update']
                completion ['Home', 'modals', 'nav', 'panes', 'stack', 'tabs', 'window']
                actions ["Change 'Hme' to 'Home'", 'Write the actual state: top Home']
                trace True

                """,
            "\(result.errors)"
        )
    }
}
