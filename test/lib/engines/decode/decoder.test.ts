import { expect } from 'chai'
import type { Json, JsonObject } from '../../../../lib/base/json.ts'
import type { Chunk } from '../../../../lib/canonical/reply.ts'
import type { CanonicalRequest } from '../../../../lib/canonical/request.ts'
import { PROFILES } from '../../../../lib/config/profile.ts'
import { WireDecoder } from '../../../../lib/engines/decode/decoder.ts'
import { chatRequest, model, Recorder, textRequest } from '../../../support/canonical.ts'
import { LLAMA_SERVER } from '../../../support/recorded.ts'

const MODEL = model()

function decoder(request: CanonicalRequest = chatRequest(), profile = PROFILES.vllm) {
  const seen = new Recorder()
  return { wire: new WireDecoder({ model: MODEL, profile, models: () => [MODEL] }, request, seen), seen: seen.chunks }
}

/** The chunks of a stream. Fails the test if the decoder returns an error. */
function chunksOf(events: readonly Json[], request?: CanonicalRequest): Partial<Chunk>[] {
  const { wire, seen } = decoder(request)
  for (const event of events) expect(wire.event(event)?.error.message).equal(undefined)
  return seen
}

function delta(members: JsonObject, more: JsonObject = {}): JsonObject {
  return { object: 'chat.completion.chunk', choices: [{ index: 0, delta: members, finish_reason: null, ...more }] }
}

const finish = (finish_reason: string, more: JsonObject = {}) => delta({}, { finish_reason, ...more })
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const COUNTED = { promptTokens: 3, completionTokens: 2, cachedTokens: null, reasoningTokens: null }
const CALL = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
const CALLED = [{ index: 0, id: 'a', name: 'f', arguments: '{}' }]

