import { expect } from 'chai'
import { Intake, LARGE_BYTES } from '../../../lib/body/intake.ts'
import { attached } from '../../support/bodies.ts'
import { refusalOf } from '../../support/refusal.ts'

const bodyOf = (length: number) => JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(length) }] })

const taken = (text: string, detaches = true) => {
  const intake = new Intake(detaches)
  for (let i = 0; i < text.length; i += 10_000) intake.add(Buffer.from(text.slice(i, i + 10_000)))
  return intake.end()
}

describe('body/intake', () => {
  it('leaves a small body as it is', () => {
    const text = bodyOf(LARGE_BYTES / 2)
    const { value, large, size } = taken(text)
    expect(value).deep.equal(JSON.parse(text))
    expect(large).equal(null)
    expect(size).equal(text.length)
  })

  it('detaches the texts of a large one', () => {
    const text = bodyOf(2 * LARGE_BYTES)
    const { value, large, size } = taken(text)
    const left = JSON.stringify(value)
    expect(left.length).below(1000)
    expect(attached(left, large!.texts)).equal(text)
    expect(size).equal(text.length)
  })

  it('detaches none where it must not', () => {
    const text = bodyOf(2 * LARGE_BYTES)
    expect(taken(text, false).value).deep.equal(JSON.parse(text))
  })

  it('refuses what is no JSON, small or large', () => {
    for (const text of ['', '{', bodyOf(2 * LARGE_BYTES).slice(0, -1)])
      expect(refusalOf(() => taken(text))).include({ code: 'invalid_json_request' })
  })
})
