import { expect } from 'chai'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { events } from '../support/backend.ts'
import { questions, REFERENCES, SCHEMA, useRules } from '../support/rules.ts'

const chunk = (text: string, finish: string | null = null, index = 0): JsonObject => ({
  id: 'c',
  object: 'text_completion',
  choices: [{ index, text, logprobs: null, finish_reason: finish }],
})
const usage = { id: 'c', choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }
const schemaFormat = (schema: JsonObject): JsonObject => ({
  type: 'json_schema',
  json_schema: { name: 'x', schema },
})

/** docs/api/completions.md, from outside. */
describe('text completions', () => {
  const rules = useRules()
  const { ask, refused, sent } = questions(rules, '/v1/completions', { model: 'm', prompt: 'Hi' })

  describe('prompt', () => {
    for (const prompt of ['', 'Hi', ['a', 'b'], [1, 2, 3], [[1, 2], [3]]]) {
      it(`may be ${JSON.stringify(prompt)}`, async () => {
        expect(await sent({ prompt }, 'prompt')).deep.equal({ prompt })
        expect(rules().backend.requests.at(-1)?.path).equal('/v1/completions')
      })
    }
    const wrong: readonly (readonly [Json, string])[] = [
      [null, 'prompt'],
      [{}, 'prompt'],
      [[], 'prompt'],
      [[[]], 'prompt.0'],
      [[1, 'a'], 'prompt.0'],
      [[-1], 'prompt.0'],
      [[1.5], 'prompt.0'],
    ]
    for (const [prompt, param] of wrong) {
      it(`may not be ${JSON.stringify(prompt)}`, () => refused({ prompt }, 422, 'schema_validation_failed', param))
    }
    // Each prompt is a generation of its own: without a bound, one request occupies a backend for all others.
    it('may have 2048 prompts, no more', async () => {
      const prompts = Array.from({ length: 2048 }, () => 'a')
      expect(await sent({ prompt: prompts }, 'prompt')).deep.equal({ prompt: prompts })
      await refused({ prompt: [...prompts, 'a'] }, 422, 'schema_validation_failed', 'prompt')
      await refused({ prompt: [...prompts, 'a'].map(() => [1]) }, 422, 'schema_validation_failed', 'prompt')
    })
    it('of token ids is counted before a backend is asked', async () => {
      const ids = (count: number) => new Array<number>(count).fill(7)
      await refused({ prompt: ids(8193) }, 400, 'context_length_exceeded', 'prompt')
      await refused({ prompt: [[1], ids(8193)] }, 400, 'context_length_exceeded', 'prompt')
      await refused({ prompt: ids(8000), max_tokens: 193 }, 400, 'context_length_exceeded', 'max_tokens')
      expect((await ask({ prompt: ids(8000), max_tokens: 192 })).status).equal(200)
    })
  })

  describe('constrained decoding', () => {
    const places = ['regex', 'grammar', 'ebnf', 'json_schema', 'response_format', 'structured_outputs']
    const placed = (body: JsonObject) => sent(body, ...places)
    it('is sent where the engine reads it', async () => {
      expect(await placed({ regex: 'a+' })).deep.equal({ structured_outputs: { regex: 'a+' } })
      expect(await placed({ model: 'sglang', regex: 'a+' })).deep.equal({ regex: 'a+' })
      expect(await placed({ grammar: 'g' })).deep.equal({ structured_outputs: { grammar: 'g' } })
      expect(await placed({ model: 'sglang', grammar: 'g' })).deep.equal({ ebnf: 'g' })
      expect(await placed({ model: 'llama', grammar: 'g' })).deep.equal({ grammar: 'g' })
      const response_format = schemaFormat(SCHEMA)
      expect(await placed({ response_format })).deep.equal({ response_format })
      // llama.cpp ignores response_format on this route.
      expect(await placed({ model: 'llama', response_format })).deep.equal({ json_schema: SCHEMA })
    })
    it("may be given in vLLM's own way", async () => {
      expect(await placed({ structured_outputs: { regex: 'a+' } })).deep.equal({ structured_outputs: { regex: 'a+' } })
      expect(await placed({ model: 'sglang', structured_outputs: { grammar: 'g' } })).deep.equal({ ebnf: 'g' })
      expect(await placed({ model: 'llama', structured_outputs: { json: SCHEMA } })).deep.equal({ json_schema: SCHEMA })
    })
    it('is refused where it would be ignored', async () => {
      for (const model of ['plain', 'llama', 'partition'])
        await refused({ model, regex: 'a' }, 400, 'unsupported_regex', 'regex')
      const inside = { structured_outputs: { regex: 'a' } }
      await refused({ model: 'plain', ...inside }, 400, 'unsupported_regex', 'structured_outputs.regex')
      const answer = await ask({ model: 'partition', regex: 'a' }, { headers: { 'service-zdr': 'required' } })
      expect(answer.sent?.model).equal('up-zdr')
      const cases: readonly (readonly [JsonObject, string])[] = [
        [{ grammar: 'g' }, 'grammar'],
        [{ response_format: { type: 'grammar', grammar: 'g' } }, 'response_format.type'],
        [{ response_format: schemaFormat(SCHEMA) }, 'response_format.type'],
        [{ response_format: { type: 'xml' } }, 'response_format.type'],
        [{ structured_outputs: { json: SCHEMA } }, 'structured_outputs.json'],
      ]
      for (const [body, param] of cases)
        await refused({ model: 'plain', ...body }, 400, 'unsupported_response_format', param)
    })
    it('allows one constraint at a time', async () => {
      await refused({ regex: 'a', grammar: 'g' }, 422, 'schema_validation_failed', 'grammar')
      await refused(
        { regex: 'a', response_format: schemaFormat(SCHEMA) },
        422,
        'schema_validation_failed',
        'response_format',
      )
    })
    for (const [what, schema, inlined] of REFERENCES) {
      it(`${inlined === undefined ? 'is refused with' : 'is sent without'} a reference ${what}`, async () => {
        const response_format = schemaFormat(schema)
        const param = 'response_format.json_schema.schema'
        if (inlined === undefined) await refused({ response_format }, 400, 'json_schema_refs_unsupported', param)
        else expect(await placed({ response_format })).deep.equal({ response_format: schemaFormat(inlined) })
      })
    }
    for (const name of ['guided_regex', 'guided_json', 'json_schema', 'ebnf']) {
      it(`is not known by the name ${name}`, () => refused({ [name]: 'x' }, 400, 'unsupported_parameter', name))
    }
  })

  describe('what only some models support', () => {
    for (const [param, body] of Object.entries({
      n: { n: 2 },
      best_of: { best_of: 2 },
      echo: { echo: true },
      suffix: { suffix: 'the end' },
    })) {
      it(`${param} is sent or refused`, async () => {
        expect(await sent(body, param)).deep.equal(body)
        await refused({ model: 'plain', ...body }, 400, 'unsupported_feature', param)
      })
    }
    it('is not required where nothing was asked for', async () => {
      const nothing = { model: 'plain', n: 1, best_of: 1, echo: false, suffix: null }
      expect((await ask(nothing)).status).equal(200)
      await refused({ n: 3, best_of: 2 }, 422, 'schema_validation_failed', 'best_of')
    })
  })

  it('fixed sampling is never sent what it does not accept', async () => {
    const { sent: body } = await ask({
      model: 'fixed',
      temperature: 1,
      top_p: 0.5,
      n: 3,
      best_of: 4,
      presence_penalty: 1,
    })
    expect(body).keys('model', 'prompt', 'stream')
  })

  it('parameters are sent under their names, null means absent, others are refused', async () => {
    const body = { temperature: 0, top_p: 1, top_k: 5, seed: 1, logprobs: 3, max_tokens: 7, stop: ['END'] }
    expect((await ask(body)).sent).deep.include(body)
    const { sent: nothing } = await ask(Object.fromEntries(Object.keys(body).map(name => [name, null])))
    expect(nothing).keys('model', 'prompt', 'stream')
    expect((await ask({ user: 'u', metadata: {} })).sent).keys('model', 'prompt', 'stream')
    for (const name of ['messages', 'tools', 'reasoning_effort', 'prompt_embeds', 'bogus']) {
      await refused({ [name]: [] }, 400, 'unsupported_parameter', name)
    }
    for (const [name, value] of [
      ['logprobs', true],
      ['max_tokens', -1],
      ['stop', ['']],
    ] as const) {
      await refused({ [name]: value as Json }, 422, 'schema_validation_failed', name === 'stop' ? 'stop.0' : name)
    }
  })

  describe('the reply', () => {
    const script = events(chunk('one'), chunk(' two', 'stop'), usage)
    it('is a text_completion with the usage', async () => {
      const { json } = await ask({ model: 'alias' }, { script })
      expect(json.id).match(/^cmpl-/)
      expect(json).deep.include({
        object: 'text_completion',
        model: 'm',
        choices: [{ index: 0, text: 'one two', logprobs: null, finish_reason: 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
      })
    })
    it('streams, with usage last whatever was asked for', async () => {
      const both = { include_usage: true, continuous_usage_stats: true }
      const answer = await ask({ stream: true, stream_options: { include_usage: false } }, { script })
      expect(answer.sent?.stream_options).deep.equal(both)
      const data = answer.text
        .trimEnd()
        .split('\n\n')
        .map(line => line.slice('data: '.length))
      expect(data.at(-1)).equal('[DONE]')
      expect(JSON.parse(data.at(-2)!)).deep.include({ choices: [], usage: usage.usage })
      const texts = data
        .slice(0, -2)
        .map(line => (JSON.parse(line) as { choices: { text: string }[] }).choices[0]?.text)
      expect(texts).deep.equal(['one', ' two'])
    })
    it('has choices for each prompt of a batch', async () => {
      const batch = events(chunk('b', null, 1), chunk('a', 'stop'), chunk('B', 'length', 1), usage)
      const { json } = await ask({ prompt: ['x', 'y'] }, { script: batch })
      expect(
        (json.choices as JsonObject[]).map(({ index, text, finish_reason }) => [index, text, finish_reason]),
      ).deep.equal([
        [0, 'a', 'stop'],
        [1, 'bB', 'length'],
      ])
    })
  })
})
