import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { pino } from 'pino'
import type { FilesConfig } from '../../../lib/config/config.ts'
import type { Save, UploadMetadata } from '../../../lib/files/files.ts'
import { FileStore, keepFiles, newFileId } from '../../../lib/files/store.ts'
import { refusalOf } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { ALICE, BOB, FILES_KEY, gather, PNG, pieces, useFiles } from '../../support/files.ts'

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

describe('files/store: files of the gateway', () => {
  const files = useFiles()
  const OUTPUT = { filename: 'out.jsonl', purpose: 'batch_output', account: 'acme' }
  const text = async (from: AsyncIterable<Buffer>) => Buffer.concat(await gather(from)).toString()

  for (const encryption_key of [undefined, FILES_KEY]) {
    const more = encryption_key === undefined ? {} : { encryption_key }
    it(`are streamed and read in ranges${encryption_key === undefined ? '' : ', encrypted'}`, async () => {
      const store = files.open(more)
      const lines = 'secret line\n'.repeat(20_000)
      const file = await store.createFrom(ALICE, OUTPUT, pieces(lines.slice(0, 7), lines.slice(7)))
      expect(file).include({ bytes: lines.length, filename: 'out.jsonl', purpose: 'batch_output' })
      expect(file.type).equal('application/jsonl')
      expect(await files.open(more).list(ALICE)).deep.equal([{ ...file, account: 'acme' }])
      expect(await text(store.stream(ALICE, file))).equal(lines)
      expect(String(await store.content(ALICE, file))).equal(lines)
      const reader = await store.openForRanges(ALICE, file)
      expect(String(await reader.read(12 * 10_000, 11))).equal('secret line')
      await reader.close()
      const raw = files.kept().map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
      const plain = encryption_key === undefined
      expect(raw.map(bytes => bytes.includes('secret') || bytes.includes('out.jsonl'))).deep.equal([plain, plain])
    })
  }

  it('are not limited by the quota of the user, but count in it', async () => {
    const store = files.open({ max_files_per_user: 1 })
    for (const _ of [1, 2]) await store.createFrom(ALICE, OUTPUT, pieces('{}'))
    expect(await store.list(ALICE)).length(2)
    const upload = store.create(ALICE, 1, async save => {
      await save(Readable.from([PNG]))
      return { filename: 'a', purpose: 'vision', seconds: undefined }
    })
    expect((await refusalOf(upload))?.code).equal('http_400')
  })

  it('are created once for an id that was chosen before', async () => {
    const id = newFileId(files.clock().now())
    const first = await files.open().createFrom(ALICE, { ...OUTPUT, id }, pieces('one'))
    const again = await files.open().createFrom(ALICE, { ...OUTPUT, id }, pieces('two'))
    expect(again).deep.equal({ ...first, account: 'acme' })
    expect(await text(files.open().stream(ALICE, again))).equal('one')
    expect(files.kept()).length(2)
  })

  it('leave nothing on the disk if their bytes end in an error', async () => {
    const broken = new Error('no more')
    async function* bytes() {
      yield Buffer.from('x')
      throw broken
    }
    expect(
      await files
        .open()
        .createFrom(ALICE, OUTPUT, bytes())
        .catch((error: unknown) => error),
    ).equal(broken)
    expect(files.kept()).deep.equal([])
  })

  it('expire when the gateway says, at the latest with all files', async () => {
    const store = files.open()
    const day = await store.createFrom(ALICE, { ...OUTPUT, seconds: 86_400 }, pieces(''))
    const all = await store.createFrom(ALICE, { ...OUTPUT, seconds: 86_400 * 365 }, pieces(''))
    const now = files.clock().now()
    expect([day.expiresAt, all.expiresAt]).deep.equal([now + DAY, now + 30 * DAY])
  })

  it('stay after their expiry while they are needed, and no client finds them', async () => {
    const store = files.open()
    const { id } = await store.createFrom(ALICE, OUTPUT, pieces('{}'))
    files.clock().advance(30 * DAY)
    const sweep = (...needed: string[]) => store.sweep(new AbortController().signal, new Set(needed))
    await sweep(id)
    expect(await store.find(ALICE, id)).equal(undefined)
    expect(await store.list(ALICE)).deep.equal([])
    expect(String(await store.content(ALICE, (await store.findAny(ALICE, id))!))).equal('{}')
    await sweep('file-other')
    expect(await store.findAny(ALICE, id)).equal(undefined)
  })

  it('may be hidden from clients', async () => {
    const store = files.open()
    const { id } = await store.createFrom(ALICE, { ...OUTPUT, purpose: 'message_batch' }, pieces('{}'))
    expect(await store.list(ALICE)).deep.equal([])
    expect(await store.find(ALICE, id)).equal(undefined)
    expect(await store.remove(ALICE, id)).equal(false)
    expect(await store.findAny(ALICE, id)).include({ id })
    expect(await store.removeAny(BOB, id)).equal(false)
    expect(await store.removeAny(ALICE, '..')).equal(false)
    expect(await store.removeAny(ALICE, id)).equal(true)
    expect(files.kept()).deep.equal([])
  })
})

describe('files/store: encryption', () => {
  const files = useFiles()
  const open = (encryption_key?: string) => files.open(encryption_key === undefined ? {} : { encryption_key })
  const create = (store: FileStore) =>
    store.createFrom(ALICE, { filename: 'a.jsonl', purpose: 'batch', account: 'acme' }, pieces('lines'))

  it('leaves files readable that were stored without a key', async () => {
    const { id } = await create(open())
    const store = open(FILES_KEY)
    const file = (await store.find(ALICE, id))!
    expect(file.filename).equal('a.jsonl')
    expect(String(await store.content(ALICE, file))).equal('lines')
  })

  it('lists and deletes files without their key, but reads nothing of them', async () => {
    const { id } = await create(open(FILES_KEY))
    for (const store of [open(), open(Buffer.alloc(32).toString('base64'))]) {
      const [file] = await store.list(ALICE)
      expect(file).include({ id, filename: 'unreadable', bytes: 5 })
      expect(await store.content(ALICE, file!).catch((error: Error) => error.message)).contain('encryption_key')
    }
    expect(await open().remove(ALICE, id)).equal(true)
    expect(files.kept()).deep.equal([])
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
    await keepFiles({ sweep }, async () => new Set(), log)()
    expect(signals.map(({ aborted }) => aborted)).deep.equal([true])
    expect(warnings).length(1)
    expect(warnings[0]).contain('tried again later')
  })
})
