import { expect } from 'chai'
import { parseConfig } from '../../../../lib/config/read.ts'
import { configOf, problemsOf } from '../../../support/config.ts'

const backends = [{ url: 'http://127.0.0.1:8000/v1', zdr: true }]
const VLLM = { backends: [{ ...backends[0], engine: 'vllm' }] }
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
    [{ ...VLLM, passthrough: ['ignore_eos'] }, VLLM, 'lacks passthrough of this model: ignore_eos'],
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

const BACKEND = 'backends: [{ url: http://x/v1 }]'
const mirroring = (mirror: string, of = '') =>
  `models: [{ id: m, ${of} mirror: ${mirror}, ${BACKEND} }, { id: next, aliases: [n], ${BACKEND} }, { id: e, kind: embedding, ${BACKEND} }]`

describe('checks on mirrors', () => {
  it('accept another model, by any of its names', () => {
    const source = { baseDir: '/', env: {}, fileName: 'a.yaml' }
    expect(parseConfig(mirroring('{ to: n, percent: 0.5 }'), source).models[0]!.mirror).deep.equal({
      to: 'next',
      percent: 0.5,
    })
  })

  it('refuse one that cannot take the same requests', () => {
    expect(problemsOf(mirroring('{ to: nxt, percent: 5 }'))).deep.equal([
      "models.0.mirror.to: there is no model 'nxt': did you mean 'next'?",
    ])
    expect(problemsOf(mirroring('{ to: m, percent: 5 }'))).deep.equal(['models.0.mirror.to: is the model itself'])
    expect(problemsOf(mirroring('{ to: e, percent: 5 }'))).deep.equal([
      "models.0.mirror.to: is of another kind: 'embedding'",
    ])
    expect(problemsOf(mirroring('{ to: e, percent: 5 }', 'kind: embedding,'))).deep.equal([
      'models.0.mirror: only requests to a model of kind chat can be mirrored',
    ])
    expect(problemsOf(mirroring('{ to: n }'))).deep.equal(['models.0.mirror.percent: is required'])
    expect(problemsOf(mirroring('{ to: n, percent: 101 }'))).lengthOf(1)
  })
})
