import { expect } from 'chai'
import type { Hooks } from '../../../lib/core/plugin.ts'
import type { Chunk, Clock, FinishPhase, PromptSize, Transformer } from '../../../lib/plugin.ts'
import { play, type Scene, testServices } from '../../../lib/testing.ts'
import { ModelTokens, type TokenRatios } from '../../../lib/tokens/token-ratios.ts'
import { promptMeasure, type ReplyUsage, target, usage } from '../../../plugins/slots.ts'
import { newTokenPace } from '../../../plugins/telemetry/token-pace.ts'
import usagePlugin from '../../../plugins/telemetry/usage/index.ts'
import { chunk, model, targetOf } from '../../support/canonical.ts'
import { goldenTransformer } from '../../support/golden-transformers.ts'
import { EMPTY_SIZE } from '../../support/prompt-size.ts'
import { newUsage, usageOf } from '../../support/reply-usage.ts'

/** Every chunk arrives this number of milliseconds after the previous one. */
async function watched(steps: readonly (readonly [wait: number, chunk: Chunk])[], scene: Scene = {}) {
  let at = 1_000_000
  const clock: Clock = { now: () => at, micros: () => at * 1000, monotonic: () => at - 990_000 }
  function* arriving() {
    for (const [wait, one] of steps) {
      at += wait
      yield one
    }
  }
  const chunks = { [Symbol.iterator]: arriving } as unknown as readonly Chunk[]
  const played = await play(usagePlugin, { ...scene, chunks, services: { clock } })
  return { ...played, usage: played.exchange.find(usage)! }
}

/** The transformer of one attempt, which writes into `seen`. `startedAt`: arrival of the request. */
function transformerOf(seen: ReplyUsage, clock: Clock, startedAt: number): Transformer {
  const { transform } = usagePlugin.setup({}, testServices([], { clock })) as Hooks
  return transform!({ get: () => seen, streaming: true, startedAt } as never)!
}

const counted = (promptTokens: number, completionTokens: number, cachedTokens: number | null = null) => ({
  promptTokens,
  completionTokens,
  cachedTokens,
  reasoningTokens: null,
})

