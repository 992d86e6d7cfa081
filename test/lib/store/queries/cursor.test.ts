import { expect } from 'chai'
import { formatCursor, parseCursor } from '../../../../lib/store/queries/cursor.ts'

describe('cursor', () => {
  const time = Date.UTC(2026, 10, 21, 12) * 1000 + 123_456
  const last = { created_at: time, public_id: 2 ** 48 - 1 }

  it('is the created_at of the last row', () => {
    expect(formatCursor(last, { created_at: time - 1, public_id: 5 })).equal('2026-11-21T12:00:00.123456Z')
    expect(parseCursor('2026-11-21T12:00:00.123456Z')).deep.equal({ created_at: time, public_id: 0 })
  })

  it('has more digits if the next row has the same time', () => {
    const text = formatCursor(last, { created_at: time, public_id: 5 })
    expect(text).equal('2026-11-21T12:00:00.123456281474976710655Z')
    expect(parseCursor(text)).deep.equal(last)
  })

  it('may be any timestamp with a timezone', () => {
    expect(parseCursor('2026-11-21T13:00:00.123456+01:00')).deep.equal({ created_at: time, public_id: 0 })
    expect(parseCursor('2026-11-21T12:00:00.123456789Z')?.created_at).equal(time)
    expect(parseCursor('2026-11-21T12:00:00.123456')).equal(undefined)
    expect(parseCursor('12')).equal(undefined)
  })
})
