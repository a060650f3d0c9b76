// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The command `lsp` as a process, and with an editor.
struct LanguageServerTests {
    private static func framed(_ messages: [String]) -> String {
        messages.map { "Content-Length: \($0.utf8.count)\\r\\n\\r\\n\($0)" }.joined()
    }

    private static let initialize = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#
    private static let shutdown = #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#
    private static let exit = #"{"jsonrpc":"2.0","method":"exit"}"#

    @Test(
        "the process answers, and ends with its client",
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

    private static let editor = ["/usr/bin/nvim", "/usr/local/bin/nvim"]
        .first(where: FileManager.default.isExecutableFile)

    /// Opens a file, waits for its finding, takes it away, and changes a name; each wait has an end.
    private static let session = """
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
        local out = io.open(root .. '/out', 'w')
        out:write('findings ', found(1), ' ', vim.diagnostic.get(0)[1].code, '\\n')
        vim.api.nvim_buf_set_lines(0, 4, 5, false, { '  expect top Home' })
        out:write('findings ', found(0), '\\n')
        out:write('label ', request('textDocument/completion', 4, 15)[1].label, '\\n')
        local place = request('textDocument/definition', 4, 15)[1]
        out:write('line ', place.range.start.line, '\\n')
        local edit = request('textDocument/rename', 4, 15, { newName = 'First' })
        vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
        out:write(vim.api.nvim_buf_get_lines(0, 4, 5, false)[1], '\\n')
        out:close()
        vim.cmd('qa!')

        """

    @Test(
        "Neovim shows findings, completes, finds definitions and changes names",
        .enabled(if: editor != nil, "no Neovim is here")
    )
    func neovim() throws {
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
        try folder.write("session.lua", Self.session)
        let root = URL(filePath: folder.path).resolvingSymlinksInPath().path()
        let result = try CommandProcess(
            shell: "\(Self.editor ?? "") --headless -u NONE -S '\(root)/session.lua'",
            environment: ["ROOT": root]
        )
        #expect(result.code == 0)
        #expect(
            try folder.read("out") == """
                findings 1 S0205
                findings 0
                label Home
                line 0
                  expect top First

                """,
            "\(result.errors)"
        )
    }
}
