import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { testServices } from '../../../../lib/testing.ts'
import { EndUserNames } from '../../../../plugins/limits/usage-limits/end-user.ts'
import { ManualClock } from '../../../support/clock.ts'

const services = testServices()
const hashOf = (name: string) => services.keyedHash('acme', name)

function found(body: JsonObject, format: string, settings: object = {}, zdr = false) {
  const exchange = { route: { format }, headers: { 'x-user': 'Bob' }, body } as never
  return new EndUserNames(services).of(exchange, 'acme', { from: 'user', label: false, ...settings }, zdr)
}

describe('the end user of a request', () => {
  const named: readonly (readonly [string, JsonObject, string])[] = [
    ['chat', { user: 'alice' }, 'alice'],
    ['completions', { user: 'alice' }, 'alice'],
    ['responses', { user: 'alice' }, 'alice'],
    ['responses', { user: 'alice', safety_identifier: 'carol' }, 'carol'],
    ['messages', { metadata: { user_id: 'alice' } }, 'alice'],
    ['chat', { user: 'x'.repeat(256) }, 'x'.repeat(256)],
  ]
  for (const [format, body, name] of named)
    it(`is named by ${Object.keys(body).join(', ')} on ${format}, and kept as a hash`, () =>
      expect(found(body, format)).deep.equal({ id: hashOf(name), label: null }))

  const none: readonly (readonly [string, JsonObject])[] = [
    ['chat', {}],
    ['chat', { user: null }],
    ['chat', { user: '' }],
    ['chat', { user: 7 }],
    ['chat', { user: 'x'.repeat(257) }],
    ['messages', { user: 'alice' }],
    ['messages', { metadata: 'alice' }],
  ]
  for (const [format, body] of none)
    it(`is none for ${JSON.stringify(body).slice(0, 30)} on ${format}`, () =>
      expect(found(body, format)).deep.equal({ id: 'none', label: null }))

  it('may be named by a header', () => {
    const settings = { from: 'header', header: 'X-User' }
    expect(found({ user: 'alice' }, 'chat', settings).id).equal(hashOf('Bob'))
    expect(found({ user: 'alice' }, 'chat', { ...settings, header: 'x-other' }).id).equal('none')
  })

  it('keeps its name with label, never under zero data retention', () => {
    expect(found({ user: 'alice' }, 'chat', { label: true }).label).equal('alice')
    expect(found({ user: 'alice' }, 'chat', { label: true }, true).label).equal(null)
  })

  it('is other beyond 100,000 of an account in a window', () => {
    const clock = new ManualClock()
    const names = new EndUserNames({ clock, keyedHash: (_account, name) => name })
    const of = (user: string, account = 'acme') =>
      names.of({ route: { format: 'chat' }, headers: {}, body: { user } } as never, account, SETTINGS, false).id
    for (let i = 0; i < 100_000; i++) of(`user ${i}`)
    expect([of('user 1'), of('one more'), of('one more', 'other account')]).deep.equal(['user 1', 'other', 'one more'])
    clock.advance(24 * 3_600_000)
    expect(of('one more')).equal('one more')
  })
})

const SETTINGS = { from: 'user', label: false, budget_cents: { amount: 1, window: '1d' } } as const
