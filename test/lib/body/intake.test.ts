import { expect } from 'chai'
import { newMark } from '../../../lib/body/detach.ts'
import { Intake, SCAN_ABOVE_BYTES } from '../../../lib/body/intake.ts'
import { wholeText } from '../../../lib/body/raw.ts'
import { attached } from '../../support/bodies.ts'

const mark = newMark()
const bodyOf = (length: number) => JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(length) }] })

const taken = (text: string, own: string | null, announced = 0) => {
  const intake = new Intake(announced, own)
  for (let i = 0; i < text.length; i += 10_000) intake.add(Buffer.from(text.slice(i, i + 10_000)))
  return intake.end()
}

describe('body/intake', () => {
  it('leaves a small body as it is', () => {
    const text = bodyOf(SCAN_ABOVE_BYTES / 2)
    const { rest, detached, size } = taken(text, mark)
    expect(rest.toString()).equal(text)
    expect(detached.count).equal(0)
    expect(size).equal(text.length)
  })

  it('takes the texts out of a large one, whether its length was announced or not', () => {
    const text = bodyOf(2 * SCAN_ABOVE_BYTES)
    for (const announced of [0, text.length]) {
      const raw = taken(text, mark, announced)
      const left = wholeText(raw).toString()
      expect(left.length).below(1000)
      expect(attached(left, mark, raw.detached)).equal(text)
      expect(raw.size).equal(text.length)
    }
  })

  it('takes none out where it must not', () => {
    const text = bodyOf(2 * SCAN_ABOVE_BYTES)
    expect(taken(text, null).rest.toString()).equal(text)
  })
})
