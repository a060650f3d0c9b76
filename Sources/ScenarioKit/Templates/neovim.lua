vim.filetype.add({ extension = { scenario = "luaroute" } })
vim.opt.runtimepath:append(vim.fn.getcwd() .. "/tree-sitter-luaroute")
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "luaroute", "lua" },
  callback = function()
    local mark = vim.fs.find({ "luaroute.json", "main.lua" }, { upward = true })[1]
    if not mark then return end
    if vim.bo.filetype == "luaroute" then pcall(vim.treesitter.start) end
    vim.lsp.start({ name = "luaroute", cmd = { "luaroute", "lsp" }, root_dir = vim.fs.dirname(mark),
      init_options = { trusted = true } })
  end,
})
