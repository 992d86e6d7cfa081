import { expect } from 'chai'
import { Gathering } from '../../../lib/body/gather.ts'

const piece = (length: number, seed: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 7 + seed) & 0xff))

describe('body/gather', () => {
  it('gives back what came, in its order, whatever the size and however much of it was announced', () => {
    for (const [count, length] of [
      [0, 0],
      [1, 10],
      [3, 10],
      [1, 2_000_000],
      [9, 300_000],
      [40, 100_003],
    ] as const) {
      const pieces = Array.from({ length: count }, (_, i) => piece(length, i))
      const whole = Buffer.concat(pieces)
      for (const announced of [0, whole.length, 1, 100_000_000]) {
        const body = new Gathering(announced)
        for (const one of pieces) body.add(one)
        expect(body.size).equal(whole.length)
        expect(body.bytes().equals(whole), `${count} times ${length}, ${announced} announced`).equal(true)
      }
    }
  })

  it('ends up in memory of its own when a large body is as long as announced', () => {
    const body = new Gathering(4_000_000)
    for (let i = 0; i < 40; i++) body.add(piece(100_000, i))
    expect(body.bytes().buffer.byteLength).equal(4_000_000)
  })

  it('takes no memory for what was only announced', () => {
    const body = new Gathering(50_000_000)
    body.add(piece(1_200_000, 1))
    expect(body.bytes().buffer.byteLength).below(3_000_000)
  })
})
