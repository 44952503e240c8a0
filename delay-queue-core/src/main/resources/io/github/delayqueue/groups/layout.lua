-- The version of what is in Redis. It names the property, so that also an instance that knows nothing of it says which one it is.

local LAYOUT = '2 (groups.enabled)'

local function is_readable(layout) return layout == LAYOUT or layout == '1' end