describe('backend events', () => {
  it('become chunks: role, reasoning, text, finish, usage', () => {
    const events = [
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'Hm' }),
      delta({ content: 'Yes' }),
      finish('stop'),
      { choices: [], usage: USAGE },
    ]
    expect(chunksOf(events)).deep.equal([
      { choice: 0, start: true },
      { choice: 0, reasoning: 'Hm' },
      { choice: 0, text: 'Yes' },
      { choice: 0, finish: 'stop' },
      { choice: -1, usage: COUNTED },
    ])
  })

  it('keep token ids for requests with members for the engine, and drop them for others', () => {
    const events = [
      { ...delta({ role: 'assistant', content: '' }), prompt_token_ids: [1, 2] },
      delta({ content: 'Yes' }, { token_ids: [3] }),
      delta({ content: '' }, { token_ids: [4] }),
      finish('stop', { token_ids: [5] }),
    ]
    expect(chunksOf(events, chatRequest({ passthrough: { return_token_ids: true } }))).deep.equal([
      { choice: 0, start: true, promptTokenIds: [1, 2] },
      { choice: 0, text: 'Yes', tokenIds: [3] },
      { choice: 0, tokenIds: [4] },
      { choice: 0, finish: 'stop', tokenIds: [5] },
    ])
    expect(chunksOf(events)).deep.equal([
      { choice: 0, start: true },
      { choice: 0, text: 'Yes' },
      { choice: 0, finish: 'stop' },
    ])
  })

  it('may have content in parts', () => {
    const parts = [{ type: 'thinking', thinking: [] }, { type: 'text', text: 'Ye' }, null, { type: 'text', text: 's' }]
    expect(chunksOf([delta({ content: parts }), delta({ content: [] })])).deep.equal([
      { choice: 0, start: true, text: 'Yes' },
    ])
  })

  it('need no role chunk to start', () => {
    expect(chunksOf([delta({ content: 'Yes' })])).deep.equal([{ choice: 0, start: true, text: 'Yes' }])
  })

  it('have reasoning under one of two names', () => {
    const [one, two, three] = chunksOf([
      delta({ reasoning: 'A' }),
      delta({ reasoning_content: 'B', reasoning: 'B' }),
      delta({ reasoning_content: '', reasoning: 'C' }),
    ])
    expect([one?.reasoning, two?.reasoning, three?.reasoning]).deep.equal(['A', 'B', 'C'])
  })

  // vLLM continuous usage
  it('may all have usage, which ends nothing', () => {
    const running = (completion_tokens: number) => ({ ...USAGE, completion_tokens })
    const chunks = chunksOf([
      { ...delta({ role: 'assistant', content: '' }), usage: running(0) },
      { ...delta({ content: 'A' }), usage: running(1) },
      { ...delta({}), usage: running(2) },
      { ...delta({ content: 'B' }), usage: null },
      { ...finish('length'), usage: running(3) },
      { choices: [], usage: running(3) },
    ])
    expect(chunks.map(({ choice, text, usage }) => [choice, text, usage?.completionTokens])).deep.equal([
      [0, undefined, 0],
      [0, 'A', 1],
      [-1, undefined, 2],
      [0, 'B', undefined],
      [0, undefined, 3],
      [-1, undefined, 3],
    ])
  })

  it('are ignored if they are empty or unknown', () => {
    const events = [
      delta({ content: '' }),
      delta({}),
      { choices: [] },
      { sglext: {} },
      { choices: null },
      delta({ content: null }),
    ]
    expect(chunksOf([delta({ role: 'assistant' }), ...events])).deep.equal([{ choice: 0, start: true }])
  })

  it('keep details of usage that later totals leave out', () => {
    const details = { prompt_tokens_details: { cached_tokens: 1 } }
    const [, last] = chunksOf([
      { choices: [], usage: { ...USAGE, ...details } },
      { choices: [], usage: USAGE },
    ])
    expect(last?.usage?.cachedTokens).equal(1)
  })

  // vLLM --enable-per-request-metrics
  it('have the time in the queue of the engine with its final usage, streamed or not', () => {
    const metrics = { queue_time_ms: 12.5, generation_time_ms: 900 }
    const [streamed] = chunksOf([{ choices: [], usage: USAGE, metrics }])
    expect(streamed?.usage).deep.equal({ ...COUNTED, queuedMs: 12.5 })
    expect(chunksOf([{ ...delta({ content: 'A' }), metrics }])[0]).not.have.property('usage')
    const { wire, seen } = decoder()
    wire.whole({ choices: [{ index: 0, message: { content: 'A' }, finish_reason: 'stop' }], usage: USAGE, metrics })
    expect(seen.at(-1)?.usage).deep.equal({ ...COUNTED, queuedMs: 12.5 })
  })

  it('report invalid usage, and continue', () => {
    const chunks = chunksOf([{ ...delta({ content: 'A' }), usage: { prompt_tokens: 'x' } }, finish('stop')])
    expect(chunks).deep.equal([
      { choice: 0, start: true, text: 'A', usageError: 'usage.prompt_tokens is not a whole number' },
      { choice: 0, finish: 'stop' },
    ])
  })

  it('count null as no cached tokens if the profile says so', () => {
    const { wire, seen } = decoder(chatRequest(), { ...PROFILES.sglang, cached_null_means_zero: true })
    wire.event({ choices: [], usage: { ...USAGE, prompt_tokens_details: null } })
    expect(seen[0]?.usage?.cachedTokens).equal(0)
  })

  it('have usage per choice if the profile says so: choices share the tokens of their prompt', () => {
    const usageOf = (request: CanonicalRequest, events: readonly Json[]) => {
      const { wire, seen } = decoder(request, PROFILES['llama.cpp'])
      for (const event of events) expect(wire.event(event)?.error.message).equal(undefined)
      return seen.at(-1)?.usage
    }
    const counts = (prompt_tokens: number, completion_tokens: number, cached_tokens: number): JsonObject => {
      return { prompt_tokens, completion_tokens, prompt_tokens_details: { cached_tokens } }
    }
    const chat = [
      finish('stop'),
      { choices: [], usage: counts(27, 2, 26) },
      delta({ content: 'A' }, { index: 1, finish_reason: 'length' }),
      { choices: [], usage: counts(27, 3, 26) },
    ]
    const sum = { promptTokens: 27, completionTokens: 5, cachedTokens: 26, reasoningTokens: null }
    expect(usageOf(chatRequest({ n: 2 }), chat)).deep.equal(sum)

    const ends = (index: number, usage: JsonObject): JsonObject => {
      return { choices: [{ index, text: '', finish_reason: 'length' }], usage }
    }
    const text = [
      ends(3, counts(1, 4, 0)),
      ends(0, counts(3, 1, 2)),
      ends(2, counts(1, 3, 0)),
      ends(1, counts(3, 2, 2)),
    ]
    const batch = textRequest({ prompt: ['abc', 'd'], n: 2 })
    expect(usageOf(batch, text)).deep.equal({ ...sum, promptTokens: 4, completionTokens: 10, cachedTokens: 2 })
  })

  it('may hold several choices, usage last', () => {
    const two = (text: string): JsonObject => ({
      choices: [
        { index: 0, delta: { content: text }, finish_reason: 'stop' },
        { index: 1, delta: { content: text } },
      ],
      usage: USAGE,
    })
    expect(chunksOf([two('A')], chatRequest({ n: 2 }))).deep.equal([
      { choice: 0, start: true, text: 'A', finish: 'stop' },
      { choice: 1, start: true, text: 'A', usage: COUNTED },
    ])
  })

  it('have log probabilities with no more alternatives than requested', () => {
    const top_logprobs = [
      { token: 'A', logprob: -1 },
      { token: 'B', logprob: -2 },
    ]
    const event = delta({ content: 'A' }, { logprobs: { content: [{ token: 'A', logprob: -1, top_logprobs }] } })
    const left = (top?: number) => {
      const sampling = { logprobs: true, ...(top !== undefined && { top_logprobs: top }) }
      return chunksOf([event], chatRequest({ sampling }))[0]?.logprobs
    }
    expect(left(2)).deep.equal({ content: [{ token: 'A', logprob: -1, top_logprobs }] })
    expect(left(1)).deep.equal({ content: [{ token: 'A', logprob: -1, top_logprobs: top_logprobs.slice(0, 1) }] })
    expect(left()).deep.equal({ content: [{ token: 'A', logprob: -1, top_logprobs: [] }] })
  })

  it('have log probabilities of a text as lists, in every form of the engines', () => {
    const says = (text: string, logprobs: Json): JsonObject => ({ choices: [{ index: 0, text, logprobs }] })
    const token = (token: string, logprob: number): JsonObject => {
      return { token, logprob, top_logprobs: [{ token: 'x', logprob: -0.5 }] }
    }
    const events = [
      says('é', { content: [token('é', -1)] }),
      says('🙂b', { content: [token('🙂', -2), token('b', -3)] }),
      says('c', { tokens: ['c'], token_logprobs: [-4], top_logprobs: [null], text_offset: [3] }),
    ]
    const all = chunksOf(events, textRequest({ sampling: { logprobs: 1 } })).map(({ logprobs }) => logprobs)
    expect(all).deep.equal([
      { tokens: ['é'], token_logprobs: [-1], top_logprobs: [{ x: -0.5, é: -1 }], text_offset: [0] },
      {
        tokens: ['🙂', 'b'],
        token_logprobs: [-2, -3],
        top_logprobs: [
          { x: -0.5, '🙂': -2 },
          { x: -0.5, b: -3 },
        ],
        text_offset: [1, 2],
      },
      { tokens: ['c'], token_logprobs: [-4], top_logprobs: [null], text_offset: [3] },
    ])
    const none = chunksOf([events[0]!], textRequest({ sampling: { logprobs: 0 } }))[0]?.logprobs
    expect(none).deep.include({ top_logprobs: [{ é: -1 }] })
  })

  it('include log probabilities and refusals', () => {
    const [chunk] = chunksOf([delta({ refusal: 'No.' }, { logprobs: { content: [] } })])
    expect(chunk).deep.equal({ choice: 0, start: true, refusal: 'No.', logprobs: { content: [] } })
  })

  it('of a text completion have their text in the choice', () => {
    const events = [
      { choices: [{ index: 0, text: 'A', logprobs: null, finish_reason: null }] },
      { choices: [{ index: 0, text: '', finish_reason: 'length' }], usage: USAGE },
    ]
    expect(chunksOf(events, textRequest())).deep.equal([
      { choice: 0, start: true, text: 'A' },
      { choice: 0, finish: 'length', usage: COUNTED },
    ])
  })

  describe('finish reasons', () => {
    it('are those of the table', () => {
      const reasons = ['stop', 'length', 'content_filter'] as const
      for (const reason of reasons) expect(chunksOf([finish(reason)])[0]?.finish).equal(reason)
      expect(chunksOf([finish('repetition')])[0]?.finish, 'of a text that vLLM has cut off').equal('stop')
      for (const reason of ['tool_calls', 'function_call']) {
        expect(chunksOf([delta({ tool_calls: [CALL] }), finish(reason)])[1]?.finish).equal('tool_calls')
      }
    })

    it('are derived from the calls, in the same chunk or before', () => {
      expect(chunksOf([delta({ tool_calls: [CALL] }), finish('stop')])[1]?.finish).equal('tool_calls')
      const [whole] = chunksOf([delta({ tool_calls: [CALL] }, { finish_reason: 'stop' })])
      expect(whole).deep.equal({ choice: 0, start: true, toolCalls: CALLED, finish: 'tool_calls' })
      expect(chunksOf([delta({ tool_calls: [CALL] }), delta({ content: 'Done' }), finish('stop')])[2]?.finish).equal(
        'tool_calls',
      )
      expect(chunksOf([delta({ tool_calls: [] }), finish('tool_calls')])[1]?.finish).equal('stop')
    })

    it('stay `length` or `content_filter` with a call', () => {
      for (const reason of ['length', 'content_filter']) {
        expect(chunksOf([delta({ tool_calls: [CALL] }), finish(reason)])[1]?.finish).equal(reason)
      }
    })

    it('include the stop string that matched', () => {
      const matched = (more: JsonObject) => chunksOf([finish('stop', more)])[0]?.matchedStop
      expect(matched({ stop_reason: 'END' })).equal('END')
      expect(matched({ stop_reason: 151645 })).equal(151645)
      expect(matched({ matched_stop: 7 })).equal(7)
      expect(matched({ stop_reason: null, matched_stop: 'x' })).equal('x')
      expect(matched({ stop_reason: null })).equal(undefined)
    })

    it('are not invented: an empty one does not count', () => {
      const { wire } = decoder()
      wire.event(finish(''))
      expect(wire.isFinished).equal(false)
    })

    it('of servers with other names are the nearest one', () => {
      const finished = (reason: string) => chunksOf([delta({ content: 'A' }), finish(reason)])[1]?.finish
      expect(['eos', 'end_turn', 'STOP', '__proto__'].map(finished)).deep.equal(Array(4).fill('stop'))
      expect(['max_tokens', 'MAX_TOKENS'].map(finished)).deep.equal(['length', 'length'])
    })

    it('may be empty in a JSON reply', () => {
      const { wire, seen } = decoder()
      wire.whole({ choices: [{ index: 0, message: { content: 'A' }, finish_reason: '' }] })
      expect(seen).deep.equal([{ choice: 0, start: true, text: 'A', finish: 'stop' }])
      expect(wire.isFinished).equal(true)
    })

    it('of an incomplete answer are an error', () => {
      for (const reason of ['abort', 'error', 'Abort', 7, true, {}]) {
        const { wire, seen } = decoder()
        wire.event(delta({ content: 'A' }))
        const error = wire.event(finish(reason as string))?.error
        expect(error, String(reason)).include({ code: 'backend_http_error', status: 502 })
        expect(error?.details.extra).deep.equal({ model: 'm' })
        expect(seen).lengthOf(1)
        expect(wire.isFinished).equal(false)
      }
    })

    it('end a choice: later chunks of it are dropped, but not their usage', () => {
      const { wire, seen } = decoder()
      wire.event(finish('stop'))
      wire.event({ ...delta({ content: 'late' }, { finish_reason: 'length' }), usage: USAGE })
      expect(seen).deep.equal([
        { choice: 0, start: true, finish: 'stop' },
        { choice: -1, usage: COUNTED },
      ])
      expect(wire.isFinished).equal(true)
    })

    it('are needed by every choice that started', () => {
      const { wire } = decoder(chatRequest({ n: 2 }))
      expect(wire.isFinished).equal(false)
      wire.event(finish('stop'))
      expect(wire.isFinished).equal(true)
      wire.event(delta({ content: 'A' }, { index: 1 }))
      expect(wire.isFinished).equal(false)
      wire.event(finish('stop', { index: 1 }))
      expect(wire.isFinished).equal(true)
    })
  })

  describe('with the answer in another member', () => {
    const choice = (members: JsonObject) => ({ choices: [{ index: 0, finish_reason: null, ...members }] })
    const wholeOf = (members: JsonObject) => {
      const { wire, seen } = decoder()
      const error = wire.whole(choice({ finish_reason: 'stop', ...members }))?.error
      return { error: error?.code, chunks: seen }
    }
    const SAYS = [{ choice: 0, start: true, text: 'A', finish: 'stop' }]
    const CALLS = [{ index: 0, id: 'a', name: 'f', arguments: '{}' }]

    it('are delivered: message in a stream, delta in a JSON reply, text and content of the choice', () => {
      for (const members of [
        { message: { content: 'A' } },
        { message: 'A', delta: {} },
        { content: 'A' },
        { delta: 'A' },
      ])
        expect(chunksOf([choice({ finish_reason: 'stop', ...members })]), JSON.stringify(members)).deep.equal(SAYS)
      for (const members of [
        { delta: { content: 'A' } },
        { message: 'A' },
        { text: 'A' },
        { content: [{ text: 'A' }] },
      ])
        expect(wholeOf(members), JSON.stringify(members)).deep.equal({ error: undefined, chunks: SAYS })
    })

    it('are delivered in pieces', () => {
      const texts = ['A', 'B'].map(content => choice({ delta: {}, message: { role: 'assistant', content } }))
      expect(chunksOf([...texts, finish('stop')])).deep.equal([
        { choice: 0, start: true, text: 'A' },
        { choice: 0, text: 'B' },
        { choice: 0, finish: 'stop' },
      ])
    })

    it('do not repeat what has been in the usual one', () => {
      const end = choice({ delta: {}, message: { content: 'AB' }, finish_reason: 'stop' })
      expect(chunksOf([delta({ content: 'A' }), delta({ content: 'B' }), end]).map(({ text }) => text)).deep.equal([
        'A',
        'B',
        undefined,
      ])
    })

    it('are calls: function_call of the older API, whole calls in a stream', () => {
      const pieces = [{ name: 'f', arguments: '' }, { arguments: '{"a"' }, { arguments: ':1}' }]
      const [start, first, second, end] = chunksOf([
        ...pieces.map(function_call => delta({ function_call })),
        finish('function_call'),
      ])
      expect(start).deep.equal({ choice: 0, start: true })
      expect(first?.toolCalls).deep.equal([{ ...first!.toolCalls![0], name: 'f', arguments: '{"a"' }])
      expect(second?.toolCalls?.[0]?.arguments).equal(':1}')
      expect(end).deep.equal({ choice: 0, finish: 'tool_calls' })
      const [whole] = wholeOf({ message: { content: null, function_call: { name: 'f', arguments: '{}' } } }).chunks
      expect(whole?.toolCalls).deep.equal([{ ...whole!.toolCalls![0], name: 'f', arguments: '{}' }])
      expect(whole?.finish).equal('tool_calls')
      const calls = ['a', 'b'].map(id => ({ id, function: { name: 'f', arguments: {} } }))
      const [chunk] = chunksOf([choice({ message: { tool_calls: calls }, finish_reason: 'stop' })])
      expect(chunk?.toolCalls).deep.equal([...CALLS, { ...CALLS[0], index: 1, id: 'b' }])
    })

    it('are an error in another form, or if a JSON reply has none', () => {
      const forms = [{ content: 7 }, { content: { text: 'A' } }, [{ content: 'A' }], { tool_calls: { id: 'a' } }]
      for (const message of [...forms, null, undefined])
        expect(wholeOf({ message }), JSON.stringify(message)).deep.equal({ error: 'backend_http_error', chunks: [] })
      for (const text of [7, { a: 'A' }, ['A']]) expect(wholeOf({ text }).error).equal('backend_http_error')
      const { wire } = decoder()
      wire.event(delta({ role: 'assistant', content: { text: 'A' } }))
      expect(wire.event(finish('stop'))?.error.code).equal('backend_http_error')
      expect(wholeOf({ message: { content: ['A'] } }).chunks[0]?.text).equal('A')
    })

    it('are an error under a name that is not known', () => {
      for (const members of [{ message: { content: '', output: 'A' } }, { message: { parts: ['A'] } }])
        expect(wholeOf(members)).deep.equal({ error: 'backend_http_error', chunks: [] })
      const { wire } = decoder()
      wire.event(delta({ role: 'assistant', answer: 'A' }))
      expect(wire.event(finish('stop'))?.error.code).equal('backend_http_error')
      const empty = {
        role: 'assistant',
        content: '',
        id: 'x',
        annotations: [{}],
        tool_calls: [],
        function_call: null,
        x: {},
      }
      expect(wholeOf({ message: empty }).error).equal(undefined)
    })
  })

  it('have calls without arguments before the finish reason', () => {
    const bare = { index: 0, id: 'a', function: { name: 'f' } }
    expect(chunksOf([delta({ role: 'assistant' }), delta({ tool_calls: [bare] }), finish('tool_calls')])).deep.equal([
      { choice: 0, start: true },
      { choice: 0, toolCalls: [{ ...CALLED[0], arguments: '' }], finish: 'tool_calls' },
    ])
  })

  it('keep the calls of two choices apart', () => {
    const events = [delta({ tool_calls: [CALL] }), delta({ tool_calls: [{ ...CALL, id: 'b' }] }, { index: 1 })]
    const chunks = chunksOf(events, chatRequest({ n: 2 }))
    expect(chunks.map(({ toolCalls }) => toolCalls?.map(({ index, id }) => [index, id]))).deep.equal([
      [[0, 'a']],
      [[0, 'b']],
    ])
  })

  it('may be errors', () => {
    const { wire, seen } = decoder()
    const failed = wire.event({ error: { message: 'The request queue is full.', code: 503 } })
    expect(failed?.error.code).equal('backend_at_capacity')
    expect(failed).include({ retry: 'elsewhere', penalise: false })
    for (const event of [{ message: 'broken' }, 'broken'])
      expect(wire.event(event, 'error')?.error.code).equal('backend_http_error')
    expect(wire.event({ object: 'error', message: 'broken' })?.error.code).equal('backend_http_error')
    const chunk = { object: 'chat.completion.chunk', choices: [] }
    for (const event of [chunk, { ...chunk, error: null }]) expect(wire.event(event, 'message')).equal(undefined)
    expect(seen).deep.equal([])
  })

  it('are errors if they are invalid', () => {
    const choice = (value: Json): JsonObject => ({ choices: [value] })
    const strange = [
      7,
      'x',
      [],
      choice(null),
      choice('x'),
      choice({ index: 1 }),
      choice({ index: -1 }),
      choice({ index: 0.5 }),
      choice({ index: '0' }),
    ]
    for (const event of strange) {
      expect(decoder().wire.event(event)?.error.code, JSON.stringify(event)).equal('backend_http_error')
    }
  })

  it('are ignored if they are null', () => {
    const { wire, seen } = decoder(textRequest({ prompt: ['a', 'b'] }))
    expect([wire.event(null), seen.length, wire.isFinished]).deep.equal([undefined, 0, false])
    expect(wire.event(null, 'error')?.error.code).equal('backend_http_error')
  })

  it('may have as many choices as were requested', () => {
    const accepts = (request: CanonicalRequest, index: number) =>
      decoder(request).wire.event(delta({ content: 'A' }, { index })) === undefined
    expect([accepts(chatRequest({ n: 3 }), 2), accepts(chatRequest({ n: 3 }), 3)]).deep.equal([true, false])
    const batches = [
      ['a', 'b'],
      [[1], [2]],
    ]
    for (const prompt of batches as string[][]) {
      expect([accepts(textRequest({ prompt, n: 2 }), 3), accepts(textRequest({ prompt, n: 2 }), 4)]).deep.equal([
        true,
        false,
      ])
    }
    expect(accepts(textRequest({ prompt: [1, 2, 3] }), 1)).equal(false)
  })
})

