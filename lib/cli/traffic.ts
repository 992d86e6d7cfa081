/** Simulates the customers of the demo: every two seconds a chat, a stream, a tool call, a mistake or a disconnect. */
import type { JsonObject } from '../base/json.ts'

interface TrafficOptions {
  /** Base URL of the gateway, without /v1. */
  readonly url: string
  /** Keys of customers. Requests that fail at a backend use the first key. Failures of one account eject no backend. */
  readonly secrets: readonly string[]
  /** The first model has every capability, the second one only chat. */
  readonly models: readonly string[]
  /** Mean time between two requests. */
  readonly everyMs?: number
  /** Returns numbers as Math.random does. */
  readonly random?: () => number
}

interface Call {
  readonly path: string
  readonly body: JsonObject
  /** The client disconnects after this many chunks of the reply. */
  readonly disconnectsAfter?: number
  /** How many copies are sent at once. */
  readonly times?: number
  /** The key of this request, if it is not that of a customer. */
  readonly secret?: string
}

interface Traffic {
  readonly sent: number
  stop(): Promise<void>
}

const EVERY_MS = 2000
/** Maximum number of requests in flight, so that a gateway that does not respond is not flooded. */
const MAX_IN_FLIGHT = 16

/** The system prompt of many requests, which backends find in their prefix cache. */
const GUIDE = 'You answer questions about trains, tickets and timetables in short sentences. '.repeat(12)
const QUESTIONS = ['When does the next train leave?', 'What does a ticket cost?', 'Where do I change?', 'Is it late?']

/** A kind of request, with its relative frequency. */
type Kind = readonly [weight: number, make: (ask: Ask) => Call]

interface Ask {
  readonly model: string
  /** The model that has only chat. */
  readonly plain: string
  /** Messages with a directive for the simulated backend. */
  messages(directive?: string): JsonObject[]
}

const CHAT = '/v1/chat/completions'
/** Without parameters: the published package lacks the library by which the simulator makes arguments. */
const TOOL = { type: 'function', function: { name: 'timetable', description: 'The departures of this station.' } }

const items = (messages: readonly JsonObject[]) => messages.map(one => ({ type: 'message', ...one }))

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
  [1, ({ model, messages }) => ({ path: '/v1/responses', body: { model, input: items(messages()), stream: true } })],
  [1, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages('stall=1500'), stream: true } })],
  [
    1,
    ({ model, messages }) => ({
      path: CHAT,
      body: { model, messages: messages('tokens=200'), stream: true },
      disconnectsAfter: 8,
    }),
  ],
]

/** Mistakes of clients, which the gateway refuses. */
const WRONG: readonly Kind[] = [
  [2, ({ messages }) => ({ path: CHAT, body: { model: 'no-such-model', messages: messages() } })],
  [2, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages(), temperature: 9 } })],
  [2, ({ plain, messages }) => ({ path: CHAT, body: { model: plain, messages: messages(), tools: [TOOL] } })],
  [1, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages() }, secret: 'service_unknown' })],
  [2, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages('tokens=60') }, times: 4 })],
]

/** Requests that fail at the backend. */
const BROKEN: readonly Kind[] = [
  [2, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages('status=503') } })],
  [2, ({ model, messages }) => ({ path: CHAT, body: { model, messages: messages('break_after=6'), stream: true } })],
]

/** Starts to send requests at once. */
export function startTraffic(options: TrafficOptions): Traffic {
  const { url, secrets, models, everyMs = EVERY_MS, random = Math.random } = options
  const ending = new AbortController()
  const inFlight = new Set<Promise<void>>()
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
    const done = callOnce(url, call, secret, ending.signal).finally(() => inFlight.delete(done))
    inFlight.add(done)
  }
  const next = () => {
    if (inFlight.size < MAX_IN_FLIGHT) {
      const kinds = random() < 0.88 ? GOOD : random() < 0.75 ? WRONG : BROKEN
      const call = weighted(kinds, random())(ask)
      const secret = kinds === BROKEN ? secrets[0]! : oneOf(secrets)
      for (let i = 0; i < (call.times ?? 1); i++) send(call, call.secret ?? secret)
    }
    timer = setTimeout(next, everyMs * (0.5 + random())).unref()
  }
  let timer = setTimeout(next, 0).unref()
  return {
    get sent() {
      return sent
    },
    async stop() {
      clearTimeout(timer)
      ending.abort()
      await Promise.all(inFlight)
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

/** Sends a request and reads the response. Ignores errors: the traffic includes refusals and broken streams. */
async function callOnce(url: string, { path, body, disconnectsAfter }: Call, secret: string, ended: AbortSignal) {
  const disconnecting = new AbortController()
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([ended, disconnecting.signal]),
    })
    let chunks = 0
    for await (const _ of response.body ?? []) {
      chunks++
      if (chunks === disconnectsAfter) disconnecting.abort()
    }
  } catch {
    // The connection broke, or this client closed it.
  }
}
