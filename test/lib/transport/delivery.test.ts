import { expect } from 'chai'
import { longWork } from '../../../lib/base/long-work.ts'
import { Delivery } from '../../../lib/transport/delivery.ts'

const KB = 1024

/** A delivery, what its reader was handed in KB, and what its source was told. */
function scene() {
  const handed: number[] = []
  const told: string[] = []
  const source = { stopReading: () => void told.push('stop'), readOn: () => void told.push('on') }
  const reader = { onChunk: () => {} }
  const delivery: Delivery = new Delivery(source, chunk => {
    handed.push(chunk.length / KB)
    reader.onChunk()
  })
  return { delivery, handed, told, reader, take: (kb: number) => delivery.take(Buffer.alloc(kb * KB)) }
}

/** Resolves when all turns that were asked for before are over. */
const turn = () => longWork.turn()

describe('transport/delivery', () => {
  it('hands over what comes at once', () => {
    const { handed, told, take, delivery } = scene()
    take(1)
    take(2)
    let ended = false
    delivery.end(() => {
      ended = true
    })
    expect([handed, told, ended]).deep.equal([[1, 2], [], true])
  })

  it('lets others have a turn after 64 KB', async () => {
    const { handed, told, take } = scene()
    take(63)
    take(1)
    take(2)
    expect(handed).deep.equal([63, 1])
    await turn()
    expect([handed, told]).deep.equal([[63, 1, 2], []])
  })

  it('holds what comes while the reader is paused, and stops the source at 64 KB', async () => {
    const { handed, told, take, delivery } = scene()
    delivery.pause()
    take(40)
    expect(told).deep.equal([])
    take(40)
    take(40)
    await turn()
    expect([handed, told]).deep.equal([[], ['stop']])
    delivery.resume()
    expect(handed, 'inside resume()').deep.equal([])
    await turn()
    expect([handed, told], 'one turn').deep.equal([[40, 40], ['stop']])
    await turn()
    expect([handed, told]).deep.equal([
      [40, 40, 40],
      ['stop', 'on'],
    ])
  })

  it('hands over one piece at a time to a reader that pauses at each', async () => {
    const { handed, told, take, reader, delivery } = scene()
    reader.onChunk = () => delivery.pause()
    for (const kb of [1, 2, 70]) take(kb)
    expect(handed).deep.equal([1])
    for (const expected of [
      [1, 2],
      [1, 2, 70],
    ]) {
      delivery.resume()
      await turn()
      expect(handed).deep.equal(expected)
    }
    expect(told, 'the reader is paused').deep.equal(['stop'])
    delivery.resume()
    await turn()
    expect(told).deep.equal(['stop', 'on'])
  })

  it('ends behind what it holds', async () => {
    const { handed, told, take, delivery } = scene()
    delivery.pause()
    take(1)
    delivery.end(() => void handed.push(0))
    expect(handed).deep.equal([])
    delivery.resume()
    await turn()
    expect([handed, told]).deep.equal([[1, 0], []])
  })

  it('does nothing once it is closed', async () => {
    const { handed, told, take, reader, delivery } = scene()
    delivery.pause()
    take(1)
    take(70)
    delivery.end(() => void handed.push(0))
    reader.onChunk = () => delivery.close()
    delivery.resume()
    await turn()
    take(3)
    await turn()
    expect([handed, told]).deep.equal([[1], ['stop']])
  })
})
