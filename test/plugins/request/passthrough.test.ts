import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { parseSource } from '../../../lib/base/source-json.ts'
import type { Engine } from '../../../lib/config/profile.ts'
import { play } from '../../../lib/testing.ts'
import passthrough from '../../../plugins/request/passthrough/index.ts'
import { passthrough as taken } from '../../../plugins/slots.ts'
import { configOf } from '../../support/config.ts'

const messages = [{ role: 'user', content: 'Hi' }]

function modelsOf(names: readonly string[], engines: readonly Engine[] = ['vllm'], profile: object = {}) {
  const backends = engines.map((engine, i) => ({ url: `http://127.0.0.1:${8000 + i}/v1`, engine, profile }))
  const { models } = configOf(JSON.stringify({ models: [{ id: 'm', passthrough: names, backends }] }))
  return { models: { find: (name: string) => models.find(({ id }) => id === name) } as never }
}

async function played(names: readonly string[], members: JsonObject, more: Parameters<typeof modelsOf>[1] = ['vllm']) {
  const body = { model: 'm', messages, ...members }
  const { exchange, error } = await play(passthrough, { route: 'chat', body, services: modelsOf(names, more) })
  return { taken: exchange.find(taken), left: exchange.body, error }
}

describe('passthrough', () => {
  it('moves the members of the model out of the body', async () => {
    const kwargs = { enable_thinking: false, custom: [1] }
    const members = { stop_token_ids: [7], min_tokens: 3, chat_template_kwargs: kwargs, temperature: 1 }
    expect(await played(['stop_token_ids', 'chat_template_kwargs.*'], members)).deep.equal({
      taken: { stop_token_ids: [7], chat_template_kwargs: { custom: [1] } },
      left: { model: 'm', messages, min_tokens: 3, chat_template_kwargs: { enable_thinking: false }, temperature: 1 },
      error: undefined,
    })
  })

  it('takes nothing without names, and nothing of a body whose model is unknown or no text', async () => {
    const cases: readonly (readonly [readonly string[], JsonObject])[] = [
      [[], { stop_token_ids: [7] }],
      [['stop_token_ids'], { model: 'other', stop_token_ids: [7] }],
      [['stop_token_ids'], { model: 1, stop_token_ids: [7] }],
    ]
    for (const [names, members] of cases) {
      const { taken, left } = await played(names, members)
      expect([taken, left.stop_token_ids]).deep.equal([null, [7]])
    }
  })

  it('takes only what every engine of the model knows', async () => {
    const members = { ebnf: 'root ::= "a"', bad_words: ['x'], ignore_eos: true }
    expect((await played(['vllm', 'sglang'], members, ['vllm', 'sglang'])).taken).deep.equal({ ignore_eos: true })
  })

  it('takes single arguments of the chat template by name', async () => {
    const chat_template_kwargs = { one: 1, two: 2 }
    const { taken, left } = await played(['chat_template_kwargs.one'], { chat_template_kwargs })
    expect([taken, left.chat_template_kwargs]).deep.equal([{ chat_template_kwargs: { one: 1 } }, { two: 2 }])
  })

  it('keeps the numbers of arguments as they were written', async () => {
    const kwargs = '{"id":2512292042121000001,"z":105.0}'
    const chat_template_kwargs = parseSource(kwargs)!
    const { taken } = await played(['chat_template_kwargs.*'], { chat_template_kwargs })
    expect(JSON.stringify(taken?.chat_template_kwargs)).equal(kwargs)
  })

  it('drops members that are null', async () => {
    const { taken, left } = await played(['vllm'], { stop_token_ids: null, chat_template_kwargs: { a: null } })
    expect([taken, 'stop_token_ids' in left]).deep.equal([null, false])
  })

  it('leaves members of chats in text completions', async () => {
    const body = { model: 'm', prompt: 'a', documents: [], add_generation_prompt: false, min_tokens: 2 }
    const { exchange } = await play(passthrough, { route: 'completions', body, services: modelsOf(['vllm']) })
    expect(exchange.find(taken)).deep.equal({ min_tokens: 2 })
    expect(exchange.body).include({ add_generation_prompt: false })
  })

  it("reads an engine's own switch for reasoning as enable_thinking", async () => {
    const services = modelsOf(['chat_template_kwargs.*'], ['vllm'], { thinking_kwarg: 'thinking' })
    const askedBy = async (chat_template_kwargs: JsonObject) =>
      play(passthrough, { route: 'chat', body: { model: 'm', messages, chat_template_kwargs }, services })
    const { exchange } = await askedBy({ thinking: true })
    expect([exchange.find(taken), exchange.body.chat_template_kwargs]).deep.equal([null, { enable_thinking: true }])
    const { error } = await askedBy({ thinking: true, enable_thinking: true })
    expect(error).include({ code: 'schema_validation_failed', status: 422 })
  })

  const refused: readonly (readonly [JsonObject, string])[] = [
    [{ structured_outputs: { choice: ['a'] }, response_format: { type: 'json_object' } }, 'structured_outputs'],
    [{ structured_outputs: { choice: ['a'] }, regex: 'a' }, 'structured_outputs'],
    [{ reasoning_effort: 'low', chat_template_kwargs: { reasoning_effort: 'high' } }, 'reasoning_effort'],
    [{ reasoning: { effort: 'low' }, chat_template_kwargs: { reasoning_effort: 'high' } }, 'reasoning_effort'],
    [{ preserve_thinking: true, chat_template_kwargs: { preserve_thinking: false } }, 'preserve_thinking'],
  ]
  for (const [members, name] of refused)
    it(`refuses ${Object.keys(members).join(' with ')}: both say the same`, async () => {
      const { error } = await played(['vllm'], members)
      expect(error).include({ code: 'schema_validation_failed', status: 422 })
      expect(error?.details?.param).match(new RegExp(`${name}$`))
    })

  it('accepts one constraint beside a format of free text', async () => {
    const members = { structured_outputs: { choice: ['a'] }, response_format: { type: 'text' } }
    const { taken, error } = await played(['vllm'], members)
    expect([taken, error]).deep.equal([{ structured_outputs: { choice: ['a'] } }, undefined])
  })
})
