import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { pino } from 'pino'
import type { FilesConfig } from '../../../lib/config/config.ts'
import type { Save, UploadMetadata } from '../../../lib/files/files.ts'
import { ownerOf } from '../../../lib/files/owner.ts'
import { FileStore, keepFiles, removeFilesOf } from '../../../lib/files/store.ts'
import { refusalOf } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const ALICE = 'a'.repeat(32)
const BOB = 'b'.repeat(32)
const DAY = 24 * 3600 * 1000

describe('files/store', () => {
  let dir: string
  let clock: ManualClock
  let store: FileStore

  const configOf = (more: Partial<FilesConfig> = {}): FilesConfig => ({
    path: join(dir, 'files'),
    max_bytes: 1000,
    max_total_bytes_per_user: 10_000,
    max_files_per_user: 100,
    retention_days: 30,
    ...more,
  })

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    clock = new ManualClock()
    store = new FileStore(configOf(), clock)
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  const receiving =
    (more: Partial<UploadMetadata> = {}, bytes = PNG) =>
    async (save: Save): Promise<UploadMetadata> => {
      await save(Readable.from([bytes]))
      return { filename: 'a.png', purpose: 'vision', seconds: undefined, ...more }
    }
  const create = (owner = ALICE, more: Partial<UploadMetadata> = {}) => store.create(owner, 100, receiving(more))
  const sweep = (one = store) => one.sweep(new AbortController().signal)
  const kept = () =>
    readdirSync(join(dir, 'files'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).length

  it('removes all files of an account, by the account in their metadata or by their users', async () => {
    const [a, b] = [ownerOf('acme', 'a'), ownerOf('acme', 'b')]
    for (const account of ['acme', 'acme']) await create(a, { account })
    await create(b)
    const { id } = await create(BOB, { account: 'other' })
    await removeFilesOf(join(dir, 'files'), 'acme', ['b', 'c'])
    for (const owner of [a, b]) expect(await store.list(owner)).deep.equal([])
    expect((await store.list(BOB)).map(file => file.id)).deep.equal([id])
    expect(kept()).equal(2)
  })

  it('stores a file, and shows it only to its owner', async () => {
    const file = await create()
    expect(file).deep.equal({
      id: file.id,
      bytes: PNG.length,
      type: 'image/png',
      filename: 'a.png',
      purpose: 'vision',
      createdAt: clock.now(),
      expiresAt: clock.now() + 30 * DAY,
    })
    expect(await store.find(ALICE, file.id)).deep.equal(file)
    expect(await store.content(ALICE, file)).deep.equal(PNG)
    expect(await store.list(ALICE)).deep.equal([file])
    expect(await store.find(BOB, file.id)).equal(undefined)
    expect(await store.content(BOB, file)).equal(undefined)
    expect(await store.list(BOB)).deep.equal([])
    expect(await store.remove(BOB, file.id)).equal(false)
    expect(await store.find(ALICE, file.id)).deep.equal(file)
  })

  it('lists files in the order of time', async () => {
    const ids: string[] = []
    for (let i = 0; i < 20; i++) {
      ids.push((await create()).id)
      clock.advance(1)
    }
    expect((await store.list(ALICE)).map(({ id }) => id)).deep.equal(ids)
  })

  it('streams the bytes, and opens no file for a stream that is not read', async () => {
    const bytes = Buffer.concat([PNG, Buffer.alloc(200_000, 'x')])
    store = new FileStore(configOf({ max_bytes: 1_000_000, max_total_bytes_per_user: 1_000_000 }), clock)
    const file = await store.create(ALICE, 300_000, receiving({}, bytes))
    const pieces: Buffer[] = []
    for await (const piece of store.stream(ALICE, file)) pieces.push(piece as Buffer)
    expect(pieces.length).above(1)
    expect(Buffer.concat(pieces)).deep.equal(bytes)
    store.stream(ALICE, file)
    const gone = store.stream(BOB, file)
    const thrown = await gone.toArray().catch((error: unknown) => error)
    expect(thrown).include({ code: 'ENOENT' })
  })

  it('deletes from the disk', async () => {
    const { id } = await create()
    expect(kept()).equal(2)
    expect(await store.remove(ALICE, id)).equal(true)
    expect(kept()).equal(0)
    expect(await store.remove(ALICE, id)).equal(false)
  })

  it('finds nothing under a malformed id', async () => {
    mkdirSync(join(dir, 'files', ALICE), { recursive: true })
    writeFileSync(join(dir, 'files', 'about.json'), JSON.stringify({ expiresAt: Number.MAX_SAFE_INTEGER }))
    for (const id of [
      '',
      '.',
      '..',
      '../..',
      `../${ALICE}`,
      'file-',
      `file-${'0'.repeat(31)}/`,
      `file-${'0'.repeat(32)}`,
    ]) {
      expect(await store.find(ALICE, id), id).equal(undefined)
      expect(await store.remove(ALICE, id), id).equal(false)
    }
  })

  it('shares a directory with other processes', async () => {
    const other = new FileStore(configOf(), clock)
    const file = await create()
    expect(await other.list(ALICE)).deep.equal([file])
    const [first, second] = await Promise.all([store.remove(ALICE, file.id), other.remove(ALICE, file.id)])
    expect([first, second].filter(removed => removed)).length(1)
  })

  it('removes the bytes of an upload that fails', async () => {
    const cause = new Error('the client has disconnected')
    const thrown = await store
      .create(ALICE, 100, async save => {
        await save(Readable.from([PNG]))
        throw cause
      })
      .catch((error: unknown) => error)
    expect(thrown).equal(cause)
    const large = store.create(ALICE, 100, receiving({}, Buffer.concat([PNG, Buffer.alloc(1000)])))
    expect((await refusalOf(large))?.code).equal('request_body_too_large')
    expect([await store.list(ALICE), kept()]).deep.equal([[], 0])
  })

  it('limits the files of a user', async () => {
    store = new FileStore(configOf({ max_total_bytes_per_user: 1024, max_files_per_user: 2 }), clock)
    await create()
    expect((await refusalOf(store.create(ALICE, 1009, receiving())))?.code, 'announced').equal(undefined)
    expect((await refusalOf(create()))?.code).equal('http_400')
    await create(BOB)
  })

  it('hides expired files, and removes them from the disk later', async () => {
    const long = await create()
    const short = await create(ALICE, { seconds: 3600 })
    const longer = await create(BOB, { seconds: 365 * 24 * 3600 })
    expect(short.expiresAt).equal(clock.now() + 3_600_000)
    expect(longer.expiresAt).equal(long.expiresAt)
    clock.advance(3_600_000)
    expect(await store.find(ALICE, short.id)).equal(undefined)
    expect(await store.remove(ALICE, short.id)).equal(false)
    expect(await store.list(ALICE)).deep.equal([long])
    expect(kept()).equal(6)
    await sweep()
    expect(kept()).equal(4)
    clock.advance(30 * DAY)
    await Promise.all([sweep(), sweep(new FileStore(configOf(), clock))])
    expect(readdirSync(join(dir, 'files'))).deep.equal(['incoming'])
    await create()
  })

  it('removes folders of dead processes, but not of uploads in progress', async () => {
    const incoming = join(dir, 'files', 'incoming')
    const make = (name: string, ageMs: number) => {
      mkdirSync(join(incoming, name))
      writeFileSync(join(incoming, name, 'content'), PNG)
      const then = new Date(clock.now() - ageMs)
      utimesSync(join(incoming, name), then, then)
    }
    make('old', 2 * DAY)
    make('young', 3_600_000)
    make('file-1.deleted', 0)
    mkdirSync(join(dir, 'files', ALICE, `file-${'0'.repeat(32)}`), { recursive: true })
    mkdirSync(join(dir, 'files', 'lost+found'))
    await sweep()
    expect(readdirSync(incoming)).deep.equal(['young'])
    expect(readdirSync(join(dir, 'files')).toSorted()).deep.equal(['incoming', 'lost+found'])
  })

  it('stops sweeping when it is aborted', async () => {
    await create()
    clock.advance(31 * DAY)
    await store.sweep(AbortSignal.abort())
    expect(kept()).equal(2)
  })

  it('rejects the content of a file that lost bytes on the disk', async () => {
    const file = await create()
    writeFileSync(join(dir, 'files', ALICE, file.id, 'content'), PNG.subarray(0, 5))
    const thrown = await store.content(ALICE, file).catch((error: Error) => error.message)
    expect(thrown).contain('lost some of its bytes')
  })

  it('needs a writable directory, which only its user can read', () => {
    expect(statSync(join(dir, 'files')).mode & 0o777).equal(0o700)
    writeFileSync(join(dir, 'taken'), '')
    expect(() => new FileStore(configOf({ path: join(dir, 'taken') }), clock)).throw('uploaded files cannot be kept in')
    expect(existsSync(join(dir, 'taken', 'incoming'))).equal(false)
  })
})

describe('files/store: sweeping', () => {
  it('runs at the start, logs a failure, and aborts at the end', async () => {
    const warnings: string[] = []
    const log = pino({}, { write: (line: string) => void warnings.push(line) })
    const signals: AbortSignal[] = []
    const sweep = async (stopping: AbortSignal) => {
      signals.push(stopping)
      throw new Error('disk')
    }
    await keepFiles({ sweep }, log)()
    expect(signals.map(({ aborted }) => aborted)).deep.equal([true])
    expect(warnings).length(1)
    expect(warnings[0]).contain('tried again later')
  })
})

const IMAGES = {
  'image/png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  'image/jpeg': Buffer.from('ffd8ffe000104a46494600010101', 'hex'),
  'image/gif': Buffer.from('474946383961010001008000', 'hex'),
  'image/webp': Buffer.from('52494646240000005745425056503820', 'hex'),
}

describe('files/store: images', () => {
  let dir: string
  let store: FileStore
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    store = open(1000)
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  function open(max_bytes: number): FileStore {
    const limits = { max_total_bytes_per_user: Number.MAX_SAFE_INTEGER, max_files_per_user: 100, retention_days: 30 }
    return new FileStore({ path: join(dir, 'files'), max_bytes, ...limits }, new ManualClock())
  }
  const save = (pieces: Iterable<Buffer>) =>
    store.create(ALICE, 1, async save => {
      await save(Readable.from(pieces))
      return { filename: 'a', purpose: 'vision', seconds: undefined }
    })

  for (const [type, bytes] of Object.entries(IMAGES)) {
    it(`stores ${type}, byte by byte or at once`, async () => {
      for (const pieces of [[bytes], [...bytes].map(byte => Buffer.of(byte))]) {
        const file = await save(pieces)
        expect(file).include({ bytes: bytes.length, type })
        expect(await store.content(ALICE, file)).deep.equal(bytes)
        expect(statSync(join(dir, 'files', ALICE, file.id, 'content')).mode & 0o777).equal(0o600)
      }
    })
  }

  it('accepts exactly the maximum size', async () => {
    store = open(100)
    const bytes = Buffer.concat([IMAGES['image/png'], Buffer.alloc(84)])
    expect((await save([bytes])).bytes).equal(100)
    const refused = await refusalOf(save([bytes, Buffer.of(0)]))
    expect(refused).deep.equal({ code: 'request_body_too_large', status: 413, param: 'file' })
  })

  it('refuses a file that is no image after its first bytes', async () => {
    store = open(Number.MAX_SAFE_INTEGER)
    function* endless(): Generator<Buffer> {
      for (;;) yield Buffer.from('%PDF-1.7 and so on')
    }
    const notImage = { code: 'schema_validation_failed', status: 422, param: 'file' }
    expect(await refusalOf(save(endless()))).deep.equal(notImage)
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('GIF8'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ]) {
      expect(await refusalOf(save([bytes])), String(bytes)).deep.equal(notImage)
    }
  })

  it('saves the bytes of a file only once', async () => {
    const twice = store.create(ALICE, 1, async save => {
      await save(Readable.from([IMAGES['image/png']]))
      await save(Readable.from([IMAGES['image/gif']]))
      return { filename: 'a', purpose: 'vision', seconds: undefined }
    })
    expect(await twice.catch((error: unknown) => error)).include({ code: 'EEXIST' })
    expect(await store.list(ALICE)).deep.equal([])
  })
})
