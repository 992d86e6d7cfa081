import { NOW, type RedisLink, type Script, script } from './link.ts'

/** What one limit does within the script of a request: Lua that puts an entry into the table `limits`. */
export interface Piece {
  /**
   * `limits.<kind> = { keys, args, decide(key, arg), end_keys, end_args, give_back(key, arg) }`. `key` and `arg` are the
   * places of the limit's first key and argument in KEYS and ARGV; `id` and `now` are there, too. decide() answers whether
   * there is room, a function that counts the request, and up to three integers; it must not count anything itself.
   */
  readonly lua: string
}

/** One limit's part of a call. */
export interface Part {
  readonly kind: string
  readonly keys: readonly string[]
  readonly args: readonly (string | number)[]
}

/** The three integers of decide(). */
export type Figures = readonly [number, number, number]

/** What a limit asks for a request. */
export interface Question<T> extends Part {
  /** A refusal by this limit refuses the request. False: shadow mode, in which it goes on. */
  readonly enforced: boolean
  /** Redis has decided; where `allowed`, it has counted the request. */
  decided(allowed: boolean, figures: Figures): T
  /** Decides in this process because Redis is away. May throw the error that the request is to be refused with. */
  here(): T
  refuses(state: T): boolean
}

/** A question and whoever waits for its answer. */
interface Entry extends Part {
  readonly enforced: boolean
  decided(allowed: boolean, figures: Figures): void
  /** False: refused. */
  here(): boolean
  /** Another limit has refused the request, which counts in none. */
  pass(): void
}

interface Visit<T> {
  readonly account: string
  readonly id: string
  readonly entries: T[]
}

interface Ending extends Part {
  readonly lost: (() => void) | undefined
}

/** Integers that the script answers for each question: whether there is room, and three figures. */
const STRIDE = 4

/** The one script of all limits. It decides or it gives back, for one request. */
export function visitScript(pieces: readonly Piece[]): Script {
  return script(`${NOW}
local id, limits = ARGV[2], {}
${pieces.map(({ lua }) => lua).join('\n')}
local key, arg = 1, 3
if ARGV[1] == 'end' then
  while ARGV[arg] do
    local limit = limits[ARGV[arg]]
    limit.give_back(key, arg + 1)
    key, arg = key + limit.end_keys, arg + 1 + limit.end_args
  end
  return { 1 }
end
local reply, counts = {}, {}
while ARGV[arg] do
  local limit = limits[ARGV[arg]]
  local allowed, count, one, two, three = limit.decide(key, arg + 2)
  for _, figure in ipairs({ allowed and 1 or 0, one or 0, two or 0, three or 0 }) do reply[#reply + 1] = figure end
  if allowed then
    counts[#counts + 1] = count
  elseif ARGV[arg + 1] == '1' then
    return reply
  end
  key, arg = key + limit.keys, arg + 2 + limit.args
end
for _, count in ipairs(counts) do count() end
return reply
`)
}

/**
 * Where the limits of a request meet on their way to Redis. What they ask within one turn of the event loop is decided by
 * one script: in the order in which they asked, and where one refuses, nothing is counted in any. What is given back at a
 * request's end goes in one call, too, which leaves before anything else happens.
 */
export class LimitBatcher {
  /** What runs for every request. */
  readonly script: Script
  readonly #link: RedisLink
  #asking: Visit<Entry>[] = []
  readonly #askingById = new Map<string, Visit<Entry>>()
  #ending: Visit<Ending>[] = []

  constructor(link: RedisLink, pieces: readonly Piece[]) {
    this.#link = link
    this.script = visitScript(pieces)
  }

  /** undefined: another limit has refused the request, which therefore counts in none. */
  ask<T>(account: string, id: string, question: Question<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const { kind, keys, args, enforced } = question
      this.#visitOf(account, id).entries.push({
        ...{ kind, keys, args, enforced },
        decided: (allowed, figures) => resolve(question.decided(allowed, figures)),
        here() {
          try {
            const state = question.here()
            resolve(state)
            return !question.refuses(state)
          } catch (error) {
            reject(error)
            return false
          }
        },
        pass: () => resolve(undefined),
      })
    })
  }

  /** `lost`: called when it has not reached Redis. */
  end(account: string, id: string, { kind, keys, args }: Part, lost?: () => void): void {
    let visit = this.#ending.at(-1)
    if (visit?.id !== id || visit.account !== account) {
      visit = { account, id, entries: [] }
      // Ticks come before anything is read or written: it leaves before the client's last byte does.
      if (this.#ending.push(visit) === 1) process.nextTick(() => this.#end())
    }
    visit.entries.push({ kind, keys, args, lost })
  }

  /** Sends what waits for the end of the turn. */
  flush(): void {
    this.#end()
    this.#decide()
  }

  #visitOf(account: string, id: string): Visit<Entry> {
    const begun = this.#askingById.get(id)
    if (begun?.account === account) return begun
    const visit: Visit<Entry> = { account, id, entries: [] }
    this.#askingById.set(id, visit)
    if (this.#asking.push(visit) === 1) setImmediate(() => this.#decide())
    return visit
  }

  #decide(): void {
    const visits = this.#asking
    this.#asking = []
    this.#askingById.clear()
    for (const visit of visits) void this.#decideOne(visit)
  }

  async #decideOne({ account, id, entries }: Visit<Entry>): Promise<void> {
    const keys: string[] = []
    const args: (string | number)[] = ['decide', id]
    for (const entry of entries) {
      keys.push(...entry.keys)
      args.push(entry.kind, entry.enforced ? 1 : 0, ...entry.args)
    }
    const reply = await this.#link.run(this.script, account, keys, args)
    if (reply === undefined) decideHere(entries)
    else deliver(entries, reply)
  }

  #end(): void {
    const visits = this.#ending
    this.#ending = []
    for (const visit of visits) void this.#endOne(visit)
  }

  async #endOne({ account, id, entries }: Visit<Ending>): Promise<void> {
    const keys: string[] = []
    const args: (string | number)[] = ['end', id]
    for (const part of entries) {
      keys.push(...part.keys)
      args.push(part.kind, ...part.args)
    }
    const reply = await this.#link.run(this.script, account, keys, args)
    if (reply === undefined) for (const { lost } of entries) lost?.()
  }
}

function deliver(entries: readonly Entry[], reply: readonly number[]): void {
  const refused = entries.some(({ enforced }, i) => enforced && reply[i * STRIDE] === 0)
  for (const [i, entry] of entries.entries()) {
    const [allowed, one, two, three] = reply.slice(i * STRIDE) as [number?, number?, number?, number?]
    if (allowed === undefined || (refused && allowed === 1)) entry.pass()
    else entry.decided(allowed === 1, [one!, two!, three!])
  }
}

/** Each limit decides by itself. What the first ones have counted when a later one refuses, the request gives back at its end. */
function decideHere(entries: readonly Entry[]): void {
  let refused = false
  for (const entry of entries) {
    if (refused) entry.pass()
    else refused = !entry.here() && entry.enforced
  }
}

/**
 * How long the mark is kept by which a script knows a request that it has counted already, in milliseconds. A script runs
 * twice for one request only where a cluster is moving a slot and redirects the client, which follows at once.
 */
export const REMEMBER_MS = 5000

export function onceKey(account: string, what: string, id: string): string {
  return `sluiceway:{${account}}:once:${what}:${id}`
}
