import { expect } from 'chai'
import { BackendPool } from '../../../lib/backends/pool.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import { explainRoute } from '../../../lib/process/explain-route.ts'
import { Routing } from '../../../lib/routing/routing.ts'
import { TokenRatios } from '../../../lib/tokens/token-ratios.ts'
import { configOf } from '../../support/config.ts'

const question = {
  path: '/v1/chat/completions',
  body: { model: 'm', messages: [{ role: 'user', content: 'hello '.repeat(1000) }] },
  account: '',
  zdr: false,
}

describe('explainRoute', () => {
  const config = configOf(
    'cache_isolation: off\nmodels: [{ id: m, backends: [{ url: http://a/v1 }, { url: http://b/v1, weight: 2 }] }]',
  )
  const pool = new BackendPool(config.models, systemClock, { health: null })
  const routing = new Routing({ clock: systemClock, metrics: new Metrics(), tokens: new TokenRatios() })
  const answerTo = (text: string) => JSON.parse(explainRoute(text, config, { pool, routing })) as JsonObject
  const ask = (members: object = {}) => answerTo(JSON.stringify({ ...question, ...members }))

  it('has the cost at each backend that may serve the request', () => {
    const answer = ask()
    expect(answer).include({ model: 'm', policy: 'cost' })
    const backends = answer.backends as unknown as { backend: string; cost: number; ownMs: number }[]
    expect(backends.map(({ backend }) => backend)).deep.equal(['http://a/v1', 'http://b/v1'])
    expect(backends[0]!.ownMs).closeTo(45, 2)
    // Without a queue, weights make no difference.
    expect(backends[1]!.cost).equal(backends[0]!.cost)
    expect(answer.beliefs).deep.equal({
      prefillTokensPerSecond: 30_000,
      floorMs: 0,
      decodeStepMs: 6,
      kvMs: 5e-5,
      samples: { prefillTokensPerSecond: 0, floorMs: 0, decodeStepMs: 0, kvMs: 0 },
    })
  })

  it('reads every format that has a canonical form', () => {
    for (const [path, body] of Object.entries({
      '/v1/messages': { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] },
      '/v1/completions': { model: 'm', prompt: 'hello' },
      '/v1/responses': { model: 'm', input: 'hello' },
    }))
      expect(ask({ path, body })).include({ model: 'm' })
  })

  it('names what is wrong, and quotes nothing of the request', () => {
    expect(ask({ path: '/v1/models' }).problem).match(/no route/)
    expect(ask({ body: { model: 'm' } }).problem).match(/^The request does not fit its route: send it to the gateway/)
    expect(ask({ body: [] }).problem).match(/object/)
    expect(ask({ body: { messages: [] } }).problem).equal("The request needs the name of a model in 'model'.")
    expect(ask({ body: { model: 'x', messages: [] } }).problem).equal("There is no model 'x'.")
    expect(ask({ body: { model: 'm', messages: 'secret' } }).problem).not.match(/secret/)
  })

  it('needs a path, and takes everything else as optional', () => {
    expect(answerTo('{"path":"/v1/chat/completions"}').problem).equal('The request must be a JSON object.')
    for (const text of ['', '[]', '{"path":1}']) expect(answerTo(text).problem, text).match(/^Send \{"path": /)
  })

  it('asks only backends for zero data retention where the request requires it', () => {
    expect(ask({ zdr: true }).problem).equal("Model 'm' has no backend with 'zdr: true'.")
  })
})
