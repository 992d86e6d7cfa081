import { expect } from 'chai'
import { ModelCatalog } from '../../../lib/accounts/access.ts'
import type { BackendConfig } from '../../../lib/config/config.ts'
import { isObject, type JsonObject } from '../../../lib/plugin.ts'
import { type Played, play, type Scene } from '../../../lib/testing.ts'
import modelList from '../../../plugins/models/model-list/index.ts'
import { key } from '../../../plugins/slots.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'
import { keyOf } from '../../support/key.ts'

const small = model({}, { id: 'small', aliases: ['tiny'] })
const large = model({}, { id: 'large' })
const models = new ModelCatalog([small, large], [{ host: 'acme-1.test', models: ['large'] }])

const plain = { brand: 'acme', model_list: { aliases: false } } as never
const aliased = { brand: 'acme', model_list: { aliases: true } } as never

const listed = (allowed?: readonly string[], scene: Scene = {}) =>
  play(modelList, {
    services: { models, config: plain },
    route: 'model-list',
    given: [[key, keyOf(allowed === undefined ? {} : { models: new Set(allowed) })]],
    ...scene,
  })

const cardsIn = ({ reply }: Played) => (reply!.body as JsonObject).data as JsonObject[]

async function idsOf(allowed?: readonly string[], scene: Scene = {}) {
  return cardsIn(await listed(allowed, scene)).map(({ id }) => id)
}

/** The card of this model. */
async function cardOf(one = full, brand = 'service'): Promise<JsonObject> {
  const services = { models: new ModelCatalog([one]), config: { brand, model_list: { aliases: false } } as never }
  return cardsIn(await play(modelList, { services, route: 'model-list', given: [[key, keyOf()]] }))[0]!
}

describe('model-list', () => {
  it('answers with the cards of all models, under the brand', async () => {
    const { reply } = await listed()
    expect(reply).deep.equal({
      status: 200,
      contentType: 'application/json',
      body: { object: 'list', data: [await cardOf(small, 'acme'), await cardOf(large, 'acme')] },
    })
  })

  it('shows the models that the key may use, and no alias', async () => {
    expect(await idsOf(['large'])).deep.equal(['large'])
    expect(await idsOf([])).deep.equal([])
  })

  it('shows the models of a dedicated endpoint', async () => {
    const place = { surface: 'dedicated', endpoint: 'acme-1.test' } as const
    expect(await idsOf(undefined, place)).deep.equal(['large'])
    expect(await idsOf(['small'], place)).deep.equal([])
  })

  it('lists aliases if the configuration says so', async () => {
    const cards = cardsIn(await listed(undefined, { services: { models, config: aliased } }))
    expect(cards.map(({ id, root }) => [id, root])).deep.equal([
      ['small', undefined],
      ['tiny', 'small'],
      ['large', undefined],
    ])
    expect(cards[1]).deep.equal({ ...cards[0], id: 'tiny', root: 'small' })
  })

  it('ignores a query', async () => {
    expect(await idsOf(undefined, { query: 'limit=1&after_id=small' })).lengthOf(2)
  })
})

describe('the card of one model', () => {
  const nested = model({}, { id: 'Qwen/Qwen3-32B', aliases: ['team/qwen'] })
  const catalog = new ModelCatalog([nested, small], [{ host: 'acme-1.test', models: ['small'] }])
  const shown = (id: string, scene: Scene = {}, config = plain) =>
    play(modelList, {
      services: { models: catalog, config },
      route: 'model-card',
      params: { model_id: id },
      given: [[key, keyOf({ models: new Set(['Qwen/Qwen3-32B']) })]],
      ...scene,
    })

  it('is that of the list, by id or alias, as it is or percent-encoded', async () => {
    const card = await cardOf(nested, 'acme')
    for (const id of ['Qwen/Qwen3-32B', 'Qwen%2FQwen3-32B', 'team/qwen', 'team%2fqwen'])
      expect((await shown(id)).reply?.body, id).deep.equal(card)
    expect((await shown('team/qwen', {}, aliased)).reply?.body).include({ id: 'team/qwen', root: 'Qwen/Qwen3-32B' })
  })

  it('is refused for unknown models, and for those that the key or the endpoint does not have', async () => {
    for (const id of ['Qwen', 'none', '%zz', '__proto__'])
      expect((await shown(id)).error, id).include({ code: 'model_not_found', status: 404 })
    expect((await shown('small')).error).include({ code: 'model_not_allowed', status: 403 })
    const place = { surface: 'dedicated', endpoint: 'acme-1.test' } as const
    expect((await shown('Qwen/Qwen3-32B', place)).error).include({ code: 'model_not_found' })
  })
})

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

