import { expect } from 'chai'
import { LongTexts } from '../../../lib/body/long-texts.ts'
import { type OutgoingBody, outgoingJson } from '../../../lib/body/outgoing.ts'
import { bytesOf } from '../../support/bodies.ts'
import { collectGarbage } from '../../support/garbage.ts'

/** A body with these long texts, and what it is as JSON. */
function bodyWith(texts: readonly string[]) {
  const long = new LongTexts()
  const members = texts.map(text => `"é":"${long.add(Buffer.from(text))}"`)
  const expected = texts.map(text => `"é":"${text}"`)
  return { body: outgoingJson(`{${members.join()}}`, long), expected: `{${expected.join()}}` }
}

const textOf = async (body: OutgoingBody) => (await bytesOf(body.open())).toString()

describe('body/outgoing', () => {
  it('is one buffer where it is small', () => {
    const bytes = outgoingJson('{"a":"é"}').open()
    expect(bytes).deep.equal(Buffer.from('{"a":"é"}'))
  })

  it('is as long as its UTF-8', async () => {
    for (const [text, length] of [
      ['€'.repeat(4096), 3 * 4096],
      ['\u{1F600}'.repeat(600), 2400],
    ] as const) {
      expect(outgoingJson(text).length).equal(length)
      expect(await textOf(outgoingJson(text))).equal(text)
    }
  })

  it('is its long texts between the rest, byte for byte, in few pieces, as often as is needed', async () => {
    const texts = Array.from({ length: 500 }, (_, i) => `${i}é`.repeat(i === 250 ? 20_000 : 300))
    const { body, expected } = bodyWith(texts)
    expect(body.length).equal(Buffer.byteLength(expected))
    for (let i = 0; i < 2; i++) expect((await textOf(body)) === expected).equal(true)
    expect([...(body.open() as Iterable<Buffer>)].length).below(25)
  })

  it('is one buffer where it is small and has long texts', async () => {
    const { body, expected } = bodyWith(['x'.repeat(1000), 'y'.repeat(1000)])
    expect(Buffer.isBuffer(body.open())).equal(true)
    expect(await textOf(body)).equal(expected)
  })

  it('does not keep in its source what has been sent', async () => {
    const source = (() => {
      const pieces = outgoingJson(JSON.stringify('x'.repeat(100_000))).open() as Iterable<Buffer>
      return pieces[Symbol.iterator]()
    })()
    const memory = (() => new WeakRef((source.next().value as Buffer).buffer))()
    expect(source.next()).deep.equal({ done: true, value: undefined })
    await new Promise(setImmediate)
    collectGarbage()
    expect(memory.deref()).equal(undefined)
  })
})
