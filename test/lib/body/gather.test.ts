import { expect } from 'chai'
import { Gathering } from '../../../lib/body/gather.ts'

const piece = (length: number, seed: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 7 + seed) & 0xff))

describe('body/gather', () => {
  it('gives back what came, in its order, whatever the size', () => {
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
      const body = new Gathering()
      for (const one of pieces) body.add(one)
      expect(body.size).equal(whole.length)
      expect(body.bytes().equals(whole), `${count} times ${length}`).equal(true)
    }
  })
})
