import { expect } from 'chai'
import type { BackendConfig } from '../../../lib/config/config.ts'
import { isObject, type JsonObject } from '../../../lib/plugin.ts'
import { modelCard } from '../../../plugins/models/model-card.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'

const FLAGS = {
  ...model().capabilities.chat_completions,
  n: true,
  regex: true,
  structured_outputs: true,
  tools: true,
  preserve_thinking: true,
  echo: true,
  suffix: false,
}

const full = model(
  {
    vision: true,
    tools: true,
    reasoning: true,
    reasoning_effort: { default: 'medium' },
    chat_completions: FLAGS,
    messages: { vision: true },
    responses: { web_search: true },
    zdr: { regex: false },
  },
  {
    id: 'qwen3-32b',
    aliases: ['qwen3'],
    owned_by: 'qwen',
    created: 1_750_000_000,
    max_model_len: 131_072,
    pricing: { input: 10, cached_input: 2, output: 40 },
    backends: [backendConfig({ zdr: true, api_key: 'secret', headers: { 'x-team': 'a' } })],
  },
)

const card = (brand = 'service') => modelCard(full, brand)

function at(value: JsonObject, ...path: readonly string[]): unknown {
  let inner: unknown = value
  for (const name of path) inner = isObject(inner) ? inner[name] : undefined
  return inner
}

const zdrSupported = (...backends: BackendConfig[]) => modelCard(model({}, { backends }), 'service').zdr_supported

// docs/api/models.md#model-card, row by row
describe('model card', () => {
  it('id, object, created, owned_by', () => {
    expect(card()).include({ id: 'qwen3-32b', object: 'model', created: 1_750_000_000, owned_by: 'qwen' })
  })

  it('max_model_len, where it is known', () => {
    expect(card()).include({ max_model_len: 131_072 })
    expect(modelCard(model(), 'service')).not.have.property('max_model_len')
  })

  it('zdr_supported: some backend takes requests that need zero data retention', () => {
    const yes = backendConfig({ zdr: true })
    const no = backendConfig({ zdr: false })
    expect([zdrSupported(yes), zdrSupported(no, yes), zdrSupported(no), zdrSupported()]).deep.equal([
      true,
      true,
      false,
      false,
    ])
  })

  it('service.capabilities.vision, .tools, .reasoning', () => {
    expect(at(card(), 'service', 'capabilities')).include({ vision: true, tools: true, reasoning: true })
    expect(at(modelCard(model(), 'service'), 'service', 'capabilities')).include({
      vision: false,
      tools: false,
      reasoning: false,
    })
  })

  it('service.capabilities.reasoning is true of a model that always reasons', () => {
    expect(at(modelCard(model({ reasoning: 'always' }), 'service'), 'service', 'capabilities', 'reasoning')).equal(true)
  })

  it('service.capabilities.reasoning_effort.default, null where there is none', () => {
    expect(at(card(), 'service', 'capabilities', 'reasoning_effort')).deep.equal({ default: 'medium' })
    const none = modelCard(model(), 'service')
    expect(at(none, 'service', 'capabilities', 'reasoning_effort')).deep.equal({ default: null })
  })

  it('service.capabilities.chat_completions.*', () => {
    expect(at(card(), 'service', 'capabilities', 'chat_completions')).deep.equal(FLAGS)
  })

  it('service.capabilities.messages.vision', () => {
    expect(at(card(), 'service', 'capabilities', 'messages')).deep.equal({ vision: true })
  })

  it('service.capabilities.responses, service.capabilities.zdr', () => {
    expect(at(card(), 'service', 'capabilities', 'responses')).deep.equal({ web_search: true })
    expect(at(card(), 'service', 'capabilities', 'zdr')).deep.equal({ regex: false })
  })

  it('service.pricing, where there is a price', () => {
    expect(at(card(), 'service', 'pricing')).deep.equal({ input: 10, cached_input: 2, output: 40 })
    expect(at(modelCard(model(), 'service'), 'service')).not.have.property('pricing')
  })

  it('has the brand instead of "service"', () => {
    expect(at(card('acme'), 'acme', 'capabilities', 'vision')).equal(true)
    expect(card('acme')).not.have.property('service')
  })

  it('reveals nothing about where the model runs', () => {
    const shown = JSON.stringify(card())
    for (const hidden of ['127.0.0.1', 'upstream-model', 'vllm', 'secret', 'x-team', 'aliases'])
      expect(shown).not.contain(hidden)
  })
})