describe('a whole backend reply', () => {
  function whole(body: Json, request?: CanonicalRequest) {
    const { wire, seen } = decoder(request)
    return { error: wire.whole(body)?.error, chunks: seen, finished: wire.isFinished }
  }

  const message = (members: JsonObject, more: JsonObject = {}): JsonObject => ({
    choices: [{ index: 0, message: { role: 'assistant', ...members }, finish_reason: 'stop', ...more }],
    usage: USAGE,
  })

  it('is one chunk for each choice, then usage', () => {
    const { chunks, error, finished } = whole(message({ content: 'Yes', reasoning: 'Hm' }, { stop_reason: 'x' }))
    expect(error).equal(undefined)
    expect(finished).equal(true)
    expect(chunks).deep.equal([
      { choice: 0, start: true, text: 'Yes', reasoning: 'Hm', finish: 'stop', matchedStop: 'x' },
      { choice: -1, usage: COUNTED },
    ])
  })

  it('may have no calls in three forms', () => {
    for (const members of [{ content: 'A' }, { content: 'A', tool_calls: [] }, { content: 'A', tool_calls: null }]) {
      expect(whole(message(members)).chunks[0]).deep.equal({ choice: 0, start: true, text: 'A', finish: 'stop' })
    }
  })

  it('may have calls and no text', () => {
    const { chunks } = whole(message({ content: null, tool_calls: [CALL] }))
    expect(chunks[0]).deep.equal({ choice: 0, start: true, toolCalls: CALLED, finish: 'tool_calls' })
  })

  it('may lack usage', () => {
    expect(whole({ ...message({ content: 'A' }), usage: null }).chunks).lengthOf(1)
    expect(whole({ ...message({ content: 'A' }), usage: 'x' }).chunks[1]).deep.equal({
      choice: -1,
      usageError: 'usage is not an object',
    })
  })

  it('of a text completion has one choice for each prompt', () => {
    const body = {
      choices: [
        { index: 0, text: 'A', finish_reason: 'stop' },
        { index: 1, text: 'B', finish_reason: 'length' },
      ],
    }
    const { chunks } = whole(body, textRequest({ prompt: ['a', 'b'] }))
    expect(chunks.map(({ choice, text, finish }) => [choice, text, finish])).deep.equal([
      [0, 'A', 'stop'],
      [1, 'B', 'length'],
    ])
  })

  it('is not finished without a finish reason', () => {
    expect(whole(message({ content: 'A' }, { finish_reason: null }))).include({ error: undefined, finished: false })
    expect(whole({ choices: [] })).include({ error: undefined, finished: false })
  })

  it('is an error if it contains one or is invalid', () => {
    expect(whole({ error: { code: 400, message: 'No such thing' } }).error?.code).equal('model_request_rejected')
    for (const body of [null, 'x', [], {}, { choices: {} }, { choices: [1] }]) {
      expect(whole(body).error?.code, JSON.stringify(body)).equal('backend_http_error')
    }
  })
})

