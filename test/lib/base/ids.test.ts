import { expect } from 'chai'
import { isUuid, publicId, uuidv7 } from '../../../lib/base/ids.ts'

describe('ids', () => {
  it('makes UUIDs of version 7 that carry their time', () => {
    const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
    const id = uuidv7(now)
    expect(id).match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).equal(now)
  })

  it('never gives a public id twice, past the end of its pool of random bytes', () => {
    const ids = new Set(Array.from({ length: 5000 }, () => publicId(uuidv7(1))))
    expect(ids.size).equal(5000)
    for (const id of ids) expect(id).match(/^[0-9a-f]{12}$/)
  })

  it('knows a UUID when it sees one', () => {
    expect(isUuid(uuidv7(0))).equal(true)
    expect(isUuid('not-a-uuid')).equal(false)
  })
})
