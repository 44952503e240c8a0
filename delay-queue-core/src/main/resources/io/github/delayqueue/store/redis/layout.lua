-- The version of what is in Redis, which claims compare.

local LAYOUT = '1'

local function is_readable(layout) return layout == LAYOUT end
