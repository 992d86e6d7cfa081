import { expect } from 'chai'
import { parseIso, parseTime, toIso, toIsoOrNull } from '../../../lib/base/time.ts'

describe('times on the wire', () => {
  const NOON = Date.UTC(2026, 10, 21, 12) * 1000

  it('are ISO-8601, UTC, with microseconds', () => {
    expect(toIso(NOON)).equal('2026-11-21T12:00:00.000000Z')
    expect(toIso(NOON + 7)).equal('2026-11-21T12:00:00.000007Z')
    expect([NOON, null, undefined].map(toIsoOrNull)).deep.equal([toIso(NOON), null, null])
    expect(parseIso(toIso(NOON + 123_456))).deep.equal({ micros: NOON + 123_456, rest: '' })
  })

  it('may be a day, which means its first moment in UTC', () => {
    expect(parseTime('2026-11-21')).deep.equal({ micros: NOON - 12 * 3_600_000_000, rest: '' })
    expect(parseTime('2026-11-21T12:00Z')).deep.equal({ micros: NOON, rest: '' })
    for (const text of ['2026-02-30', '2026-11', '2026-11-21T12:00', '2026-11-21Z', ''])
      expect(parseTime(text), text).equal(undefined)
  })

  const accepted = {
    '2026-11-21T12:00:00Z': NOON,
    '2026-11-21T12:00Z': NOON,
    '2026-11-21t12:00:00z': NOON,
    '2026-11-21 12:00:00.5Z': NOON + 500_000,
    '2026-11-21T14:30:00+02:30': NOON,
    '2026-11-21T14:30:00 02:30': NOON,
    '2026-11-21T07:00:00-0500': NOON,
    '2026-11-21T13:00:00+01': NOON,
    '2028-02-29T00:00:00Z': Date.UTC(2028, 1, 29) * 1000,
  }
  for (const [text, micros] of Object.entries(accepted)) {
    it(`reads ${text}`, () => expect(parseIso(text)?.micros).equal(micros))
  }

  it('keeps digits beyond microseconds apart', () => {
    expect(parseIso('2026-11-21T12:00:00.000001234Z')).deep.equal({ micros: NOON + 1, rest: '234' })
  })

  const refused = [
    '',
    'yesterday',
    '2026-11-21',
    '2026-11-21T12:00:00',
    '2026-11-21T12:00:00.123',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-11-21T25:00:00Z',
    '2026-11-21T12:00:00+99:00',
    '1763726400',
    ' 2026-11-21T12:00:00Z',
    '2026-11-21T12:00:00Z; drop table requests',
  ]
  for (const text of refused) it(`refuses '${text}'`, () => expect(parseIso(text)).equal(undefined))
})