describe('replies that a llama-server gave', () => {
  const profile = PROFILES['llama.cpp']
  /** All texts, joined, and the last value of all other members. */
  function summary(request: CanonicalRequest, events: readonly Json[]) {
    const { wire, seen } = decoder(request, profile)
    for (const event of events) expect(wire.event(event)?.error.message).equal(undefined)
    expect(wire.isFinished).equal(true)
    const joined = (name: 'text' | 'reasoning') => seen.map(chunk => chunk[name] ?? '').join('')
    const calls = seen.flatMap(({ toolCalls }) => toolCalls ?? [])
    return {
      text: joined('text'),
      reasoning: joined('reasoning'),
      call: [calls[0]?.name, calls.map(call => call.arguments).join('')],
      finish: seen.findLast(chunk => chunk.finish)?.finish,
      usage: seen.findLast(chunk => chunk.usage)?.usage,
    }
  }
  const usage = (promptTokens: number, completionTokens: number, cachedTokens: number | null) => {
    return { promptTokens, completionTokens, cachedTokens, reasoningTokens: null }
  }
  const noCall = [undefined, '']

  it('are read as streams of chats', () => {
    const { chat_stream, chat_stream_reasoning, chat_stream_tool, chat_stream_two } = LLAMA_SERVER
    const plain = { text: 'aia', reasoning: '', call: noCall, finish: 'length', usage: usage(27, 3, 23) }
    expect(summary(chatRequest(), chat_stream)).deep.equal(plain)
    const thoughtful = { text: 'f', reasoning: 'ast<tool_call>in', call: noCall, finish: 'stop' }
    expect(summary(chatRequest(), chat_stream_reasoning)).deep.include(thoughtful)
    const called = { text: 'a', call: ['f', '{ "a" : "text" }'], finish: 'tool_calls', usage: usage(337, 80, 336) }
    expect(summary(chatRequest(), chat_stream_tool)).deep.include(called)
    expect(summary(chatRequest({ n: 2 }), chat_stream_two).usage).deep.equal(usage(27, 4, 23))
  })

  it('report no cached tokens if one choice did not', () => {
    const { wire, seen } = decoder(textRequest({ prompt: ['a', 'b'] }), profile)
    const ending = (index: number, cached: JsonObject) => ({
      choices: [{ index, text: 'x', finish_reason: 'stop' }],
      usage: { ...USAGE, ...cached },
    })
    wire.event(ending(0, { prompt_tokens_details: { cached_tokens: 2 } }))
    wire.event(ending(1, {}))
    expect(seen.at(-1)?.usage).deep.equal(usage(6, 4, null))
  })

  it('are counted in each chunk, by the timings of its choice, from the first token on', () => {
    const { wire, seen } = decoder(chatRequest({ n: 2 }), profile)
    for (const event of LLAMA_SERVER.chat_stream_two_timed) expect(wire.event(event)?.error.message).equal(undefined)
    // Chunks with a role alone are not passed on.
    expect(seen.filter(chunk => chunk.start).map(chunk => chunk.text)).deep.equal(['a', 'a'])
    const finished = undefined
    const counts = [1, 2, 3, finished, 3, 4, finished, 4]
    expect(seen.map(chunk => chunk.usage?.completionTokens)).deep.equal(counts)
    expect(seen.at(-1)?.usage).deep.equal(usage(37, 4, 14))
    expect(wire.isFinished).equal(true)
  })

  it('are read as streams of texts', () => {
    const one = { text: 'fy', finish: 'length', usage: usage(3, 2, 2) }
    expect(summary(textRequest(), LLAMA_SERVER.text_stream)).deep.include(one)
    const batch = textRequest({ prompt: ['abc', 'd'] })
    expect(summary(batch, LLAMA_SERVER.text_stream_batch)).deep.include({ text: 'xfyy', usage: usage(4, 4, 2) })
  })

  it('are read as JSON', () => {
    const said = (request: CanonicalRequest, body: Json) => {
      const { wire, seen } = decoder(request, profile)
      expect(wire.whole(body)?.error.message).equal(undefined)
      return seen[0]
    }
    expect(said(chatRequest(), LLAMA_SERVER.chat_whole)).include({ text: 'aia', finish: 'length' })
    expect(said(chatRequest(), LLAMA_SERVER.chat_whole_reasoning)).include({ reasoning: 'ast<tool_call>in', text: 'f' })
    expect(said(chatRequest(), LLAMA_SERVER.chat_whole_tool)?.toolCalls?.[0]).include({ name: 'f' })
    const probable = said(textRequest({ sampling: { logprobs: 1 } }), LLAMA_SERVER.text_whole_logprobs)
    expect(probable?.logprobs).deep.include({ tokens: ['f', 'y'], text_offset: [0, 1] })
  })
})
