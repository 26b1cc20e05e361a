-- Each thread of wrk sends commands of its own, which say something about nobody: no person's key is wanted.
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
        '{"id":"o-' .. id .. '","command":"examroom.connection.observe","at":"2026-02-02T08:00:00Z","by":"system","data":{"device":"D-' ..
        id .. '","network":"wifi"}}')
end
