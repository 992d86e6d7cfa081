import { randomUUID } from 'node:crypto'
import { PLACE_LEASE_MS, type PlaceAsk, type PlaceReply, type PlaceStore } from '../places.ts'
import type { RedisClient } from './client.ts'
import { NOW, type RedisLink, script } from './link.ts'
import type { Processes } from './processes.ts'

/**
 * KEYS: a hash of `places unmet since expiry` by process; `since`: when its requests began to wait. ARGV: process,
 * limit, kept, needed, wanted, time to live, deadline or 0, channel, message. Replies with places, contended, fair
 * share; with nothing after the deadline.
 * While others wait, no process gets more than its fair share, and those with fewer places or an older wait are first.
 * Otherwise spare places leave half of the free ones.
 * Notifies the others of requests that wait, and of places that are given back for them.
 */
const ASK = script(
  'sluicewayAskPlaces',
  `${NOW}
local process, limit, kept = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local needed, wanted, ttl, deadline = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
if deadline > 0 and now > deadline then return {} end
local others, processes, contended, before, unmet_before, since = 0, 1, false, 0, 0, now
local waiting = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local places, unmet, from, expiry = string.match(all[i + 1], '^(%d+) (%d+) (%d+) (%d+)$')
  places, unmet, from = tonumber(places), tonumber(unmet), tonumber(from)
  if tonumber(expiry) <= now then
    redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] == process then
    before, unmet_before = places, unmet
    if unmet > 0 then since = from end
  else
    others, processes = others + places, processes + 1
    if unmet > 0 then
      contended = true
      waiting[#waiting + 1] = { places = places, unmet = unmet, since = from }
    end
  end
end
local free = math.max(0, limit - others)
local fair = math.ceil(limit / processes)
local granted = math.min(needed, free)
if contended then
  for _, one in ipairs(waiting) do
    local is_first = one.places < kept or (one.places == kept and one.since < since)
    if is_first then free = free - math.min(one.unmet, math.max(0, fair - one.places)) end
  end
  granted = math.min(granted, fair, free)
else
  granted = granted + math.min(math.max(0, wanted - needed), math.floor((free - granted) / 2))
end
granted = math.max(kept, granted)
local unmet = math.max(0, needed - granted)
if granted > before then since = now end
if granted == 0 and unmet == 0 then
  redis.call('HDEL', KEYS[1], process)
else
  redis.call('HSET', KEYS[1], process, string.format('%d %d %d %d', granted, unmet, since, now + ttl))
  redis.call('PEXPIRE', KEYS[1], ttl)
end
if unmet > unmet_before or (contended and granted < before) then redis.pcall('PUBLISH', ARGV[8], ARGV[9]) end
return { granted, contended and 1 or 0, fair }
`,
)

interface RedisPlacesOptions {
  readonly link: RedisLink
  readonly processes: Processes
  /** Opens a connection for notices, because a connection that subscribes accepts no other command. */
  readonly open: () => RedisClient
  /** The database, because channels are not separate. */
  readonly db: number
  readonly leaseMs?: number
}

/** Places in Redis. A process that dies loses its places after their time to live. */
export class RedisPlaces implements PlaceStore {
  readonly #options: RedisPlacesOptions
  readonly #id = randomUUID()
  readonly #channel: string
  #changed: (name: string) => void = () => {}
  #subscriber: RedisClient | undefined
  /** Notices arrive. Without them, other processes may wait for unused places at any time. */
  #isSubscribed = false

  constructor(options: RedisPlacesOptions) {
    this.#options = options
    this.#channel = `sluiceway:places:${options.db}`
  }

  async ask(name: string, { limit, kept, needed, wanted }: PlaceAsk): Promise<PlaceReply | undefined> {
    const { link, leaseMs = PLACE_LEASE_MS } = this.#options
    this.#subscribe()
    const tag = `places:${name}`
    const args = [this.#id, limit, kept, needed, wanted, leaseMs, link.deadline, this.#channel, `${this.#id} ${name}`]
    const reply = await link.run(ASK, tag, [`sluiceway:{${tag}}`], args)
    if (reply === undefined || reply.length === 0) return undefined
    const [granted, contended, fair] = reply.map(Number) as [number, number, number]
    return { granted, isContended: contended === 1 || !this.#isSubscribed, fair }
  }

  share(limit: number): number {
    return this.#options.processes.share(limit)
  }

  watch(changed: (name: string) => void): void {
    this.#changed = changed
  }

  close(): void {
    this.#subscriber?.disconnect()
  }

  /** At the first question: a gateway without such limits needs no connection. */
  #subscribe(): void {
    if (this.#subscriber !== undefined) return
    const subscriber = this.#options.open()
    this.#subscriber = subscriber
    subscriber.on('message', (_channel, message: string) => {
      const space = message.indexOf(' ')
      if (message.slice(0, space) !== this.#id) this.#changed(message.slice(space + 1))
    })
    subscriber.on('close', () => {
      this.#isSubscribed = false
    })
    // After each reconnect, because a subscription fails without a connection.
    subscriber.on('ready', () => {
      const subscribed = subscriber.subscribe(this.#channel).then(() => {
        this.#isSubscribed = true
      })
      subscribed.catch(() => {})
    })
    void subscriber.connect().catch(() => {})
  }
}
