import { expect } from 'chai'
import { sessionOf } from '../../../plugins/models/session.ts'

describe('the session of a client', () => {
  const of = (headers: Record<string, string>, body = {}, configured?: string) =>
    sessionOf({ headers, body } as Parameters<typeof sessionOf>[0], configured)

  it('is the first name that is present', () => {
    const names = ['x-own', 'x-session-id', 'x-claude-code-session-id', 'session-id', 'thread-id']
    const body = { prompt_cache_key: 'of the body' }
    for (const [at, name] of names.entries()) {
      const later = Object.fromEntries(names.slice(at).map(one => [one, `of ${one}`]))
      expect(of(later, body, 'x-own'), name).equal(`of ${name}`)
    }
    expect(of({}, body, 'x-own')).equal('of the body')
    expect(of({ 'x-own': 'a' })).equal(undefined)
    expect(of({})).equal(undefined)
  })

  it('has 1 to 256 bytes', () => {
    expect(of({ 'session-id': 'x'.repeat(256) })).lengthOf(256)
    for (const name of ['', 'x'.repeat(257), 'é'.repeat(129)]) {
      expect(of({ 'x-session-id': name, 'thread-id': 'next' })).equal('next')
      expect(of({}, { prompt_cache_key: name })).equal(undefined)
    }
    expect(of({}, { prompt_cache_key: 7 })).equal(undefined)
  })
})
