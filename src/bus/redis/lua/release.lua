#!lua flags=allow-oom
-- Hands a turn back for another worker. ARGV: thread token operation. Answers {fenced} or {queued}.
--- @include clock
--- @include inbox
--- @include wake
--- @include quiet
--- @include places
--- @include guard
local thread, token, operation = ARGV[1], ARGV[2], ARGV[3]
local state = base .. 't:' .. thread
local before, is = guard(state, token, operation)
if before then return before end
return answered(state, operation, { rest(thread, is.who, head_of(thread), now_ms(), 0) })
