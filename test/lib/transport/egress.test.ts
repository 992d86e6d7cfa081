import { expect } from 'chai'
import { serverKey } from '../../../lib/transport/egress.ts'

describe('transport/egress', () => {
  it('separates servers that are reached in different ways', () => {
    const url = 'https://gpu.test/v1'
    const keys = [{}, { tls: { ca: 'a' } }, { tls: { ca: 'b' } }, { proxy: 'http://p:1' }].map(way =>
      serverKey({ url, ...way }),
    )
    expect(new Set(keys).size).equal(4)
    expect(serverKey({ url, tls: { ca: 'a' } })).equal(keys[1])
    expect(keys[0]).equal('https://gpu.test')
  })
})
