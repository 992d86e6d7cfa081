import { expect } from 'chai'
import type { Config } from '../../../lib/config/config.ts'
import type { Chain } from '../../../lib/core/exchange.ts'
import { Router } from '../../../lib/routes/router.ts'

const config = {
  hosts: { gateway: ['pass.test', '127.0.0.1'], api: ['api.test'] },
  endpoints: [{ host: 'acme-1.test', models: ['m'] }],
  cors: { origins: [] },
} as unknown as Config

const router = new Router(config, () => ({}) as Chain)
const open = new Router({ ...config, hosts: { gateway: null, api: null } }, () => ({}) as Chain)
const at = (host: string | undefined, method: string, path: string, from = router) =>
  from.match(method, path, host === undefined ? {} : { host })

describe('routes/router', () => {
  it('finds the surface by the Host header, without port and without case', () => {
    expect(at('PASS.test:8080', 'POST', '/v1/chat/completions').match).include({ surface: 'gateway', endpoint: null })
    expect(at('acme-1.test', 'POST', '/v1/chat/completions').match).include({
      surface: 'dedicated',
      endpoint: 'acme-1.test',
    })
  })

  it('serves gateway routes on no other surface', () => {
    expect(at('api.test', 'POST', '/v1/chat/completions').refusal).include({ code: 'http_404' })
  })

  it('accepts any host for the gateway if none is configured', () => {
    expect(at('whatever.test', 'GET', '/v1/models', open).match).include({ surface: 'gateway' })
    expect(at('acme-1.test', 'GET', '/v1/models', open).match).include({ surface: 'dedicated' })
  })

  it('refuses unknown hosts and a missing one', () => {
    expect(at('other.test', 'GET', '/v1/models').refusal).include({ code: 'http_404' })
    expect(at(undefined, 'GET', '/v1/models').refusal).include({ code: 'http_400' })
  })

  it('names the methods of a path in Allow', () => {
    const { refusal, match } = at('127.0.0.1', 'PUT', '/v1/chat/completions')
    expect(refusal).include({ code: 'http_405', status: 405 })
    expect(refusal?.details.headers).deep.equal({ allow: 'POST' })
    expect(match.route.name).equal('unmatched')
  })

  it('serves HEAD on the routes of GET', () => {
    expect(at('127.0.0.1', 'HEAD', '/v1/models').match.route.name).equal('model-list')
    expect(at('127.0.0.1', 'HEAD', '/docs/errors/http_405').match.params).deep.equal({ code: 'http_405' })
    expect(at('127.0.0.1', 'HEAD', '/v1/chat/completions').refusal?.details.headers).deep.equal({ allow: 'POST' })
    expect(at('127.0.0.1', 'PUT', '/v1/models').refusal?.details.headers).deep.equal({ allow: 'GET, HEAD' })
  })

  it('answers OPTIONS only if other origins are allowed', () => {
    expect(at('127.0.0.1', 'OPTIONS', '/v1/models').refusal).include({ code: 'http_405' })
    const browsers = new Router({ ...config, cors: { origins: ['*'] } }, () => ({}) as Chain)
    expect(at('127.0.0.1', 'OPTIONS', '/v1/models', browsers).match.route.name).equal('preflight')
    expect(at('127.0.0.1', 'OPTIONS', '/v1/nothing', browsers).refusal).include({ code: 'http_404' })
  })

  it('gives browsers a page at paths of the console that have none, and others the same error as before', () => {
    const browser = { host: 'pass.test', accept: 'text/html,*/*;q=0.8' }
    const missing = (method: string, path: string, headers = browser, from = router) => {
      const { match, refusal } = from.match(method, path, headers)
      return refusal?.code ?? match.route.name
    }
    for (const path of ['/console/nope', '/console/', '/console/requests/a/b', '/console/batches', '/console/logout'])
      for (const method of ['GET', 'HEAD']) expect(missing(method, path), path).equal('console-missing')
    expect(missing('GET', '/console/nope', { ...browser, host: 'api.test' })).equal('console-missing')
    expect(missing('GET', '/console/keys')).equal('console-keys')
    expect(missing('POST', '/console/nope')).equal('http_404')
    for (const path of ['/nope', '/consoles', '/v1/nope']) expect(missing('GET', path), path).equal('http_404')
    expect(missing('GET', '/console/nope', { ...browser, host: 'acme-1.test' })).equal('http_404')
    for (const accept of ['*/*', 'application/json']) {
      expect(missing('GET', '/console/nope', { ...browser, accept })).equal('http_404')
      expect(missing('GET', '/console/logout', { ...browser, accept })).equal('http_405')
    }
  })

  it('explains a doubled /v1', () => {
    expect(at('127.0.0.1', 'POST', '/v1/v1/chat/completions').refusal?.message).match(/\/v1 twice/)
  })

  it('answers unknown paths of the Messages API in its envelope', () => {
    expect(at('127.0.0.1', 'POST', '/v1/messages/batches').match.route.format).equal('messages')
  })

  it('does not repeat control characters of the request line', () => {
    expect(at('127.0.0.1', 'GET', '/\u001b[2J').refusal?.message).not.contain('\u001b')
  })

  it('returns the parameters of a path', () => {
    expect(at('127.0.0.1', 'GET', '/docs/errors/internal_error').match.params).deep.equal({ code: 'internal_error' })
    expect(at('127.0.0.1', 'GET', '/docs/errors/a/b').refusal).include({ code: 'http_404' })
    expect(at('127.0.0.1', 'GET', '/v1/models/Qwen/Qwen3').match.params).deep.equal({ model_id: 'Qwen/Qwen3' })
    expect(at('127.0.0.1', 'GET', '/v1/models/').refusal).include({ code: 'http_404' })
  })

  it('has the rows of the documentation only if it is on', () => {
    expect(at('pass.test', 'GET', '/docs/').match.route.name).equal('unmatched')
    const docs = new Router({ ...config, docs: true }, () => ({}) as Chain)
    expect(at('pass.test', 'GET', '/docs/', docs).match.route.name).equal('docs-home')
    expect(at('api.test', 'GET', '/docs/api/models', docs).match.params).deep.equal({ path: 'api/models' })
    expect(at('pass.test', 'GET', '/docs/errors/http_404', docs).match.route.name).equal('error-docs')
    expect(at('acme-1.test', 'GET', '/docs/', docs).refusal).include({ code: 'http_404' })
  })
})
