import { expect } from 'chai'
import { configOf, problemsOf } from '../../../support/config.ts'

const backends = [{ url: 'http://127.0.0.1:8000/v1', zdr: true }]
const file = (own: object, other: object) =>
  JSON.stringify({
    models: [
      { id: 'm', fallback: ['o'], backends, ...own },
      { id: 'other', aliases: ['o'], backends, ...other },
    ],
  })

describe('checks on fallbacks', () => {
  it('accept a model that can do as much, by id or alias', () => {
    const tools = { tools: true, chat_completions: { n: true } }
    const config = configOf(file({ capabilities: tools }, { capabilities: { ...tools, vision: true } }))
    expect(config.models[0]!.fallback).deep.equal(['other'])
  })

  it('say what to set where a capability is only the default of an engine', () => {
    const llama = { backends: [{ url: 'http://127.0.0.1:8002/v1', engine: 'llama.cpp' }] }
    const engine = { backends: [{ url: 'http://127.0.0.1:8001/v1', engine: 'vllm' }] }
    const remedy = "set them to false in capabilities of this one, or to true in that one's"
    expect(problemsOf(file(engine, llama))).deep.equal([
      `models.0.fallback.0: lacks capabilities of this model: echo; ${remedy}`,
    ])
    expect(configOf(file({ ...engine, capabilities: { chat_completions: { echo: false } } }, llama)).models).length(2)
  })

  const refused: readonly (readonly [object, object, string])[] = [
    [{ fallback: ['none'] }, {}, "there is no model 'none'"],
    [{ fallback: ['m'] }, {}, 'is the model itself'],
    [{}, { kind: 'embedding' }, "is of another kind: 'embedding'"],
    [{}, { sampling: 'fixed' }, "differs in sampling: 'fixed'"],
    [{ capabilities: { reasoning: true } }, {}, 'differs in capabilities.reasoning: not true'],
    [
      { capabilities: { vision: true, chat_completions: { n: true } } },
      {},
      "lacks capabilities of this model: n, vision, messages.vision; set them to false in capabilities of this one, or to true in that one's",
    ],
    [
      { capabilities: { chat_completions: { n: true } } },
      { capabilities: { chat_completions: { n: true }, zdr: { n: false } } },
      "lacks capabilities of this model: n; set them to false in capabilities of this one, or to true in that one's",
    ],
  ]
  for (const [own, other, problem] of refused)
    it(`refuse one that ${problem}`, () =>
      expect(problemsOf(file(own, other))).deep.equal([`models.0.fallback.0: ${problem}`]))
})
