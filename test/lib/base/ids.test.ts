import { expect } from 'chai'
import { hexOfUuid, isUuid, publicId, uuidv7 } from '../../../lib/base/ids.ts'
import type { Surface } from '../../../lib/routes/routes.ts'
import { notedExchange, type Place } from '../../support/exchange.ts'

describe('ids', () => {
  it('makes UUIDs of version 7 that contain their time', () => {
    for (const now of [0, 2 ** 32 - 1, 2 ** 32, Date.UTC(2026, 0, 2, 3, 4, 5, 678), 2 ** 48 - 1]) {
      const id = uuidv7(now)
      expect(id).match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Number.parseInt(hexOfUuid(id).slice(0, 12), 16)).equal(now)
    }
  })

  it('returns all hex digits of a UUID, in order', () => {
    expect(hexOfUuid('01234567-89ab-7cde-8f01-23456789abcd')).equal('0123456789ab7cde8f0123456789abcd')
  })

  it('never repeats a public id, even after its pool of random bytes is refilled', () => {
    const ids = new Set(Array.from({ length: 5000 }, () => publicId(uuidv7(1))))
    expect(ids.size).equal(5000)
    for (const id of ids) expect(id).match(/^[0-9a-f]{12}$/)
  })

  it('recognises a UUID', () => {
    expect(isUuid(uuidv7(0))).equal(true)
    expect(isUuid('not-a-uuid')).equal(false)
  })
})

const exchangeWith = (place?: Place) => notedExchange(place).exchange

const HEX = /^[0-9a-f]{12}$/
const idOf = (surface: Surface, fromClient?: string) =>
  exchangeWith({ surface, ...(fromClient === undefined ? null : { headers: { 'x-request-id': fromClient } }) })
    .requestId

// docs/api/README.md#request-ids, docs/DESIGN.md#request-ids
describe('request id', () => {
  it('is req_ and 12 hex digits on the gateway and the management API, the last 12 of its UUID', () => {
    for (const surface of ['gateway', 'api'] as const) {
      const { id, requestId } = exchangeWith({ surface })
      expect(requestId).match(/^req_[0-9a-f]{12}$/)
      expect(id).match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(id.slice(-12)).equal(requestId.slice(4))
    }
  })

  it('has no prefix on a dedicated host, whatever the client sends', () => {
    expect(idOf('dedicated')).match(HEX)
    expect(idOf('dedicated', 'mine')).match(HEX)
  })

  it("is the client's id after the prefix client_", () => {
    for (const own of ['a', 'A-b_c.9', 'x'.repeat(128)]) expect(idOf('gateway', own)).equal(`client_${own}`)
    expect(idOf('api', 'mine')).equal('client_mine')
  })

  it('is made by the gateway if the client sends anything else', () => {
    for (const own of ['', 'x'.repeat(129), 'a b', 'a\tb', 'é', 'a/b', 'a,b', 'a\n', 'req:1', '<script>'])
      expect(idOf('gateway', own), own).match(/^req_[0-9a-f]{12}$/)
  })

  it('leaves the UUID as it is', () => {
    const one = exchangeWith({ headers: { 'x-request-id': 'mine' } })
    const two = exchangeWith({ headers: { 'x-request-id': 'mine' } })
    expect(one.id).not.equal(two.id)
  })
})
