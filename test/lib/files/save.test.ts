import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { saveImage } from '../../../lib/files/save.ts'
import { refusalOf } from '../../support/canonical.ts'

const IMAGES = {
  'image/png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  'image/jpeg': Buffer.from('ffd8ffe000104a46494600010101', 'hex'),
  'image/gif': Buffer.from('474946383961010001008000', 'hex'),
  'image/webp': Buffer.from('52494646240000005745425056503820', 'hex'),
}

describe('files/save', () => {
  let dir: string
  let path: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    path = join(dir, 'content')
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  const save = (pieces: Iterable<Buffer>, limit = 1000) => saveImage(Readable.from(pieces), path, limit)

  for (const [type, bytes] of Object.entries(IMAGES)) {
    it(`writes ${type} as it comes, byte by byte or at once`, async () => {
      expect(await save([bytes])).deep.equal({ bytes: bytes.length, type })
      expect(readFileSync(path)).deep.equal(bytes)
      expect(statSync(path).mode & 0o777).equal(0o600)
      rmSync(path)
      expect(await save([...bytes].map(byte => Buffer.of(byte)))).deep.equal({ bytes: bytes.length, type })
      expect(readFileSync(path)).deep.equal(bytes)
    })
  }

  it('takes exactly the limit and no more', async () => {
    const bytes = Buffer.concat([IMAGES['image/png'], Buffer.alloc(84)])
    expect((await save([bytes], 100)).bytes).equal(100)
    rmSync(path)
    const refused = await refusalOf(save([bytes, Buffer.of(0)], 100))
    expect(refused).deep.equal({ code: 'request_body_too_large', status: 413, param: 'file' })
  })

  it('refuses what is no image as soon as that is clear', async () => {
    function* endless(): Generator<Buffer> {
      for (;;) yield Buffer.from('%PDF-1.7 and so on')
    }
    const notImage = { code: 'schema_validation_failed', status: 422, param: 'file' }
    expect(await refusalOf(save(endless(), Number.MAX_SAFE_INTEGER))).deep.equal(notImage)
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('GIF8'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ]) {
      rmSync(path)
      expect(await refusalOf(save([bytes])), String(bytes)).deep.equal(notImage)
    }
  })

  it('never overwrites a file', async () => {
    await save([IMAGES['image/png']])
    const thrown = await save([IMAGES['image/gif']]).catch((error: unknown) => error)
    expect(thrown).include({ code: 'EEXIST' })
    expect(readFileSync(path)).deep.equal(IMAGES['image/png'])
    expect(existsSync(path)).equal(true)
  })
})
