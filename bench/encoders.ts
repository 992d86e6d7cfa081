/**
 * The cost of a text as an event of each format: as the encoders write it, by hand, and by JSON.stringify of the
 * whole event (docs/adr/0033). Run: node bench/encoders.ts
 */
import type { FormatName, ReplyContext, WriteEvent } from '../lib/canonical/format.ts'
import { newChunk, type Sink, type Usage } from '../lib/canonical/reply.ts'
import { formatOf } from '../lib/formats/index.ts'

const EVENTS = 1_000_000
const ROUNDS = 7
const REPLY_EVENTS = 500

const id = '0123456789abcdef0123456789abcdef'
const created = 1_750_000_000
const model = 'meta-llama/Llama-3.3-70B-Instruct'
const TEXTS = [' upon', ' a', ' time', ', "said"', ' é', '\n', ' considerable', ' of']

/** Backends are asked for usage on every event, so every chunk carries it; only chat passes it on each time. */
function usageAt(i: number): Usage {
  return { promptTokens: 1200, completionTokens: i & 1023, cachedTokens: 1024, reasoningTokens: null }
}

/** The event as an object. */
const WHOLE: Readonly<Record<FormatName, (text: string, usage: Usage) => object>> = {
  chat: (text, { promptTokens, completionTokens, cachedTokens }) => ({
    id: `chatcmpl-${id}`,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta: { content: text }, logprobs: null, finish_reason: null }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: cachedTokens },
    },
  }),
  completions: text => ({
    id: `cmpl-${id}`,
    object: 'text_completion',
    created,
    model,
    choices: [{ index: 0, text, logprobs: null, finish_reason: null }],
  }),
  messages: text => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  responses: text => ({
    type: 'response.output_text.delta',
    item_id: `msg_${id}0`,
    output_index: 0,
    content_index: 0,
    delta: text,
  }),
}

const bodies: Readonly<Record<FormatName, object>> = {
  chat: { model, messages: [{ role: 'user', content: 'Hi' }] },
  completions: { model, prompt: 'Once' },
  messages: { model, max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] },
  responses: { model, input: 'Hi' },
}

const memory = Buffer.allocUnsafe(64 * 1024)
let bytes = 0
let last = ''
const write: WriteEvent = (_event, data) => {
  last = data
  // As the socket does it.
  bytes += memory.write(data, 'latin1')
}

function encoderOf(name: FormatName): Sink {
  const options: ReplyContext['options'] = {
    chat: { usage_chunks: 'every' },
    messages: { adaptive_thinking: false, tool_images_without_vision: 'refuse', input_tokens: 'total' },
    responses: { unknown_tools: 'reject', sequence_number: false, untyped_items: 'refuse' },
    tools: { empty_parameters: 'refuse' },
    reasoning: { other_efforts: 'refuse' },
    errors: { used_up: 429 },
    clamp_max_tokens: [],
  }
  const request = formatOf(name).toCanonical({ ...bodies[name] }, options)
  const errorBody = () => ({ type: '', code: '', message: '', request_id: '', docs_url: '' })
  return formatOf(name).encoder({ id, created, model, request, options, echo: {}, clock: Date, errorBody }, write)
}

function byHand(sink: Sink, i: number): void {
  const chunk = newChunk(0)
  chunk.text = TEXTS[i & 7]
  chunk.usage = usageAt(i)
  sink.chunk(chunk)
}

function byStringify(name: FormatName, i: number): void {
  const chunk = newChunk(0)
  chunk.text = TEXTS[i & 7]
  chunk.usage = usageAt(i)
  write(undefined, JSON.stringify(WHOLE[name](chunk.text ?? '', chunk.usage)))
}

/** Nanoseconds of CPU per event. A reply has REPLY_EVENTS of them: Responses gathers the text of one. */
function timed(name: FormatName, step: (sink: Sink, i: number) => void): number {
  const start = process.cpuUsage()
  let sink = encoderOf(name)
  for (let i = 0; i < EVENTS; i++) {
    if (i % REPLY_EVENTS === 0) sink = encoderOf(name)
    step(sink, i)
  }
  const { user, system } = process.cpuUsage(start)
  return ((user + system) * 1000) / EVENTS
}

function median(values: readonly number[]): string {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!.toFixed(0)
}

/** Throws where the two ways differ by a byte. */
function compare(name: FormatName): void {
  const sink = encoderOf(name)
  byHand(sink, 0)
  for (let i = 1; i <= TEXTS.length; i++) {
    byHand(sink, i)
    const written = last
    byStringify(name, i)
    if (written !== last) throw new Error(`${name} writes ${written}, not ${last}`)
  }
}

for (const name of Object.keys(WHOLE) as FormatName[]) {
  compare(name)
  const hand: number[] = []
  const whole: number[] = []
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const times = [timed(name, byHand), timed(name, (_sink, i) => byStringify(name, i))] as const
    if (round === 0) continue
    hand.push(times[0])
    whole.push(times[1])
  }
  console.log(`${name.padEnd(12)} by hand ${median(hand)} ns, JSON.stringify ${median(whole)} ns`)
}
if (bytes === 0) throw new Error('Nothing was written.')
