/**
 * Keys of all scripts: state and calls of a provider. First arguments: now, requests per minute,
 * failures, cool-down. The state has an incarnation id; a Redis that lost its data gets a new one.
 */
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
local function known()
  return { now, number('failures'), number('openUntil'), number('pausedUntil') }
end
local broken = tolerated and number('failures') >= tolerated
`;

/** Returned, with no other effect, when the caller's incarnation is not the current one. */
export const strange = 'strange';
const checkIncarnation = `${prelude}
if redis.call('HGET', state, 'incarnation') ~= ARGV[5] then return '${strange}' end
`;

/** Further arguments: incarnation. Returns admitted, probe, wait, reason and the state. */
export const admitScript = `${checkIncarnation}
local paused = number('pausedUntil')
if paused > now then return { 0, 0, paused - now, 'paused', known() } end
local closed = broken and math.max(number('openUntil'), number('probeUntil')) or 0
if closed > now then return { 0, 0, closed - now, 'broken', known() } end
redis.call('ZREMRANGEBYSCORE', calls, '-inf', now - 60000)
if redis.call('ZCARD', calls) >= budget then
  local earliest = redis.call('ZRANGE', calls, 0, 0, 'WITHSCORES')
  return { 0, 0, tonumber(earliest[2] or now) + 60000 - now, 'budget', known() }
end
redis.call('ZADD', calls, now, redis.call('HINCRBY', state, 'sequence', 1))
if broken then redis.call('HSET', state, 'probeUntil', now + coolDown) end
keep()
return { 1, broken and 1 or 0, 0, '', known() }
`;

/**
 * Further arguments: incarnation, kind of ending, probe, pause. Returns the state. Calls that
 * started before the breaker opened no longer affect it.
 */
export const settleScript = `${checkIncarnation}
local kind, probe, pause = ARGV[6], ARGV[7] == '1', tonumber(ARGV[8])
if probe then redis.call('HSET', state, 'probeUntil', 0) end
if kind == 'busy' then
  redis.call('HSET', state, 'pausedUntil', math.max(number('pausedUntil'), now + pause))
end
if (kind == 'success' or kind == 'failure') and (probe or not broken) then
  if kind == 'success' then
    redis.call('HSET', state, 'failures', 0)
  elseif redis.call('HINCRBY', state, 'failures', 1) >= tolerated then
    redis.call('HSET', state, 'openUntil', now + coolDown)
  end
end
keep()
return known()
`;

/**
 * Further arguments: id of the process, failures, openUntil, pausedUntil, times of its calls.
 * Merges them into the state and returns the incarnation. Idempotent: calls are keyed by process.
 */
export const recallScript = `${prelude}
redis.call('HSETNX', state, 'incarnation', ARGV[5] .. ':' .. now)
for i, field in ipairs({ 'failures', 'openUntil', 'pausedUntil' }) do
  redis.call('HSET', state, field, math.max(number(field), tonumber(ARGV[5 + i])))
end
for i = 9, #ARGV do
  if tonumber(ARGV[i]) > now - 60000 then
    redis.call('ZADD', calls, ARGV[i], ARGV[5] .. ':' .. ARGV[i] .. ':' .. i)
  end
end
keep()
return redis.call('HGET', state, 'incarnation')
`;

/**
 * Changes nothing. Returns now, the state, and the time of the call that must be a minute old before
 * the next one is allowed.
 */
export const inspectScript = `${prelude}
local call = redis.call('ZREVRANGE', calls, budget - 1, budget - 1, 'WITHSCORES')
return { now, number('failures'), number('openUntil'), number('probeUntil'), number('pausedUntil'),
  call[2] and tonumber(call[2]) or false }
`;
