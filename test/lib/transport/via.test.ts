import { expect } from 'chai'
import { isLoop, viaOf } from '../../../lib/transport/via.ts'

describe('transport/via', () => {
  it('appends one entry to those of gateways, and names no proxy of the client', () => {
    expect(viaOf(undefined)).equal('1.1 sluiceway')
    expect(viaOf('1.1 nginx')).equal('1.1 sluiceway')
    expect(viaOf('1.1 sluiceway, 1.1 nginx')).equal('1.1 sluiceway, 1.1 sluiceway')
  })

  it('finds a loop by the third entry, and counts no entries of others', () => {
    expect(isLoop(undefined)).equal(false)
    expect(isLoop('1.1 sluiceway, 1.1 nginx,1.1 sluiceway, 2 sluiceway-2')).equal(false)
    expect(isLoop('1.1 sluiceway, 1.1 nginx,1.1 sluiceway , 1.1 sluiceway')).equal(true)
  })
})
