import { existsSync } from 'node:fs'
import { expect } from 'chai'
import type { CLIENT_SURFACES } from '../../../lib/config/surface.ts'
import { ROUTES, type Route, type Surface, servedRoutes } from '../../../lib/routes/routes.ts'

/** The routes of docs/api/README.md#routes, surface by surface. */
const SPECIFIED: Readonly<Record<(typeof CLIENT_SURFACES)[number], readonly string[]>> = {
  gateway: [
    'GET /v1/models',
    'POST /v1/chat/completions',
    'POST /v1/completions',
    'POST /v1/messages',
    'POST /v1/messages/count_tokens',
    'POST /v1/responses',
    'GET /v1/usage/me',
    'GET /v1/usage/team',
  ],
  api: [
    'GET /v1/endpoints',
    'GET /v1/endpoints/metrics',
    'GET /v1/endpoints/requests',
    'GET /v1/endpoints/requests/{request_id}',
    'GET /v1/usage/me',
    'GET /v1/usage/team',
  ],
  dedicated: ['POST /v1/chat/completions', 'POST /v1/messages', 'POST /v1/completions', 'GET /v1/models'],
}

const routes: readonly Route[] = ROUTES

describe('routes/routes', () => {
  for (const [surface, lines] of Object.entries(SPECIFIED) as [Surface, readonly string[]][]) {
    it(`contain every specified route of the ${surface} surface`, () => {
      const served = routes.filter(({ surfaces }) => surfaces.includes(surface))
      expect(served.map(({ method, path }) => `${method} ${path}`)).include.members([...lines])
    })
  }

  it('contain no stored responses, and no Responses API on dedicated hosts', () => {
    expect(routes.filter(({ path }) => /^\/v1\/responses\/./.test(path))).deep.equal([])
    expect(routes.find(({ name }) => name === 'responses')?.surfaces).deep.equal(['gateway'])
  })

  it('require a key or a session, except for pages', () => {
    const open = routes.filter(({ access }) => access === 'public').map(({ path }) => path)
    expect(open.filter(path => path.startsWith('/v1/'))).deep.equal([])
  })

  it('have unique names and paths', () => {
    expect(new Set(routes.map(({ name }) => name)).size).equal(routes.length)
    const places = routes.flatMap(({ method, path, surfaces }) =>
      surfaces.map(surface => `${surface} ${method} ${path}`),
    )
    expect(new Set(places).size).equal(places.length)
  })

  it('name existing schemas', () => {
    for (const { name, body } of routes)
      if (body !== null)
        expect(existsSync(new URL(`../../../schemas/bodies/${body}.json`, import.meta.url)), name).equal(true)
  })

  it('have an upstream path and a body if they are proxied', () => {
    for (const { name, proxied, upstream, body, canonical, kind } of routes)
      expect([upstream !== null, body !== null, kind !== null], name).deep.equal([
        proxied,
        proxied || canonical || /batch-create$/.test(name),
        proxied || canonical,
      ])
  })

  it('of batches and alerts exist only with them', () => {
    expect(servedRoutes({ batches: {}, docs: true, console: { alerts: true } })).deep.equal(ROUTES)
    const without = servedRoutes({ batches: undefined, docs: true, console: { alerts: false } }).map(({ name }) => name)
    expect(routes.map(({ name }) => name).filter(name => !without.includes(name))).deep.equal([
      'batch-list',
      'batch-create',
      'batch',
      'batch-cancel',
      'message-batch-list',
      'message-batch-create',
      'message-batch',
      'message-batch-delete',
      'message-batch-cancel',
      'message-batch-results',
      'console-batches',
      'console-batch-start',
      'console-batch',
      'console-batch-cancel',
      'console-batch-file',
      'console-alerts',
      'console-alert-create',
      'console-alert-change',
    ])
  })
})
