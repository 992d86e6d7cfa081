import zlib from 'node:zlib'
import { expect } from 'chai'
import { Decompression } from '../../../lib/transport/decompress.ts'
import { eventually } from '../../support/gateway.ts'

const TEXT = 'data: {"a":"é"}\n\n'.repeat(100)

/** Collects plain bytes. `over` resolves with their text, or rejects with the error. */
function receiver() {
  const parts: Buffer[] = []
  let settle: (error?: Error) => void
  let drained = 0
  const over = new Promise<string>((resolve, reject) => {
    settle = error => (error === undefined ? resolve(Buffer.concat(parts).toString()) : reject(error))
  })
  over.catch(() => {})
  return {
    parts,
    over,
    get size() {
      return parts.reduce((sum, { length }) => sum + length, 0)
    },
    get drained() {
      return drained
    },
    onPlainData: (chunk: Buffer) => void parts.push(chunk),
    onPlainDrain: () => void drained++,
    onPlainEnd: () => settle(),
    onPlainError: (error: Error) => settle(error),
  }
}

function textOf(encoding: string, bytes: Buffer): Promise<string> {
  const listener = receiver()
  const decompression = Decompression.of(encoding, listener)!
  // In small pieces, as a network brings them.
  for (let at = 0; at < bytes.length; at += 7) decompression.write(bytes.subarray(at, at + 7))
  decompression.end()
  return listener.over
}

describe('transport/decompress', () => {
  it('does not change plain bytes or those of an unknown encoding', () => {
    for (const encoding of ['identity', 'x-unknown', '__proto__', 'constructor'])
      expect(Decompression.of(encoding, receiver()), encoding).equal(null)
  })

  const compressed: Readonly<Record<string, Buffer>> = {
    gzip: zlib.gzipSync(TEXT),
    deflate: zlib.deflateSync(TEXT),
    br: zlib.brotliCompressSync(TEXT),
    zstd: zlib.zstdCompressSync(TEXT),
  }
  for (const [encoding, bytes] of Object.entries(compressed)) {
    it(`decompresses ${encoding}, in upper and lower case`, async () => {
      expect(await textOf(encoding, bytes)).equal(TEXT)
      expect(await textOf(encoding.toUpperCase(), bytes)).equal(TEXT)
    })

    it(`fails if ${encoding} is cut or invalid`, async () => {
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
    it(`delivers an event of a ${encoding} stream before the next one arrives`, async () => {
      const listener = receiver()
      const decompression = Decompression.of(encoding, listener)!
      packer.on('data', (part: Buffer) => decompression.write(part))
      packer.write('data: 1\n\n')
      packer.flush()
      await eventually(() => listener.size > 0, 'the event')
      expect(listener.parts.join('')).equal('data: 1\n\n')
      packer.end()
    })
  }

  it('decompresses no further than its listener reads, and then refuses bytes until it has', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(80_000_000))
    const listener = receiver()
    const decompression = Decompression.of('gzip', listener)!
    const take = listener.onPlainData
    // At once: how much arrives before a timer fires depends on the machine.
    listener.onPlainData = chunk => {
      take(chunk)
      if (listener.parts.length === 1) decompression.pause()
    }
    decompression.pause()
    expect(decompression.write(bomb)).equal(false)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(listener.size).equal(0)
    decompression.resume()
    await eventually(() => listener.size > 0, 'bytes')
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(listener.parts).lengthOf(1)
    decompression.resume()
    await eventually(() => listener.drained > 0, 'the drain')
    expect(listener.size).equal(80_000_000)
  })

  it('emits nothing once it is closed', async () => {
    const listener = receiver()
    const decompression = Decompression.of('gzip', listener)!
    decompression.write(zlib.gzipSync(TEXT))
    decompression.close()
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(listener.parts).deep.equal([])
  })
})
