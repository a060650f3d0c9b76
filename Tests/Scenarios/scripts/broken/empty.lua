-- It registers nothing.
local answer = 42
