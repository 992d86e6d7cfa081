import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { contentPieces, openContent, writeContent } from '../../../lib/files/content.ts'
import { SEAL_BYTES, Sealing } from '../../../lib/files/sealing.ts'
import { gather, pieces, useFiles } from '../../support/files.ts'

const CHUNK = 64 * 1024
const SEALED_CHUNK = CHUNK + SEAL_BYTES

describe('files/content', () => {
  const files = useFiles()
  const sealing = new Sealing(Buffer.alloc(32, 7))
  /** Every four bytes differ. */
  const bytesOf = (length: number) => {
    const bytes = Buffer.alloc(length + 4)
    for (let at = 0; at < length; at += 4) bytes.writeUInt32BE(at + 1, at)
    return bytes.subarray(0, length)
  }
  const layout = (isSealed: boolean, place = 'a/b', name = 'content') => {
    files.open()
    return { path: files.path(name), place, sealing: isSealed ? sealing : null }
  }
  const all = async (of: ReturnType<typeof layout>, size: number) =>
    Buffer.concat(await gather(contentPieces(() => openContent(of, size, of.sealing !== null), size)))

  for (const isSealed of [false, true]) {
    describe(isSealed ? 'sealed' : 'plain', () => {
      for (const size of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7]) {
        it(`writes and reads ${size} bytes, all or any range`, async () => {
          const bytes = bytesOf(size)
          const of = layout(isSealed)
          const [a, b] = [bytes.subarray(0, size / 3), bytes.subarray(size / 3)]
          expect(await writeContent(pieces(a, b), of)).equal(size)
          expect((await all(of, size)).equals(bytes)).equal(true)
          const reader = await openContent(of, size, isSealed)
          for (const offset of [0, 1, CHUNK - 2, CHUNK, 2 * CHUNK - 1, size - 1, size].filter(at => at >= 0)) {
            for (const length of [0, 1, 5, CHUNK, CHUNK + 3, 10 * CHUNK]) {
              const range = await reader.read(offset, length)
              expect(range.equals(bytes.subarray(offset, offset + length)), `${offset} ${length}`).equal(true)
            }
          }
          const ranges = await Promise.all([2, 1, 0].map(index => reader.read(index * CHUNK, 4)))
          expect(Buffer.concat(ranges)).deep.equal(
            Buffer.concat([2, 1, 0].map(index => bytes.subarray(index * CHUNK, index * CHUNK + 4))),
          )
          await reader.close()
        })
      }

      it('reads nothing of a file that was cut or extended', async () => {
        const of = layout(isSealed)
        await writeContent(pieces(bytesOf(3 * CHUNK)), of)
        const written = readFileSync(of.path)
        for (const size of [0, 1, CHUNK, SEALED_CHUNK, written.length - 1, written.length + 1]) {
          truncateSync(of.path, size)
          const thrown = await openContent(of, 3 * CHUNK, isSealed).catch((error: Error) => error.message)
          expect(thrown, String(size)).contain('lost some of its bytes')
          writeFileSync(of.path, written)
        }
      })
    })
  }

  it('seals everything, and reads nothing that was changed', async () => {
    const of = layout(true)
    const size = 2 * CHUNK + 100
    await writeContent(pieces('secret', bytesOf(size - 6)), of)
    const written = readFileSync(of.path)
    expect(written.includes('secret')).equal(false)
    const thrown = (bytes: Buffer, announced = size) => {
      writeFileSync(of.path, bytes)
      return all(of, announced).then(String, (error: Error) => error.message)
    }
    for (const at of [0, 20, CHUNK, SEALED_CHUNK + 5, written.length - 1]) {
      const changed = Buffer.from(written)
      changed[at]! ^= 1
      expect(await thrown(changed), `byte ${at}`).contain('was changed')
    }
    const [first, second, last] = [0, 1, 2].map(index =>
      written.subarray(index * SEALED_CHUNK, (index + 1) * SEALED_CHUNK),
    ) as [Buffer, Buffer, Buffer]
    expect(await thrown(Buffer.concat([second, first, last])), 'swapped').contain('was changed')
    expect(await thrown(Buffer.concat([first, first, last])), 'repeated').contain('was changed')
    // The metadata is changed, too.
    expect(await thrown(Buffer.concat([first, second]), 2 * CHUNK), 'without its end').contain('was changed')
    expect(await thrown(Buffer.concat([first, last]), CHUNK + 100), 'without its middle').contain('was changed')
    expect(await thrown(Buffer.from(written))).contain('secret')
  })

  it('reads no chunks of another file', async () => {
    const [one, other] = [layout(true), layout(true, 'a/c', 'other')]
    for (const layouts of [one, other]) await writeContent(pieces('lines'), layouts)
    writeFileSync(other.path, readFileSync(one.path))
    expect(await openContent(other, 5, true).catch((error: Error) => error.message)).contain('was changed')
  })
})
