import { expect } from 'chai'
import { sourcePath, withSamples } from '../../../../lib/config/checks/model-sources.ts'
import { configOf, problemsOf, warningsOf } from '../../../support/config.ts'

const entry = (members: string) => `models:\n- { ${members} }\n`
const URL = 'discover: { url: http://a:8000/v1 }'
const DNS = 'discover: { dns: { name: a.svc, port: 8000 } }'

describe('checks/model-sources', () => {
  it('accepts entries with all their members', () => {
    const defaults =
      'defaults: { kind: chat, owned_by: us, pricing: { input: 5, output: 5 }, max_concurrency: 4, ' +
      'queue: { max_wait_ms: 5000 }, routing: { policy: least_load }, capabilities: { tools: true }, ' +
      'backends: [{ api_key: k, headers: { x-team: t }, zdr: true, engine: vllm, weight: 2 }] }'
    for (const discover of [URL, DNS]) {
      expect(problemsOf(entry(discover))).deep.equal([])
      expect(problemsOf(entry(`${discover}, allow: ["Qwen/*", "*/x", m], ${defaults}`))).deep.equal([])
      expect(warningsOf(entry(`${discover}, ${defaults}`))).deep.equal([])
    }
  })

  it('reports members of a sample at their place in the entry', () => {
    const problems = (members: string) => problemsOf(entry(members))
    expect(problems(`${URL}, defaults: { backends: [{ headers: { via: x } }] }`)).deep.equal([
      'models.0.defaults.backends.0.headers.via: is set by the gateway and cannot be changed',
    ])
    expect(problems('discover: { url: "http://u:p@a/v1" }')[0]).match(/^models\.0\.discover\.url: must not contain/)
    expect(problems(`${URL}, defaults: { backends: [{ tls: { ca: x } }] }`)[0]).match(
      /^models\.0\.defaults\.backends\.0\.tls: has no meaning without https/,
    )
    expect(problems(`${URL}, defaults: { fallback: [nowhere] }, allow: [x]`)).deep.equal([
      "models.0.defaults.fallback.0: there is no model 'nowhere'",
    ])
    expect(warningsOf(entry('discover: { url: http://127.0.0.1:8080/v1, every_seconds: 30000 }'))).deep.equal([
      'models.0.discover.every_seconds: is in seconds: for 30000 milliseconds, write 30',
      'models.0.discover.url: is this gateway itself, so that each request is refused after three rounds: write the url of the engine',
    ])
  })

  it('warns of models without prices where money is counted', () => {
    const account = 'accounts: [{ id: 6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21, credits_cents: 5 }]'
    expect(warningsOf(`${entry(`${URL}, allow: ["Qwen/*"]`)}${account}`)).deep.equal([
      "accounts.0.credits_cents: requests to the model 'Qwen/*' cost nothing: set pricing of the model, to 0 if intended",
    ])
    expect(warningsOf(`${entry(`${URL}, defaults: { pricing: { input: 1, output: 1 } }`)}${account}`)).deep.equal([])
  })

  it('takes members from the environment, as elsewhere', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a file names a variable
    const text = entry(`${URL}, defaults: { max_concurrency: "${'${LIMIT}'}", backends: [{ api_key: "${'${KEY}'}" }] }`)
    const { modelSources, file } = configOf(text, { LIMIT: '4', KEY: 'secret' })
    expect(modelSources[0]!.backend).include({ api_key: 'secret' })
    expect(JSON.stringify(file.models)).contain('"max_concurrency":4').and.contain('"api_key":"secret"')
  })

  it('finds an entry that another one makes useless', () => {
    const twice = `models:\n- { ${URL} }\n- { ${URL}, defaults: { owned_by: us } }\n- { ${DNS} }\n- { ${URL}, allow: [x] }\n`
    expect(problemsOf(twice)).deep.equal([
      'models.1: finds the same models as models.0, which wins: remove it, or change allow',
    ])
  })

  it('has a sample for each entry, and leaves the others', () => {
    const model = { id: 'm', backends: [] }
    const file = { models: [model, { discover: { dns: { scheme: 'https' } }, allow: ['a', 'b'] }, null] }
    const [first, sample, last] = withSamples(file).models as never[]
    expect([first, last]).deep.equal([model, null])
    expect(sample).deep.include({ id: 'a, b', backends: [{ url: 'https://server.invalid/v1' }] })
    expect(sourcePath(file, 'models.0.pricing')).equal('models.0.pricing')
    expect(sourcePath(file, 'models.1.pricing.input')).equal('models.1.defaults.pricing.input')
    expect(sourcePath(file, 'models.1.allow.0')).equal('models.1.allow.0')
    expect(sourcePath(file, 'endpoints.0')).equal('endpoints.0')
    expect(withSamples({})).deep.equal({})
  })
})
