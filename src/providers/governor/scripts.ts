/** Both scripts take the state and the calls of a provider, and: now, requests a minute, failures, cool-down. */
const prelude = `
local state, calls = KEYS[1], KEYS[2]
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local budget, tolerated, coolDown = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local function number(field) return tonumber(redis.call('HGET', state, field) or 0) end
local function keep()
  redis.call('PEXPIRE', state, 86400000)
  redis.call('PEXPIRE', calls, 60000)
end
local broken = number('failures') >= tolerated
`;

/** Answers admitted, probe, wait, reason. */
export const admitScript = `${prelude}
local paused = number('pausedUntil')
if paused > now then return { 0, 0, paused - now, 'paused' } end
local closed = broken and math.max(number('openUntil'), number('probeUntil')) or 0
if closed > now then return { 0, 0, closed - now, 'broken' } end
redis.call('ZREMRANGEBYSCORE', calls, '-inf', now - 60000)
if redis.call('ZCARD', calls) >= budget then
  local earliest = redis.call('ZRANGE', calls, 0, 0, 'WITHSCORES')
  return { 0, 0, tonumber(earliest[2] or now) + 60000 - now, 'budget' }
end
redis.call('ZADD', calls, now, redis.call('HINCRBY', state, 'sequence', 1))
if broken then redis.call('HSET', state, 'probeUntil', now + coolDown) end
keep()
return { 1, broken and 1 or 0, 0, '' }
`;

/** Takes as well: kind of ending, probe, pause. A call from before the breaker opened has no say in it any more. */
export const settleScript = `${prelude}
local kind, probe, pause = ARGV[5], ARGV[6] == '1', tonumber(ARGV[7])
if probe then redis.call('HSET', state, 'probeUntil', 0) end
if kind == 'busy' then redis.call('HSET', state, 'pausedUntil', math.max(number('pausedUntil'), now + pause)) end
if (kind == 'success' or kind == 'failure') and (probe or not broken) then
  if kind == 'success' then
    redis.call('HSET', state, 'failures', 0)
  elseif redis.call('HINCRBY', state, 'failures', 1) >= tolerated then
    redis.call('HSET', state, 'openUntil', now + coolDown)
  end
end
keep()
return 0
`;
