import { expect } from 'chai'
import { Intake, LARGE_BYTES } from '../../../lib/body/intake.ts'
import { attached } from '../../support/bodies.ts'
import { refusalOf } from '../../support/refusal.ts'

const bodyOf = (length: number) => JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(length) }] })

/** Adds a text in pieces of this many bytes, in one memory as those of a connection may be. */
function add(intake: Intake, text: string, pieceBytes = 10_000): void {
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += pieceBytes) {
    for (const part of intake.split(Buffer.from(bytes.subarray(i, i + pieceBytes)))) intake.add(part)
  }
}

function ended(intake: Intake) {
  for (const part of intake.rest()) intake.add(part)
  return intake.end()
}

const taken = (text: string, detaches = true, pieceBytes = 10_000) => {
  const intake = new Intake(detaches)
  add(intake, text, pieceBytes)
  return ended(intake)
}

/** Its values weigh twenty times its bytes. */
const denseOf = (objects: number, last = '"é"') =>
  `{"model":"m","tools":[${Array<string>(objects).fill('{}').join(',')},${last}]}`

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

  it('asks for a large one in parts that are short, beginning with what it has not parsed yet', () => {
    const intake = new Intake(true)
    const text = bodyOf(2 * LARGE_BYTES)
    const piece = (from: number, to: number) => Buffer.from(text.slice(from, to))
    intake.add(intake.split(piece(0, LARGE_BYTES))[0]!)
    expect(intake.isLarge).equal(false)
    const parts = [
      ...intake.split(piece(LARGE_BYTES, LARGE_BYTES + 70_000)),
      ...intake.split(piece(LARGE_BYTES + 70_000, text.length)),
    ]
    expect(intake.isLarge).equal(true)
    expect(Math.max(...parts.map(({ length }) => length))).equal(32 * 1024)
    expect(Buffer.concat(parts).toString()).equal(text)
  })

  it('detaches none where it must not', () => {
    const text = bodyOf(2 * LARGE_BYTES)
    expect(taken(text, false).value).deep.equal(JSON.parse(text))
  })

  it('refuses what is no JSON, small or large', () => {
    for (const text of ['', '{', bodyOf(2 * LARGE_BYTES).slice(0, -1)])
      expect(refusalOf(() => taken(text))).include({ code: 'invalid_json_request' })
  })

  it('keeps what comes of a body whose values weigh far more than its bytes, and parses it when it is whole', () => {
    const text = denseOf(200_000)
    const intake = new Intake(true)
    add(intake, text.slice(0, 200_000))
    expect(intake.isDense).equal(true)
    const { size, weight } = intake
    // One part weighs 0.7 MB.
    expect(weight).below(1_300_000)
    add(intake, text.slice(200_000))
    expect(intake).include({ size, weight, isWhole: false })
    const read = ended(intake)
    expect(intake).include({ isDense: false, isWhole: true })
    expect(read.value).deep.equal(JSON.parse(text))
    expect(read.size).equal(Buffer.byteLength(text))
    expect(read.weight).above(10_000_000)
  })

  it('gives the same value of a dense one, however small or large its pieces are', () => {
    const text = denseOf(60_000)
    for (const pieceBytes of [7, 4095, 4096, 65_536, text.length]) {
      const { value, size } = taken(text, true, pieceBytes)
      expect(value, `${pieceBytes}`).deep.equal(JSON.parse(text))
      expect(size).equal(Buffer.byteLength(text))
    }
  })

  it('keeps small pieces in memory of its own', () => {
    const intake = new Intake(true)
    const text = denseOf(60_000)
    add(intake, text.slice(0, text.lastIndexOf(',')))
    const piece = Buffer.from(',1')
    for (const part of intake.split(piece)) intake.add(part)
    piece.fill('!')
    add(intake, ']}')
    expect(intake.isDense).equal(true)
    expect(ended(intake).value).deep.equal(JSON.parse(denseOf(60_000, '1')))
  })

  it('parses a conversation while it arrives: its texts are kept as bytes anyway', () => {
    const message = JSON.stringify({ role: 'user', content: 'x'.repeat(2000) })
    const intake = new Intake(true)
    add(intake, `{"messages":[${Array<string>(2000).fill(message).join()}`)
    expect(intake.isDense).equal(false)
  })

  it('refuses a dense one that is no JSON when it is whole', () => {
    for (const last of ['', '}', '1]}'])
      expect(refusalOf(() => taken(denseOf(100_000, last)))).include({ code: 'invalid_json_request' })
  })

  it('forgets everything', () => {
    const intake = new Intake(true)
    add(intake, denseOf(60_000))
    intake.discard()
    expect(intake).include({ weight: 0, isDense: false, isLarge: false })
    expect([...intake.rest()]).deep.equal([])
  })
})
