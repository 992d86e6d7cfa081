import { expect } from 'chai'
import { newMark } from '../../../lib/body/detach.ts'
import { Intake, SCAN_ABOVE_BYTES } from '../../../lib/body/intake.ts'
import { attached } from '../../support/bodies.ts'
import { refusalOf } from '../../support/refusal.ts'

const mark = newMark()
const bodyOf = (length: number) => JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(length) }] })

const taken = (text: string, takesOut = true) => {
  const intake = new Intake(mark, takesOut)
  for (let i = 0; i < text.length; i += 10_000) intake.add(Buffer.from(text.slice(i, i + 10_000)))
  return intake.end()
}

describe('body/intake', () => {
  it('leaves a small body as it is', () => {
    const text = bodyOf(SCAN_ABOVE_BYTES / 2)
    const { value, detached, size } = taken(text)
    expect(value).deep.equal(JSON.parse(text))
    expect(detached.count).equal(0)
    expect(size).equal(text.length)
  })

  it('takes the texts out of a large one', () => {
    const text = bodyOf(2 * SCAN_ABOVE_BYTES)
    const { value, detached, size } = taken(text)
    const left = JSON.stringify(value)
    expect(left.length).below(1000)
    expect(attached(left, mark, detached)).equal(text)
    expect(size).equal(text.length)
  })

  it('takes none out where it must not', () => {
    const text = bodyOf(2 * SCAN_ABOVE_BYTES)
    expect(taken(text, false).value).deep.equal(JSON.parse(text))
  })

  it('refuses what is no JSON, small or large', () => {
    for (const text of ['', '{', bodyOf(2 * SCAN_ABOVE_BYTES).slice(0, -1)])
      expect(refusalOf(() => taken(text))).include({ code: 'invalid_json_request' })
  })
})
