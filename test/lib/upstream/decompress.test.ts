import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import zlib from 'node:zlib'
import { expect } from 'chai'
import { decoded } from '../../../lib/upstream/decompress.ts'
import { eventually } from '../../support/gateway.ts'

const TEXT = 'data: {"a":"é"}\n\n'.repeat(100)

function message(encoding: string | undefined): IncomingMessage & PassThrough {
  const headers = encoding === undefined ? {} : { 'content-encoding': encoding }
  return Object.assign(new PassThrough(), { headers }) as unknown as IncomingMessage & PassThrough
}

async function textOf(encoding: string | undefined, bytes: Buffer): Promise<string> {
  const source = message(encoding)
  const parts: Buffer[] = []
  const plain = decoded(source).on('data', (part: Buffer) => parts.push(part))
  const over = new Promise((resolve, reject) => plain.on('end', resolve).on('error', reject))
  // In small pieces, as a network brings them.
  for (let at = 0; at < bytes.length; at += 7) source.write(bytes.subarray(at, at + 7))
  source.end()
  await over
  return Buffer.concat(parts).toString()
}

describe('pipe/decoded', () => {
  it('leaves plain bytes alone', async () => {
    const source = message(undefined)
    expect(decoded(source)).equal(source)
    for (const encoding of ['identity', 'x-unknown', '__proto__', 'constructor'])
      expect(await textOf(encoding, Buffer.from(TEXT)), encoding).equal(TEXT)
  })

  const compressed: Readonly<Record<string, Buffer>> = {
    gzip: zlib.gzipSync(TEXT),
    deflate: zlib.deflateSync(TEXT),
    br: zlib.brotliCompressSync(TEXT),
    zstd: zlib.zstdCompressSync(TEXT),
  }
  for (const [encoding, bytes] of Object.entries(compressed)) {
    it(`unpacks ${encoding}, by any spelling`, async () => {
      expect(await textOf(encoding, bytes)).equal(TEXT)
      expect(await textOf(encoding.toUpperCase(), bytes)).equal(TEXT)
    })

    it(`fails where ${encoding} is cut or broken`, async () => {
      const broken = Buffer.from(bytes.map((byte, i) => (i === 4 ? byte ^ 0xff : byte)))
      for (const bad of [Buffer.from('no such thing'), broken.subarray(0, 20)]) {
        const result = await textOf(encoding, bad).catch((error: unknown) => error)
        expect(result, encoding).instanceOf(Error)
      }
    })
  }

  for (const [encoding, packer] of [
    ['gzip', zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH })],
    ['br', zlib.createBrotliCompress()],
    ['zstd', zlib.createZstdCompress()],
  ] as const) {
    it(`hands an event of a ${encoding} stream on before the next one comes`, async () => {
      const source = message(encoding)
      packer.pipe(source)
      let text = ''
      decoded(source).on('data', (part: Buffer) => (text += String(part)))
      packer.write('data: 1\n\n')
      packer.flush()
      await eventually(() => text !== '', 'the event')
      expect(text).equal('data: 1\n\n')
      packer.end()
    })
  }
})
