import { expect } from 'chai'
import type { Config, FoundFacts, FoundModel } from '../../../lib/config/config.ts'
import { discoveredModels, isAllowed } from '../../../lib/config/discovered-models.ts'
import { configOf } from '../../support/config.ts'

const FACTS: FoundFacts = {
  engine: 'vllm',
  max_model_len: 4096,
  capabilities: { tools: true, vision: true },
  profile: { tokenize: 'none' },
}
const URL = 'http://10.0.0.5:8000/v1'

const entriesOf = (config: Config, found: readonly FoundModel[], taken: readonly string[] = []) =>
  discoveredModels({ ...config, found }, new Set(taken)).map(({ entry }) => entry)

/** A configuration with these entries, and a model that the first of them has found. */
function setting(...entries: readonly string[]) {
  const config = configOf(`models:\n${entries.map(entry => `- { ${entry} }\n`).join('')}`)
  const of = (id: string, more: Partial<FoundModel> = {}): FoundModel => {
    return { id, source: config.modelSources[0]!.key, urls: [URL], facts: FACTS, ...more }
  }
  return { config, of }
}

describe('discovered models', () => {
  it('have what was found, and the members of defaults in place of it', () => {
    const plain = setting('discover: { url: http://10.0.0.5:8000/v1 }')
    expect(entriesOf(plain.config, [plain.of('b'), plain.of('a', { urls: [URL, 'http://c/v1'] })])).deep.equal([
      {
        id: 'a',
        max_model_len: 4096,
        capabilities: FACTS.capabilities,
        backends: [
          { url: URL, engine: 'vllm', profile: { tokenize: 'none' } },
          { url: 'http://c/v1', engine: 'vllm', profile: { tokenize: 'none' } },
        ],
      },
      {
        id: 'b',
        max_model_len: 4096,
        capabilities: FACTS.capabilities,
        backends: [{ url: URL, engine: 'vllm', profile: { tokenize: 'none' } }],
      },
    ])
    const { config, of } = setting(
      `discover: { url: ${URL} }, defaults: { max_model_len: 1024, owned_by: us, capabilities: { tools: false }, ` +
        'fallback: [a, b], mirror: { to: a, percent: 1 }, backends: [{ api_key: k, profile: { cache_salt: true } }] }',
    )
    const backend = { url: URL, engine: 'vllm', api_key: 'k', profile: { tokenize: 'none', cache_salt: true } }
    const members = { max_model_len: 1024, owned_by: 'us', capabilities: { tools: false } }
    expect(entriesOf(config, [of('a'), of('b')])).deep.equal([
      { id: 'a', ...members, fallback: ['b'], backends: [backend] },
      { id: 'b', ...members, fallback: ['a'], mirror: { to: 'a', percent: 1 }, backends: [backend] },
    ])
  })

  it('have the profile of another engine only if defaults do not name the engine, and no capabilities of a chat', () => {
    const { config, of } = setting(
      'discover: { url: http://h/v1 }, defaults: { kind: embedding, backends: [{ engine: sglang }] }',
    )
    expect(entriesOf(config, [of('a')])).deep.equal([
      { id: 'a', kind: 'embedding', max_model_len: 4096, backends: [{ url: URL, engine: 'sglang' }] },
    ])
  })

  it('are those that allow matches, of the first entry that finds them, and not those that others have', () => {
    const { config, of } = setting(
      `discover: { url: ${URL} }, allow: ["Qwen/*", x], defaults: { owned_by: first }`,
      'discover: { url: http://other/v1 }, defaults: { owned_by: second }',
    )
    const [, second] = config.modelSources
    const found = ['Qwen/a', 'Qwen/b', 'x', 'y'].map(id => of(id))
    const more = ['x', 'z'].map(id => of(id, { source: second!.key }))
    const owners = entriesOf(config, [...more, ...found, of('q', { source: 'gone' })], ['Qwen/b']).map(
      ({ id, owned_by }) => `${id} ${owned_by}`,
    )
    expect(owners).deep.equal(['Qwen/a first', 'x first', 'z second'])
    expect(isAllowed(second!, 'anything')).equal(true)
  })
})
