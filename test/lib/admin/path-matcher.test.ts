import { expect } from 'chai'
import { pathMatcher } from '../../../lib/admin/path-matcher.ts'

describe('pathMatcher', () => {
  const routes = [
    { method: 'GET', path: '/' },
    { method: 'GET', path: '/a/{id}' },
    { method: 'POST', path: '/a/{id}' },
    { method: 'GET', path: '/a/{id}/keys/{key}' },
  ]
  const match = pathMatcher(routes)

  it('finds all rows of a path, with the values of its names', () => {
    expect(match('/')).deep.equal([{ route: routes[0], params: {} }])
    expect(match('/a/x')).deep.equal([
      { route: routes[1], params: { id: 'x' } },
      { route: routes[2], params: { id: 'x' } },
    ])
    expect(match('/a/x/keys/%20')).deep.equal([{ route: routes[3], params: { id: 'x', key: '%20' } }])
  })

  it('matches whole paths only, and no empty segment', () => {
    for (const path of ['', '/a', '/a/', '/a/x/', '/a/x/y', '/a/x/keys/', '/b/a/x'])
      expect(match(path), path).deep.equal([])
  })
})
