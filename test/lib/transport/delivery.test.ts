import { expect } from 'chai'
import { longWork } from '../../../lib/base/long-work.ts'
import { Delivery } from '../../../lib/transport/delivery.ts'

const KB = 1024

/** A delivery, what its handler received (pieces in KB, then the end), and what its source was told. */
function scene() {
  const received: (number | string)[] = []
  const told: string[] = []
  const reader = { onChunk: () => {} }
  const delivery: Delivery = new Delivery({
    onHead: () => {},
    onData: chunk => {
      received.push(chunk.length / KB)
      reader.onChunk()
    },
    onEnd: () => void received.push('end'),
    onError: ({ kind, message }) => void received.push(`${kind}: ${message}`),
  })
  const source = {
    pause: () => void told.push('pause'),
    resume: () => void told.push('resume'),
    abort: ({ message }: Error) => void told.push(`abort: ${message}`),
  }
  delivery.begin(source, 200, {})
  return { delivery, received, told, reader, write: (kb: number) => delivery.write(Buffer.alloc(kb * KB)) }
}

/** Resolves when all turns that were asked for before are over. */
const turn = () => longWork.turn()

describe('transport/delivery', () => {
  it('passes pieces on at once', () => {
    const { received, told, write, delivery } = scene()
    write(1)
    write(2)
    delivery.end()
    expect([received, told]).deep.equal([[1, 2, 'end'], []])
  })

  it('lets other work have a turn after 64 KB', async () => {
    const { received, told, write } = scene()
    write(63)
    write(1)
    write(2)
    expect(received).deep.equal([63, 1])
    await turn()
    expect([received, told]).deep.equal([[63, 1, 2], []])
  })

  it('queues pieces while it is paused, and pauses the source at 64 KB', async () => {
    const { received, told, write, delivery } = scene()
    delivery.pause()
    write(40)
    expect(told).deep.equal([])
    write(40)
    write(40)
    await turn()
    expect([received, told]).deep.equal([[], ['pause']])
    delivery.resume()
    expect(received, 'inside resume()').deep.equal([])
    await turn()
    expect([received, told], 'one turn').deep.equal([[40, 40], ['pause']])
    await turn()
    expect([received, told]).deep.equal([
      [40, 40, 40],
      ['pause', 'resume'],
    ])
  })

  it('passes one piece at a time to a handler that pauses at each', async () => {
    const { received, told, write, reader, delivery } = scene()
    reader.onChunk = () => delivery.pause()
    for (const kb of [1, 2, 70]) write(kb)
    expect(received).deep.equal([1])
    for (const expected of [
      [1, 2],
      [1, 2, 70],
    ]) {
      delivery.resume()
      await turn()
      expect(received).deep.equal(expected)
    }
    expect(told, 'still paused').deep.equal(['pause'])
    delivery.resume()
    await turn()
    expect(told).deep.equal(['pause', 'resume'])
  })

  it('reports the end, or a failure, after its queue', async () => {
    for (const last of ['end', 'reset: no more']) {
      const { received, told, write, delivery } = scene()
      delivery.pause()
      write(70)
      if (last === 'end') delivery.end()
      else delivery.fail('reset', new Error('no more'))
      expect(received).deep.equal([])
      delivery.resume()
      await turn()
      await turn()
      expect([received, told], 'a source that is not used again').deep.equal([[70, last], ['pause']])
      expect(delivery.isClosed).equal(true)
    }
  })

  it('aborts the source and reports it broken when its handler throws', () => {
    const { received, told, write, reader, delivery } = scene()
    reader.onChunk = () => {
      throw new Error('own')
    }
    write(1)
    write(2)
    expect([received, told]).deep.equal([[1, 'broken: own'], ['abort: own']])
    expect(delivery.isClosed).equal(true)
  })

  it('does nothing once it is closed', async () => {
    const { received, told, write, reader, delivery } = scene()
    delivery.pause()
    write(1)
    write(70)
    delivery.end()
    reader.onChunk = () => delivery.close()
    delivery.resume()
    await turn()
    write(3)
    await turn()
    expect([received, told]).deep.equal([[1], ['pause']])
  })
})
