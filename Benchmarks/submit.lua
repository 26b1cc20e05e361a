-- Each thread of wrk sends commands of its own.
local threads = 0
function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end
local count = 0
local start = os.time()
function request()
    count = count + 1
    local id = start .. "-" .. number .. "-" .. count
    return wrk.format("POST", "/v1/commands", {["Content-Type"] = "application/json"},
        '{"id":"w-' .. id .. '","command":"examroom.account.register","at":"2026-02-02T08:00:00Z","by":"system","data":{"account":"W-' ..
        id .. '","role":"student","name":"Student ' .. id .. '","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}}}')
end
