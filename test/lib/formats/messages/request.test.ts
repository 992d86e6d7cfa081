import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { FormatOptions } from '../../../../lib/canonical/format.ts'
import type { ChatRequest } from '../../../../lib/canonical/request.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { toCanonical } from '../../../../lib/formats/messages/request.ts'
import { OPTIONS } from '../../../support/encoders.ts'

const BODY = { model: 'model-1', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
const read = (members: JsonObject, options: FormatOptions = OPTIONS): ChatRequest =>
  toCanonical({ ...BODY, ...members }, options)

describe('Messages request', () => {
  it('accepts the smallest request', () => {
    expect(read({})).deep.equal({
      kind: 'chat',
      model: 'model-1',
      stream: false,
      n: 1,
      maxTokens: 100,
      clampMaxTokens: true,
      stop: undefined,
      sampling: {},
      regex: undefined,
      responseFormat: undefined,
      messages: [{ role: 'user', content: 'Hi', origin: 'messages.0' }],
      tools: [],
      toolChoice: undefined,
      parallelToolCalls: undefined,
      reasoning: { enabled: false, effort: undefined, param: 'thinking', byDefault: 'off', hidden: true },
      preserveThinking: { asked: false, param: 'messages' },
    })
  })

  it('treats null as absent', () => {
    const nulls = Object.fromEntries(
      [
        'system',
        'tools',
        'tool_choice',
        'thinking',
        'output_config',
        'stop_sequences',
        'temperature',
        'stream',
        'thread',
      ].map(name => [name, null]),
    )
    expect(read(nulls)).deep.equal(read({}))
  })

  it('reads sampling, stop sequences and stream', () => {
    const request = read({ temperature: 0, top_p: 0.5, top_k: 40, stop_sequences: ['END', '\n\n'], stream: true })
    expect(request).deep.include({
      sampling: { temperature: 0, top_p: 0.5, top_k: 40 },
      stop: ['END', '\n\n'],
      stream: true,
    })
    expect(read({ stop_sequences: [] }).stop).equal(undefined)
  })

  it('clamps max_tokens if configured', () => {
    expect(read({}, { ...OPTIONS, clamp_max_tokens: ['chat'] }).clampMaxTokens).equal(false)
  })

  it('counts tokens without max_tokens', () => {
    const { max_tokens: _, ...body } = BODY
    expect(toCanonical(body, OPTIONS).maxTokens).equal(undefined)
  })

  it('reads equal bodies equally, byte for byte', () => {
    const body = {
      ...BODY,
      tools: [{ name: 'f', input_schema: { b: 1, a: 2 } }],
      system: [{ type: 'text', text: 's' }],
    }
    expect(JSON.stringify(toCanonical(body, OPTIONS))).equal(
      JSON.stringify(toCanonical(structuredClone(body), OPTIONS)),
    )
  })

  describe('tool_choice', () => {
    const choices: readonly (readonly [JsonObject, ChatRequest['toolChoice']])[] = [
      [{ type: 'auto' }, 'auto'],
      [{ type: 'none' }, 'none'],
      [{ type: 'any' }, 'auto'],
      [{ type: 'tool', name: 'f' }, { name: 'f' }],
    ]
    for (const [tool_choice, canonical] of choices) {
      it(`${tool_choice.type} becomes ${JSON.stringify(canonical)}`, () => {
        expect(read({ tool_choice }).toolChoice).deep.equal(canonical)
      })
    }

    it('switches parallel calls off', () => {
      expect(read({ tool_choice: { type: 'any', disable_parallel_tool_use: true } }).parallelToolCalls).equal(false)
      expect(read({ tool_choice: { type: 'any', disable_parallel_tool_use: false } }).parallelToolCalls).equal(
        undefined,
      )
    })
  })

  describe('thinking', () => {
    const reasoning = (members: JsonObject, options?: FormatOptions) => read(members, options).reasoning

    it('is on, and shown, only when it is enabled', () => {
      expect(reasoning({ thinking: { type: 'enabled', budget_tokens: 9 } })).include({ enabled: true, hidden: false })
      expect(reasoning({ thinking: { type: 'disabled' } })).include({ enabled: false, hidden: true })
      expect(reasoning({ output_config: { effort: 'high' } })).include({ enabled: false, hidden: true })
    })

    it('is off when it is adaptive, unless the operator turned that on', () => {
      const thinking = { type: 'adaptive', display: 'omitted' }
      expect(reasoning({ thinking })).include({ enabled: false })
      const messages = { ...OPTIONS.messages, adaptive_thinking: true }
      expect(reasoning({ thinking }, { ...OPTIONS, messages })).include({
        enabled: undefined,
        byDefault: 'able',
        hidden: false,
      })
    })

    for (const effort of ['low', 'medium', 'high', 'max']) {
      it(`accepts effort ${effort}`, () => {
        expect(reasoning({ thinking: { type: 'enabled' }, output_config: { effort } }).effort).equal(effort)
      })
    }

    for (const effort of ['none', 'minimal', 'xhigh', 7, null]) {
      it(`ignores effort ${effort}`, () => {
        expect(reasoning({ thinking: { type: 'enabled' }, output_config: { effort } }).effort).equal(undefined)
      })
    }
  })

  it('refuses a thread with an error after which the official client continues without it', () => {
    expect(() => read({ thread: { type: 'create' } }))
      .throw(GatewayError)
      .deep.include({
        code: 'unsupported_parameter',
        status: 400,
        details: {
          param: 'thread',
          ownParam: true,
          extra: { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } },
        },
      })
  })
})
