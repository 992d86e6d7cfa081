import { NOW, type Script, script } from './link.ts'

/** The part of one limit in the shared Lua script. */
export interface LimitScript {
  /**
   * Sets `limits.<kind> = { keys, args, decide(key, arg), release_keys, release_args, release(key, arg) }`. `key` and
   * `arg` are the indexes of the limit's first entry in KEYS and ARGV. `id` and `now` are local variables of the
   * script. decide() returns whether the limit allows the request, a function that counts the request, and up to three
   * integers. It must not change any count.
   *
   * `state_of(name, read)` returns a state that all requests of the call share; read() reads it once. Its function
   * `write`, if it has one, runs after all releases, or after all decisions. is_counted(key) and set_counted(key) read
   * and set whether the request was counted, in a set with the key countedKey().
   */
  readonly lua: string
}

/** Integers per check in the reply: whether it is allowed, and its ReplyValues. */
export const STRIDE = 4
/** Takes the place of the number of checks in the reply: the script has failed for this request. Its error follows. */
export const FAILED = -1
/** The deadline was over. */
export const LATE = -2

/**
 * Time in which a request is counted once, in milliseconds. A call runs twice only if a cluster moves a slot: the
 * client repeats the redirected call at once. It repeats no other call (client.ts).
 */
const REMEMBER_MS = 5000

/** Key of a sorted set of ids: the requests that the limit `name` has counted in the last REMEMBER_MS. */
export function countedKey(account: string, name: string): string {
  return `sluiceway:{${account}}:counted:${name}`
}

/**
 * The script that all limits share. One call decides or releases for several requests, in order; releases precede
 * decisions. ARGV[1]: deadline of decisions. A later decision counts nothing: its sender no longer waits for it.
 * ARGV[2]: 1 if the call may run twice (REMEMBER_MS).
 *
 * Then for each request: `decide` or `release`, its id, its number of keys, its number of arguments, its arguments; or
 * `same` and its id, if it differs from the request before it only in its id. The
 * reply is Redis's time, then for each request the number of decided checks and STRIDE integers for each of them, then
 * errors of writes. An error about the keys of one request does not affect the others. An error of the server ends the
 * call.
 */
export function batchScript(scripts: readonly LimitScript[]): Script {
  return script(
    'sluicewayLimits',
    `${NOW}
local id, is_repeatable, limits, states, problems = '', ARGV[2] == '1', {}, {}, {}
local function state_of(name, read)
  if not states[name] then states[name] = read() end
  return states[name]
end
local function text_of(problem)
  return type(problem) == 'table' and problem.err or tostring(problem)
end
local function is_of_server(problem)
  for _, code in ipairs({ 'OOM', 'READONLY', 'MISCONF', 'NOREPLICAS', 'MASTERDOWN', 'CLUSTERDOWN' }) do
    if string.find(text_of(problem), code, 1, true) then return true end
  end
end
local function write_states(failure)
  for _, state in pairs(states) do
    local ok, problem = true, nil
    if state.write then ok, problem = pcall(state.write) end
    if not ok and is_of_server(problem) then
      failure = problem
    elseif not ok then
      problems[#problems + 1] = text_of(problem)
    end
  end
  states = {}
  if failure then error(failure) end
end
local function counted_in(key)
  return state_of(key, function()
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    return { ids = {}, added = {} }
  end)
end
local function is_counted(key)
  return is_repeatable and (counted_in(key).ids[id] or redis.call('ZSCORE', key, id))
end
local function set_counted(key)
  if not is_repeatable then return end
  local state = counted_in(key)
  local added = state.added
  state.ids[id], added[#added + 1], added[#added + 2] = true, now + ${REMEMBER_MS}, id
  state.write = function()
    redis.call('ZADD', key, unpack(added))
    redis.call('PEXPIRE', key, ${REMEMBER_MS})
  end
end
${scripts.map(({ lua }) => lua).join('\n')}
local function release(key, arg, last)
  while arg <= last do
    local limit = limits[ARGV[arg]]
    limit.release(key, arg + 1)
    key, arg = key + limit.release_keys, arg + 1 + limit.release_args
  end
  return {}
end
local function decide(key, arg, last)
  local values, counts = {}, {}
  while arg <= last do
    local limit = limits[ARGV[arg]]
    local allowed, count, one, two, three = limit.decide(key, arg + 2)
    local at = #values
    values[at + 1], values[at + 2], values[at + 3], values[at + 4] = allowed and 1 or 0, one or 0, two or 0, three or 0
    if allowed then
      counts[#counts + 1] = count
    elseif ARGV[arg + 1] == '1' then
      return values
    end
    key, arg = key + limit.keys, arg + 2 + limit.args
  end
  for _, count in ipairs(counts) do count() end
  return values
end
local late = ARGV[1] ~= '0' and now > tonumber(ARGV[1])
local arg, reply, run, key, first, last = 3, { now }, release, 1, 0, 0
local keys = 0
while ARGV[arg] do
  if run == release and ARGV[arg] == 'decide' then
    write_states()
    run = decide
  end
  id = ARGV[arg + 1]
  if ARGV[arg] == 'same' then
    arg = arg + 2
  else
    key, keys, first, last = key + keys, tonumber(ARGV[arg + 2]), arg + 4, arg + 3 + tonumber(ARGV[arg + 3])
    arg = last + 1
  end
  if late and run == decide then
    reply[#reply + 1] = ${LATE}
  else
    local ok, values = pcall(run, key, first, last)
    if ok then
      reply[#reply + 1] = #values / ${STRIDE}
      for _, value in ipairs(values) do reply[#reply + 1] = value end
    elseif is_of_server(values) then
      write_states(values)
    else
      reply[#reply + 1] = ${FAILED}
      reply[#reply + 1] = text_of(values)
    end
  end
end
write_states()
for _, problem in ipairs(problems) do reply[#reply + 1] = problem end
return reply
`,
  )
}
