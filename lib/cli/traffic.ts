/**
 * Simulated customers of the demo: chats, streams, tool calls, mistakes, clients that leave, on three APIs and with every key of
 * the file, about one request every two seconds. It ends with the process.
 */
import type { JsonObject } from '../base/json.ts'

export interface TrafficOptions {
  /** Base URL of the gateway, without /v1. */
  readonly url: string
  /** Keys of customers. The first one sends most of what fails at a backend, so that no backend is ejected for it. */
  readonly secrets: readonly string[]
  /** The first can do everything, the second no more than chat. */
  readonly models: readonly string[]
  /** Mean time between two requests. */
  readonly everyMs?: number
  /** Returns numbers as Math.random does. */
  readonly random?: () => number
}

/** A request of a customer. */
interface Call {
  readonly path: string
  readonly body: JsonObject
  /** Chunks of the reply after which the client leaves. */
  readonly leavesAfter?: number
  /** How many of the same are sent at once. */
  readonly times?: number
  /** Sent with this key instead. */
  readonly secret?: string
}

export interface Traffic {
  /** Requests so far. */
  readonly sent: number
  /** Aborts what is under way. */
  stop(): Promise<void>
}

const EVERY_MS = 2000
/** Beyond these nothing new is sent, so that a gateway that stands still is not flooded. */
const MOST_IN_FLIGHT = 16

/** The same for many requests, so that backends find it in their cache. */
const GUIDE = 'You answer questions about trains, tickets and timetables in short sentences. '.repeat(12)
const QUESTIONS = ['When does the next train leave?', 'What does a ticket cost?', 'Where do I change?', 'Is it late?']

/** How often each kind of request is sent, and what it is. */
type Kind = readonly [weight: number, make: (ask: Ask) => Call]

interface Ask {
  readonly model: string
  /** The model without capabilities. */
  readonly plain: string
  /** Messages with this directive for the simulated backend. */
  messages(directive?: string): JsonObject[]
}

const CHAT = '/v1/chat/completions'
const TOOL = {
  type: 'function',
  function: { name: 'timetable', parameters: { type: 'object', properties: { station: { type: 'string' } } } },
}

/** What every customer sends. */
const GOOD: readonly Kind[] = [
  [6, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages(), stream: true } })],
  [3, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages() } })],
  [2, ({ plain, messages }) => ({ path: CHAT, body: { model: plain, messages: messages(), stream: true } })],
  [
    2,
    ({ model, messages }) => ({
      path: CHAT,
      body: { model, messages: messages('tool=timetable'), tools: [TOOL], stream: true },
    }),
  ],
  [
    2,
    ({ model, messages }) => ({
      path: '/v1/messages',
      body: { model, max_tokens: 200, system: GUIDE, messages: messages().slice(1), stream: true },
    }),
  ],
  [1, ({ model, messages }) => ({ path: '/v1/responses', body: { model, input: messages(), stream: true } })],
  [1, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages('stall=1500'), stream: true } })],
  [
    1,
    ({ model, messages }) => ({
      path: CHAT,
      body: { model, messages: messages('tokens=200'), stream: true },
      leavesAfter: 8,
    }),
  ],
]

/** Mistakes of clients. */
const WRONG: readonly Kind[] = [
  [2, ({ messages }) => ({ path: CHAT, body: { model: 'no-such-model', messages: messages() } })],
  [2, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages(), temperature: 9 } })],
  [2, ({ plain, messages }) => ({ path: CHAT, body: { model: plain, messages: messages(), tools: [TOOL] } })],
  [1, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages() }, secret: 'service_unknown' })],
  [2, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages('tokens=60') }, times: 4 })],
]

/** What goes wrong at a backend. */
const BROKEN: readonly Kind[] = [
  [2, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages('status=503') } })],
  [2, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages('break_after=6'), stream: true } })],
]

/** Starts at once. */
export function startTraffic(options: TrafficOptions): Traffic {
  const { url, secrets, models, everyMs = EVERY_MS, random = Math.random } = options
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  let sent = 0
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const ask: Ask = {
    model: models[0]!,
    plain: models[1] ?? models[0]!,
    messages: directive => [
      { role: 'system', content: GUIDE },
      { role: 'user', content: `${oneOf(QUESTIONS)}\nsimulate: tokens=20 ${directive ?? ''}` },
    ],
  }
  const send = (call: Call, secret: string) => {
    sent++
    const done = callOnce(url, call, secret, ending.signal).finally(() => underWay.delete(done))
    underWay.add(done)
  }
  const turn = () => {
    if (underWay.size < MOST_IN_FLIGHT) {
      const kinds = random() < 0.88 ? GOOD : random() < 0.75 ? WRONG : BROKEN
      const call = weighted(kinds, random())(ask)
      const secret = kinds === BROKEN ? secrets[0]! : oneOf(secrets)
      for (let i = 0; i < (call.times ?? 1); i++) send(call, call.secret ?? secret)
    }
    timer = setTimeout(turn, everyMs * (0.5 + random())).unref()
  }
  let timer = setTimeout(turn, 0).unref()
  return {
    get sent() {
      return sent
    },
    async stop() {
      clearTimeout(timer)
      ending.abort()
      await Promise.all(underWay)
    },
  }
}

function weighted(kinds: readonly Kind[], share: number): Kind[1] {
  let left = share * kinds.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, make] of kinds) {
    left -= weight
    if (left < 0) return make
  }
  return kinds[0]![1]
}

/** Sends and reads it. What comes of it is seen at the gateway: refusals and broken streams are part of the picture. */
async function callOnce(url: string, { path, body, leavesAfter }: Call, secret: string, ended: AbortSignal) {
  const leaving = new AbortController()
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([ended, leaving.signal]),
    })
    let chunks = 0
    for await (const _ of response.body ?? []) {
      chunks++
      if (chunks === leavesAfter) leaving.abort()
    }
  } catch {
    // A connection that broke, or that this client has closed.
  }
}
