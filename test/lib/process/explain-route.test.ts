import { expect } from 'chai'
import { BackendPool } from '../../../lib/backends/pool.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import { answerOf, explainRoute, questionOf, type RouteQuestion } from '../../../lib/process/explain-route.ts'
import { Routing } from '../../../lib/routing/routing.ts'
import { TokenRatios } from '../../../lib/tokens/token-ratios.ts'
import { configOf } from '../../support/config.ts'

const question: RouteQuestion = {
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
  const ask = (members: Partial<RouteQuestion> = {}) =>
    explainRoute({ ...question, ...members }, config, { pool, routing })

  it('has the cost at each backend that may serve the request', () => {
    const answer = ask()
    expect(answer).include({ model: 'm', policy: 'cost' })
    const backends = answer.backends as { backend: string; cost: number; ownMs: number }[]
    expect(backends.map(({ backend }) => backend)).deep.equal(['http://a/v1', 'http://b/v1'])
    expect(backends[0]!.ownMs).closeTo(45, 2)
    expect(backends[0]!.cost).closeTo(2 * backends[1]!.cost, 1e-6)
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
    expect(ask({ body: { model: 'x', messages: [] } }).problem).equal("There is no model 'x'.")
    expect(ask({ body: { model: 'm', messages: 'secret' } }).problem).not.match(/secret/)
  })
})

describe('answerOf', () => {
  it('answers questions in JSON, and says when there is none', () => {
    expect(questionOf('{"path":"/p"}')).deep.equal({ path: '/p', body: null, account: '', zdr: false })
    expect(answerOf('{"path":"/p","zdr":true}', ({ zdr }) => ({ zdr }))).equal('{"zdr":true}')
    for (const text of ['', '[]', '{"path":1}']) expect(answerOf(text, () => ({}))).match(/not understood/)
  })
})
