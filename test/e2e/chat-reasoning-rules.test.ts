import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { events } from '../support/backend.ts'
import { called, forced, tool, user } from '../support/chat-bodies.ts'
import { ends, role, says, thinks } from '../support/fixtures/events.ts'
import { questions, useRules } from '../support/rules.ts'

/** docs/api/chat-completions.md#reasoning: control, output, always-on models, preserved thinking. From outside. */
describe('chat completions: reasoning', () => {
  const rules = useRules()
  const { ask, refused, sent, sentMessages } = questions(rules, '/v1/chat/completions', {
    model: 'm',
    messages: [user('Hi')],
  })

  describe('Reasoning control', () => {
    const reasoning = (body: JsonObject) => sent(body, 'reasoning_effort', 'chat_template_kwargs')
    const on = { chat_template_kwargs: { enable_thinking: true } }
    const off = { chat_template_kwargs: { enable_thinking: false } }

    it('is off by default, whatever the card says', async () => {
      expect(await reasoning({})).deep.equal(off)
      expect(await reasoning({ model: 'sglang' })).deep.equal(off)
      expect(await reasoning({ model: 'llama' })).deep.equal(off)
      expect(await reasoning({ model: 'plain-openai' })).deep.equal({ reasoning_effort: 'none' })
      expect(await reasoning({ model: 'plain' })).deep.equal({})
    })

    for (const effort of ['low', 'medium', 'high', 'max']) {
      it(`takes effort ${effort}`, async () => {
        expect(await reasoning({ reasoning_effort: effort })).deep.equal({ reasoning_effort: effort, ...on })
        expect(await reasoning({ reasoning: { effort } })).deep.equal({ reasoning_effort: effort, ...on })
        expect(await reasoning({ model: 'sglang', reasoning_effort: effort })).deep.equal({
          reasoning_effort: effort,
          ...on,
        })
        expect(await reasoning({ model: 'llama', reasoning_effort: effort })).deep.equal(on)
        expect(await reasoning({ model: 'plain-openai', reasoning_effort: effort })).deep.equal({
          reasoning_effort: effort,
        })
      })
    }

    const switchedOn: readonly JsonObject[] = [
      { reasoning: { enabled: true } },
      { thinking: { type: 'enabled' } },
      { thinking: { type: 'enabled', budget_tokens: 1024 } },
      { chat_template_kwargs: { enable_thinking: true } },
      { thinking: { type: 'enabled' }, chat_template_kwargs: { enable_thinking: true }, reasoning: { enabled: true } },
    ]
    for (const body of switchedOn) {
      it(`is on, at the card's effort, with ${JSON.stringify(body)}`, async () => {
        expect(await reasoning(body)).deep.equal({ reasoning_effort: 'medium', ...on })
      })
    }
    it('takes the effort beside a switch', async () => {
      const body = { thinking: { type: 'enabled' }, reasoning_effort: 'low' }
      expect(await reasoning(body)).deep.equal({ reasoning_effort: 'low', ...on })
    })

    const switchedOff: readonly JsonObject[] = [
      { reasoning_effort: 'none' },
      { reasoning: { effort: 'none' } },
      { reasoning: { enabled: false } },
      { reasoning: {} },
      { thinking: { type: 'disabled' } },
      { chat_template_kwargs: { enable_thinking: false } },
      { reasoning_effort: null, reasoning: null, thinking: null, chat_template_kwargs: null },
    ]
    for (const body of switchedOff) {
      it(`is off with ${JSON.stringify(body)}`, async () => {
        expect(await reasoning(body)).deep.equal(off)
        expect((await ask({ ...body, model: 'plain' })).status, 'on a model that cannot').equal(200)
      })
    }

    const wrong: readonly (readonly [JsonObject, string])[] = [
      [{ reasoning_effort: 'minimal' }, 'reasoning_effort'],
      [{ reasoning_effort: 'xhigh' }, 'reasoning_effort'],
      [{ reasoning: { effort: 'huge' } }, 'reasoning.effort'],
      [{ thinking: { type: 'adaptive' } }, 'thinking.type'],
      [{ thinking: {} }, 'thinking.type'],
      [{ thinking: true }, 'thinking'],
      [{ reasoning_effort: 'none', thinking: { type: 'enabled' } }, 'thinking.type'],
      [{ reasoning_effort: 'low', reasoning: { effort: 'high' } }, 'reasoning.effort'],
      [{ reasoning: { effort: 'low', enabled: false } }, 'reasoning.enabled'],
      [
        { thinking: { type: 'enabled' }, chat_template_kwargs: { enable_thinking: false } },
        'chat_template_kwargs.enable_thinking',
      ],
    ]
    for (const [body, param] of wrong) {
      it(`refuses ${JSON.stringify(body)}`, () => refused(body, 422, 'schema_validation_failed', param))
    }

    it('is refused on a model without it, with the member that asked', async () => {
      await refused({ model: 'plain', reasoning_effort: 'low' }, 400, 'unsupported_feature', 'reasoning_effort')
      await refused({ model: 'plain', thinking: { type: 'enabled' } }, 400, 'unsupported_feature', 'thinking.type')
    })

    it('returns reasoning_content, streamed and not', async () => {
      const script = events(role, thinks('Let me see.'), says('Yes'), ends('stop'))
      const whole = await ask({ reasoning_effort: 'low' }, { script })
      expect(whole.json).nested.include({
        'choices[0].message.reasoning_content': 'Let me see.',
        'choices[0].message.content': 'Yes',
      })
      expect((await ask({ reasoning_effort: 'low', stream: true }, { script })).text).include(
        '"delta":{"reasoning_content":"Let me see."}',
      )
    })

    describe('on a model that always reasons', () => {
      const attempts: readonly JsonObject[] = [
        {},
        { reasoning_effort: 'none' },
        { reasoning: { enabled: false } },
        { thinking: { type: 'disabled' } },
        { chat_template_kwargs: { enable_thinking: false } },
      ]
      for (const body of attempts) {
        it(`counts ${JSON.stringify(body)} as enabled`, async () => {
          expect(await reasoning({ model: 'always', ...body })).deep.equal({ reasoning_effort: 'medium', ...on })
        })
      }
      it('refuses forced tool calls and takes auto and none', async () => {
        const body = { model: 'always', tools: [tool('f')] }
        for (const tool_choice of ['required', forced('f')]) {
          await refused({ ...body, tool_choice }, 400, 'unsupported_feature', 'tool_choice')
          await refused({ ...body, tools: [], tool_choice }, 400, 'unsupported_feature', 'tool_choice')
        }
        for (const tool_choice of ['auto', 'none']) expect((await ask({ ...body, tool_choice })).status).equal(200)
      })
    })
  })

  describe('Preserved thinking', () => {
    const turn = { role: 'assistant', content: 'Yes', reasoning_content: 'Let me see.' }
    const messages = [user('Well?'), turn, user('And?')]

    it('is off by default', async () => {
      expect(await sentMessages({ messages: messages })).deep.equal([
        user('Well?'),
        { role: 'assistant', content: 'Yes' },
        user('And?'),
      ])
    })
    for (const body of [{ preserve_thinking: true }, { thinking: { type: 'enabled', keep: 'all' } }] as JsonObject[]) {
      it(`is inlined between think tags with ${JSON.stringify(body)}`, async () => {
        for (const model of ['m', 'sglang', 'llama']) {
          const [, assistant] = (await sentMessages({ messages: messages, model, ...body })) as JsonObject[]
          expect(assistant?.content).match(/^<think>\s*Let me see\.\s*<\/think>\s*Yes$/)
          expect(assistant).not.any.keys('reasoning', 'reasoning_content')
        }
      })
    }
    it('keeps the reasoning of turns that called tools', async () => {
      const history = [
        user('a'),
        { ...called('c'), reasoning_content: 'Look.' },
        { role: 'tool', tool_call_id: 'c', content: 'r' },
      ]
      const [, assistant] = (await sentMessages({ messages: history, preserve_thinking: true })) as JsonObject[]
      expect(assistant?.content).match(/^<think>\s*Look\.\s*<\/think>\s*$/)
      expect(assistant).property('tool_calls')
    })
    it('is refused on a model that cannot', async () => {
      await refused({ model: 'plain', preserve_thinking: true }, 400, 'unsupported_feature', 'preserve_thinking')
    })
  })
})
