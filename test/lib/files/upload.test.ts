import { statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import type { Save } from '../../../lib/files/files.ts'
import { FileStore } from '../../../lib/files/store.ts'
import { refusalOf } from '../../support/canonical.ts'
import { ALICE, PNG, useFiles } from '../../support/files.ts'

const IMAGES = {
  'image/png': PNG,
  'image/jpeg': Buffer.from('ffd8ffe000104a46494600010101', 'hex'),
  'image/gif': Buffer.from('474946383961010001008000', 'hex'),
  'image/webp': Buffer.from('52494646240000005745425056503820', 'hex'),
}

const NOT_IMAGE = { code: 'schema_validation_failed', status: 422, param: 'file' }
const TOO_LARGE = { code: 'request_body_too_large', status: 413, param: 'file' }

describe('files/upload', () => {
  const files = useFiles()
  const receiving = (pieces: Iterable<Buffer>, purpose: string, known?: string) => async (save: Save) => {
    await save(Readable.from(pieces), known)
    return { filename: 'a', purpose, seconds: undefined }
  }

  describe('without batches', () => {
    const store = (max_bytes = 1000) => new FileStore(files.configOf({ max_bytes }), files.clock())
    const save = (pieces: Iterable<Buffer>, max_bytes = 1000) =>
      store(max_bytes).create(ALICE, 1, receiving(pieces, 'vision'))

    for (const [type, bytes] of Object.entries(IMAGES)) {
      it(`stores ${type}, byte by byte or at once`, async () => {
        for (const pieces of [[bytes], [...bytes].map(byte => Buffer.of(byte))]) {
          const file = await save(pieces)
          expect(file).include({ bytes: bytes.length, type })
          expect(await store().content(ALICE, file)).deep.equal(bytes)
          expect(statSync(files.path(ALICE, file.id, 'content')).mode & 0o777).equal(0o600)
        }
      })
    }

    it('accepts exactly the maximum size', async () => {
      const bytes = Buffer.concat([PNG, Buffer.alloc(84)])
      expect((await save([bytes], 100)).bytes).equal(100)
      expect(await refusalOf(save([bytes, Buffer.of(0)], 100))).deep.equal(TOO_LARGE)
    })

    it('refuses a file that is no image after its first bytes', async () => {
      function* endless(): Generator<Buffer> {
        for (;;) yield Buffer.from('%PDF-1.7 and so on')
      }
      expect(await refusalOf(save(endless(), Number.MAX_SAFE_INTEGER))).deep.equal(NOT_IMAGE)
      for (const bytes of [
        Buffer.alloc(0),
        Buffer.from('GIF8'),
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      ]) {
        expect(await refusalOf(save([bytes])), String(bytes)).deep.equal(NOT_IMAGE)
      }
    })

    it('saves the bytes of a file only once', async () => {
      const twice = store().create(ALICE, 1, async save => {
        await save(Readable.from([IMAGES['image/png']]))
        await save(Readable.from([IMAGES['image/gif']]))
        return { filename: 'a', purpose: 'vision', seconds: undefined }
      })
      expect(await twice.catch((error: unknown) => error)).include({ code: 'EEXIST' })
      expect(await store().list(ALICE)).deep.equal([])
    })
  })

  describe('with batches', () => {
    const LINES = Buffer.from('{"custom_id":"a"}\n'.repeat(1000))
    const upload = (pieces: Iterable<Buffer>, purpose: string, known?: string) =>
      files.open().create(ALICE, 1, receiving(pieces, purpose, known))

    it('takes JSON lines up to their own limit, also while the purpose is not known', async () => {
      for (const known of ['batch', undefined]) {
        const file = await upload([LINES], 'batch', known)
        expect(file).include({ bytes: LINES.length, type: 'application/jsonl', purpose: 'batch' })
        expect(await upload([Buffer.alloc(1_000_000)], 'batch', known)).include({ bytes: 1_000_000 })
        const larger = upload([Buffer.alloc(1_000_000), Buffer.of(0)], 'batch', known)
        expect(await refusalOf(larger)).deep.equal(TOO_LARGE)
      }
      expect(await upload([], 'batch')).include({ bytes: 0, type: 'application/jsonl' })
    })

    it('checks an image against its own limit and its type once the purpose is known', async () => {
      expect(await upload([PNG], 'vision')).include({ type: 'image/png' })
      const large = Buffer.concat([PNG, Buffer.alloc(1000)])
      for (const known of ['vision', undefined]) {
        expect(await refusalOf(upload([large], 'vision', known))).deep.equal(TOO_LARGE)
        expect(await refusalOf(upload([LINES.subarray(0, 900)], 'vision', known))).deep.equal(NOT_IMAGE)
      }
      expect(files.kept()).length(2)
    })

    it('takes images above the limit of batches', async () => {
      const store = new FileStore(files.configOf({ max_bytes: 5000 }), files.clock(), () => 1024)
      const large = Buffer.concat([PNG, Buffer.alloc(4000)])
      expect(await store.create(ALICE, 1, receiving([large], 'vision'))).include({ bytes: large.length })
      const lines = store.create(ALICE, 1, receiving([LINES.subarray(0, 1025)], 'batch'))
      expect(await refusalOf(lines)).deep.equal(TOO_LARGE)
    })
  })
})