describe('usage', () => {
  goldenTransformer('usage', () => {
    const seen = newUsage()
    const clock: Clock = { now: () => 1_750_000_000_000, micros: () => 0, monotonic: () => 120 }
    return { transformer: transformerOf(seen, clock, clock.now() - 20), noted: () => seen }
  })

  it('provides an empty usage', async () => {
    const { exchange } = await play(usagePlugin)
    expect(exchange.find(usage)).deep.equal({
      inputTokens: null,
      outputTokens: null,
      cacheReadTokens: null,
      reasoningTokens: null,
      engineQueueMs: null,
      firstTokenMs: null,
      lastTokenMs: null,
      stalls: 0,
      pace: null,
      finish: null,
      matchedStopTokenId: null,
      usagePresent: false,
      outputBytes: 0,
      usageParseError: null,
    })
  })

  it('passes every chunk on as it is', async () => {
    const sent = [chunk({ start: true }), chunk({ text: 'a', usage: counted(3, 1) }), chunk({ finish: 'stop' })]
    const { chunks, ended } = await play(usagePlugin, { chunks: sent })
    expect(chunks).deep.equal(sent)
    expect(ended).equal('end')
  })

  it('uses the last count of tokens and never adds', async () => {
    const { usage: seen } = await watched([
      [1, chunk({ text: 'a', usage: counted(100, 1, 64) })],
      [1, chunk({ text: 'b', usage: counted(100, 2) })],
      [1, chunk({ finish: 'stop' })],
      [1, chunk({ choice: -1, usage: { ...counted(100, 3), reasoningTokens: 2 } })],
    ])
    expect(seen).include({ inputTokens: 100, outputTokens: 3, reasoningTokens: 2, usagePresent: true })
    // A value without a later value is kept.
    expect(seen.cacheReadTokens).equal(64)
  })

  it('keeps how long the request waited inside the engine', async () => {
    const { usage: seen } = await watched([
      [1, chunk({ text: 'a', finish: 'stop' })],
      [1, chunk({ choice: -1, usage: { ...counted(9, 1), queuedMs: 12.5 } })],
      [1, chunk({ choice: -1, usage: counted(9, 1) })],
    ])
    expect(seen.engineQueueMs).equal(12.5)
  })

  it('keeps null for unreported counts, and records missing usage', async () => {
    const { usage: seen } = await watched([[1, chunk({ text: 'a', finish: 'stop' })]])
    expect(seen).include({ usagePresent: false, inputTokens: null, cacheReadTokens: null, usageParseError: null })
  })

  it('counts the bytes of all generated text while the backend reports no usage', async () => {
    const { usage: seen } = await watched([
      [1, chunk({ text: 'é', reasoning: 'abc', refusal: 'no' })],
      [1, chunk({ toolCalls: [{ index: 0, id: 'c', name: 'f', arguments: '{}' }] })],
      [1, chunk({ usage: counted(9, 0) })],
      [1, chunk({ text: 'd', usage: counted(9, 1) })],
      [1, chunk({ text: 'later', usage: counted(9, 2) })],
    ])
    expect(seen.outputBytes).equal(2 + 3 + 2 + 3)
  })

  it('forgets what an attempt has counted that another one follows', async () => {
    const { exchange } = await watched([[1, chunk({ usage: counted(9, 0, 3) })]])
    const seen = exchange.find(usage)!
    expect(seen.inputTokens).equal(9)
    const again = await play(usagePlugin, { chunks: [chunk({ text: 'a', finish: 'stop' })] })
    const hooks = await usagePlugin.setup({}, testServices())
    hooks.transform!({ ...again.exchange, get: () => seen, streaming: true, startedAt: 0 } as never)
    expect(seen).include({ inputTokens: null, cacheReadTokens: null, usagePresent: false, outputBytes: 0 })
  })

  it('keeps why usage could not be read', async () => {
    const { usage: seen } = await watched([[1, chunk({ text: 'a', usageError: 'prompt_tokens is no number' })]])
    expect(seen).include({ usagePresent: false, usageParseError: 'prompt_tokens is no number' })
  })

  it('measures the first token of text, reasoning, a tool call or a refusal from the arrival of the request', async () => {
    const call = [{ index: 0, id: 'a', name: 'f', arguments: '' }]
    const firsts = [
      chunk({ text: 'a' }),
      chunk({ reasoning: 'a' }),
      chunk({ toolCalls: call }),
      chunk({ refusal: 'a' }),
    ]
    for (const first of firsts) {
      const { usage: seen } = await watched([
        [200, chunk({ start: true, usage: counted(3, 0) })],
        [50, first],
        [30, chunk({ text: 'b' })],
        [70, chunk({ finish: 'stop' })],
      ])
      expect(seen).include({ firstTokenMs: 250, lastTokenMs: 280 })
    }
  })

  it('has no first token when the stream fails before it', async () => {
    const { usage: seen } = await watched([[200, chunk({ start: true })]])
    expect(seen.firstTokenMs).equal(null)
  })

  it('counts pauses of more than a second between tokens, and no others', async () => {
    const { usage: seen } = await watched([
      [5000, chunk({ start: true })],
      [5000, chunk({ text: 'a' })],
      [1000, chunk({ text: 'b' })],
      [1001, chunk({ reasoning: 'c' })],
      [600, chunk({ usage: counted(3, 3) })],
      [600, chunk({ text: 'd' })],
      [5000, chunk({ finish: 'stop' })],
    ])
    expect(seen.stalls).equal(2)
  })

  it('collects the time between tokens', async () => {
    let at = 1_000_000
    const clock: Clock = { now: () => at, micros: () => at * 1000, monotonic: () => at }
    const own = newUsage()
    const transformer = transformerOf(own, clock, at)
    transformer.next = { chunk() {}, end() {}, fail() {} }
    own.pace = newTokenPace([0.04])
    for (const [wait, one] of [
      [300, chunk({ start: true })],
      [100, chunk({ text: 'a' })],
      [50, chunk({ reasoning: 'b' })],
      [20, chunk({ usage: counted(1, 2) })],
      [30, chunk({ text: 'c' })],
      [30, chunk({ text: 'd', finish: 'stop' })],
    ] as const) {
      at += wait
      transformer.chunk(one)
    }
    expect(own.pace).deep.equal({ bounds: [0.04], counts: [1, 2], sums: [0.03, 0.1] })
    expect(own).include({ firstTokenMs: 400, lastTokenMs: 530 })
  })

  it('has no pace for a JSON reply', async () => {
    const { usage: seen } = await watched([[300, chunk({ text: 'a', finish: 'stop', usage: counted(1, 1) })]], {
      streaming: false,
    })
    expect(seen).include({ firstTokenMs: null, lastTokenMs: null, stalls: 0, inputTokens: 1 })
  })

  it('records why the first choice finished, and the stop token that matched', async () => {
    const finished = async (...chunks: Chunk[]) => (await watched(chunks.map(one => [1, one]))).usage
    expect(await finished(chunk({ finish: 'length' }))).include({ finish: 'length', matchedStopTokenId: null })
    expect(await finished(chunk({ finish: 'stop', matchedStop: 151645 }))).include({ matchedStopTokenId: 151645 })
    expect(await finished(chunk({ finish: 'stop', matchedStop: 'END' }))).include({ matchedStopTokenId: null })
    expect(
      await finished(
        chunk({ choice: 1, finish: 'length' }),
        chunk({ finish: 'stop' }),
        chunk({ choice: 2, finish: 'length' }),
      ),
    ).include({ finish: 'stop' })
  })

  it('measures every inference route', async () => {
    for (const route of ['chat', 'completions', 'messages', 'responses'] as const) {
      const { usage: seen } = await watched([[10, chunk({ text: 'a' })]], { route })
      expect(seen.firstTokenMs, route).equal(10)
    }
  })
})