function at(value: JsonObject, ...path: readonly string[]): unknown {
  let inner: unknown = value
  for (const name of path) inner = isObject(inner) ? inner[name] : undefined
  return inner
}

const zdrSupported = async (...backends: BackendConfig[]) => (await cardOf(model({}, { backends }))).zdr_supported

// docs/api/models.md#model-card, row by row
describe('model card', () => {
  it('id, object, created, owned_by', async () => {
    expect(await cardOf()).include({ id: 'qwen3-32b', object: 'model', created: 1_750_000_000, owned_by: 'qwen' })
  })

  it('max_model_len, if known', async () => {
    expect(await cardOf()).include({ max_model_len: 131_072 })
    expect(await cardOf(model())).not.have.property('max_model_len')
  })

  it('zdr_supported: a backend accepts requests with zero data retention', async () => {
    const yes = backendConfig({ zdr: true })
    const no = backendConfig({ zdr: false })
    expect(await zdrSupported(yes)).equal(true)
    expect(await zdrSupported(no, yes)).equal(true)
    expect(await zdrSupported(no)).equal(false)
    expect(await zdrSupported()).equal(false)
  })

  it('service.capabilities.vision, .tools, .reasoning', async () => {
    expect(at(await cardOf(), 'service', 'capabilities')).include({ vision: true, tools: true, reasoning: true })
    expect(at(await cardOf(model()), 'service', 'capabilities')).include({
      vision: false,
      tools: false,
      reasoning: false,
    })
  })

  it('service.capabilities.reasoning is true of a model that always reasons', async () => {
    expect(at(await cardOf(model({ reasoning: 'always' })), 'service', 'capabilities', 'reasoning')).equal(true)
  })

  it('service.capabilities.reasoning_effort.default, null if there is none', async () => {
    expect(at(await cardOf(), 'service', 'capabilities', 'reasoning_effort')).deep.equal({ default: 'medium' })
    const none = await cardOf(model())
    expect(at(none, 'service', 'capabilities', 'reasoning_effort')).deep.equal({ default: null })
  })

  it('service.capabilities.chat_completions.*', async () => {
    expect(at(await cardOf(), 'service', 'capabilities', 'chat_completions')).deep.equal(FLAGS)
  })

  it('service.capabilities.messages.vision', async () => {
    expect(at(await cardOf(), 'service', 'capabilities', 'messages')).deep.equal({ vision: true })
  })

  it('service.capabilities.responses, service.capabilities.zdr', async () => {
    expect(at(await cardOf(), 'service', 'capabilities', 'responses')).deep.equal({ web_search: true })
    expect(at(await cardOf(), 'service', 'capabilities', 'zdr')).deep.equal({ regex: false })
  })

  it('service.pricing, if the model has a price', async () => {
    expect(at(await cardOf(), 'service', 'pricing')).deep.equal({ input: 10, cached_input: 2, output: 40 })
    expect(at(await cardOf(model()), 'service')).not.have.property('pricing')
  })

  it('has the brand instead of "service"', async () => {
    expect(at(await cardOf(full, 'acme'), 'acme', 'capabilities', 'vision')).equal(true)
    expect(await cardOf(full, 'acme')).not.have.property('service')
  })

  it('does not reveal where the model runs', async () => {
    const shown = JSON.stringify(await cardOf())
    for (const hidden of ['127.0.0.1', 'upstream-model', 'vllm', 'secret', 'x-team', 'aliases'])
      expect(shown).not.contain(hidden)
  })
})
