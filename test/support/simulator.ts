/** Simulators for tests, which are fast and closed after each test, and requests to them. */

import type { Json, JsonObject } from '../../lib/base/json.ts'
import { SseDecoder } from '../../lib/base/sse.ts'
import { at } from '../../lib/engines/probe/reply.ts'
import type { SimulatorOptions } from '../../simulator/options.ts'
import { createSimulator, type Simulator } from '../../simulator/server.ts'

export { at }

export interface Running {
  readonly simulator: Simulator
  /** Without a version prefix. */
  readonly root: string
  post(path: string, body: unknown, init?: RequestInit): Promise<Answer>
  get(path: string): Promise<Answer>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** null if the body is not JSON. */
  readonly json: JsonObject
  /** Data of every event of a stream. `[DONE]` is a string. */
  readonly events: readonly Json[]
}

const running: Simulator[] = []

/** By default without pace and waits. */
export async function simulatorWith(options: SimulatorOptions = {}): Promise<Running> {
  const simulator = createSimulator({ tokens_per_second: 0, first_token_ms: 0, ...options })
  running.push(simulator)
  const root = `http://127.0.0.1:${await simulator.listen(0, '127.0.0.1')}`
  const send = async (path: string, init: RequestInit): Promise<Answer> => readAnswer(await fetch(root + path, init))
  return {
    simulator,
    root,
    post: (path, body, init = {}) =>
      send(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), ...init }),
    get: path => send(path, {}),
  }
}

/** Call in a describe: a simulated vLLM for each test, and requests to its chat route. */
export function useSimulatedChat() {
  let vllm: Running
  beforeEach(async () => {
    vllm = await simulatorWith({ answer_tokens: 40 })
  })
  afterEach(closeSimulators)
  const post = (body: JsonObject) => vllm.post('/v1/chat/completions', body)
  return {
    post,
    /** The parts of a JSON reply. */
    async message(body: JsonObject) {
      const { json } = await post(body)
      return {
        message: at(json, 'choices', 0, 'message'),
        choice: at(json, 'choices', 0),
        usage: at(json, 'usage'),
        json,
      }
    },
  }
}

/** For afterEach. */
export async function closeSimulators(): Promise<void> {
  await Promise.all(running.splice(0).map(simulator => simulator.close()))
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const events: Json[] = []
  const decoder = new SseDecoder(data => events.push(data === '[DONE]' ? data : JSON.parse(data)))
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (isStream) decoder.feed(Buffer.from(text))
  const isText = /^text\/(?:plain|html)/.test(response.headers.get('content-type') ?? '')
  const json = isStream || isText || text === '' ? {} : JSON.parse(text)
  return { status: response.status, headers: response.headers, text, json, events }
}

/** A chat body with one user message. */
export function chat(content: string, more: JsonObject = {}): JsonObject {
  return { model: 'simulated', messages: [{ role: 'user', content }], ...more }
}

export const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
}
export const CLOCK = {
  type: 'function',
  function: { name: 'get_time', parameters: { type: 'object', properties: {} } },
}

/** Texts of one member of the deltas of one choice, joined. */
export function joined(events: readonly Json[], member: string, choice = 0): string {
  return events
    .flatMap(event => {
      const choices = at(event, 'choices')
      return Array.isArray(choices) ? choices : []
    })
    .filter(item => at(item, 'index') === choice)
    .map(item => at(item, 'delta', member) ?? (member === 'text' ? at(item, 'text') : '') ?? '')
    .join('')
}