const SIZE: PromptSize = { ...EMPTY_SIZE, letters: 3000, pieces: 1, requests: 1 }

const DONE = { outcome: 'done', requestSent: true, brokeMidStream: false } as const
const GONE = { ...DONE, outcome: 'client_gone' } as const
const BROKEN = { outcome: 'failed', requestSent: true, brokeMidStream: true } as const
const REFUSED = { ...BROKEN, brokeMidStream: false } as const
const STOPPED = { ...DONE, stopReason: 'content_filter' } as const

type Ending = Pick<FinishPhase, 'outcome' | 'requestSent' | 'brokeMidStream'> & Partial<Pick<FinishPhase, 'stopReason'>>

/** Ends an exchange with this usage. */
function settle(ending: Ending, seen: ReplyUsage, size: PromptSize | null, tokens: ModelTokens): void {
  const slots = new Map<unknown, unknown>([
    [usage, seen],
    [promptMeasure, size],
    [target, targetOf(model())],
  ])
  const services = testServices([], { tokens: { of: () => tokens } as unknown as TokenRatios })
  const { onFinish } = usagePlugin.setup({}, services) as Hooks
  onFinish!({ ...ending, find: (slot: unknown) => slots.get(slot) } as never)
}

/** Input and output tokens as settled. */
function tokensOf(ending: Ending, members: Partial<ReplyUsage>, tokens = new ModelTokens()) {
  const seen = usageOf(members)
  settle(ending, seen, SIZE, tokens)
  return [seen.inputTokens, seen.outputTokens]
}

describe('the tokens of a request', () => {
  const counted = { usagePresent: true, inputTokens: 900, outputTokens: 7, cacheReadTokens: 10 }
  const uncounted = { outputBytes: 400 }
  const tokens = new ModelTokens()
  const estimated = [tokens.expected(SIZE), tokens.ofText(400)]

  it('are what the backend has counted, however the reply ended', () => {
    for (const end of [DONE, GONE, BROKEN]) expect(tokensOf(end, counted)).deep.equal([900, 7])
  })

  it('are estimated if the backend reported none, with any end of the reply', () => {
    for (const end of [DONE, GONE, BROKEN]) expect(tokensOf(end, uncounted)).deep.equal(estimated)
    expect(tokensOf(GONE, {})).deep.equal([estimated[0], 0])
  })

  it('are estimated only for the output if the backend reported only the prompt', () => {
    const begun = { ...counted, outputTokens: 0, outputBytes: 400 }
    for (const end of [GONE, BROKEN]) expect(tokensOf(end, begun)).deep.equal([900, estimated[1]])
    expect(tokensOf(DONE, begun)).deep.equal([900, 0])
    expect(tokensOf(STOPPED, begun)).deep.equal([900, estimated[1]])
  })

  it('belong to a reply with the reason of the plugin that has stopped it', () => {
    const seen = usageOf({ ...counted, finish: null })
    settle(STOPPED, seen, SIZE, tokens)
    expect(seen.finish).equal('content_filter')
    settle(DONE, seen, SIZE, tokens)
    expect(seen.finish).equal('content_filter')
  })

  it('are none if the client received nothing, or if no backend received the request', () => {
    const ends = [
      REFUSED,
      { ...GONE, requestSent: false },
      { ...DONE, requestSent: false },
      { ...GONE, surface: 'batch' },
    ] as const
    for (const end of ends) {
      const seen = usageOf({ ...counted, reasoningTokens: 3 })
      settle(end, seen, SIZE, tokens)
      expect(seen).include({ inputTokens: null, outputTokens: null, cacheReadTokens: null, reasoningTokens: null })
    }
  })

  it('are not known of a form without usage', () => {
    const seen = usageOf(uncounted)
    settle(DONE, seen, null, tokens)
    expect(seen).include({ inputTokens: null, outputTokens: null })
  })

  it('teach how many a prompt has', () => {
    const own = new ModelTokens()
    const before = own.expected(SIZE)
    for (let i = 0; i < 50; i++) tokensOf(DONE, { ...counted, inputTokens: 3000 }, own)
    expect(own.expected(SIZE)).above(2 * before)
  })
})
