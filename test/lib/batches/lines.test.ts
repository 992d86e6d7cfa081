import { expect } from 'chai'
import { linesOf } from '../../../lib/batches/lines.ts'
import { gather, pieces } from '../../support/files.ts'

const read = async (text: string, size: number, limit = 100) => {
  const bytes = Buffer.from(text)
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
  const lines = await gather(linesOf(pieces(...parts), limit))
  return lines.map(line => {
    if (line.bytes !== null)
      expect(bytes.subarray(line.position, line.position + line.length).toString()).equal(line.bytes.toString())
    return [line.number, line.bytes?.toString() ?? null]
  })
}

describe('lines of a file', () => {
  for (const size of [1, 3, 7, 1000]) {
    it(`have numbers and places, in pieces of ${size}`, async () => {
      expect(await read('\ufeff{"a":1}\r\n\r\n \n{"b":"ä"}\n\n{"c":3}', size)).deep.equal([
        [1, '{"a":1}'],
        [4, '{"b":"ä"}'],
        [6, '{"c":3}'],
      ])
    })

    it(`are not kept if they are long, in pieces of ${size}`, async () => {
      expect(await read(`a\n${'b'.repeat(50)}\nc`, size, 20)).deep.equal([
        [1, 'a'],
        [2, null],
        [3, 'c'],
      ])
    })
  }

  it('are none in an empty file', async () => {
    expect(await read('', 1)).deep.equal([])
  })
})
