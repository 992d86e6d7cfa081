import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Journal } from '../../../lib/records/journal.ts'
import { RecordWriter } from '../../../lib/records/writer.ts'
import { creditBalance } from '../../../lib/store/credits.ts'
import { readLines, toLines } from '../../../lib/store/journal-lines.ts'
import { openStore, type Store } from '../../../lib/store/store.ts'
import { makeRecord } from '../../support/record.ts'
import { usePostgres } from '../../support/services.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

type WriterOptions = ConstructorParameters<typeof RecordWriter>[0]

const CHILD = fileURLToPath(new URL('../../support/journal-process.ts', import.meta.url))

describe('record writer', () => {
  let dir = ''
  const started: { journal: Journal; writer: RecordWriter }[] = []
  const children: ChildProcess[] = []
  beforeEach(() => {
    dir = join(mkdtempSync(join(tmpdir(), 'writer-')), 'journal')
  })
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    for (const { journal, writer } of started.splice(0)) {
      await writer.close(100)
      await journal.close()
    }
    rmSync(join(dir, '..'), { recursive: true, force: true })
  })

  const start = (store: Store, options: Partial<WriterOptions> = {}) => {
    const journal = new Journal({ directory: dir, log: silent, flushMs: 20, segmentBytes: 5000 })
    const writer = new RecordWriter({ journal, store, log: silent, everyMs: 10, batch: 7, ...options })
    started.push({ journal, writer })
    return { journal, writer }
  }
  const until = async (claim: () => boolean | Promise<boolean>) => {
    for (let tries = 0; !(await claim()); tries++) {
      if (tries > 300) throw new Error('it never came true')
      await sleep(10)
    }
  }
  const idsIn = async ({ db }: Store) => {
    const rows = await db.selectFrom('requests').select('id').execute()
    return rows.map(({ id }) => id).sort()
  }
  const counted = async ({ db }: Store) => {
    const row = await db
      .selectFrom('usage_hours')
      .select(({ fn }) => fn.sum<number | null>('requests').as('n'))
      .executeTakeFirst()
    return row?.n ?? 0
  }
  const segments = () => readdirSync(dir).filter(file => /^journal.*\.log$/.test(file))
  const append = (journal: Journal, count: number) => {
    const records = Array.from({ length: count }, () => makeRecord())
    for (const record of records) journal.append(record)
    return records.map(({ id }) => id).sort()
  }

  onEveryStore(store => {
    it('moves the journal into the store and discards it', async () => {
      const { journal, writer } = start(store())
      const ids = append(journal, 30)
      expect(writer.lag.records).equal(30)
      writer.start()
      await until(() => writer.lag.records === 0)
      expect(await idsIn(store())).deep.equal(ids)
      expect(segments()).deep.equal([])
      expect(writer).include({ inserted: 30, rejected: 0, corrupt: 0 })
      expect(writer.lag).deep.equal({ records: 0, seconds: 0 })
    })

    it('moves the rest when it is closed', async () => {
      const { journal, writer } = start(store())
      writer.start()
      const ids = append(journal, 30)
      await writer.close()
      await journal.close()
      expect(await idsIn(store())).deep.equal(ids)
      expect(readdirSync(dir)).deep.equal([])
    })

    it('loses and repeats nothing while the store fails now and then', async () => {
      const messages: string[] = []
      const log = pino({}, { write: (line: string) => void messages.push(JSON.parse(line).msg) })
      const { journal, writer } = start(store(), { log })
      const ids = append(journal, 20)
      await sql`alter table endpoint_minutes rename to away`.execute(store().db)
      writer.start()
      await until(() => messages.length > 0)
      expect(segments().length).at.least(1)
      expect(await idsIn(store())).deep.equal([])
      const more = append(journal, 20)
      await sql`alter table away rename to endpoint_minutes`.execute(store().db)
      await until(() => writer.lag.records === 0)
      expect(await idsIn(store())).deep.equal([...ids, ...more].sort())
      expect([writer.inserted, await counted(store())]).deep.equal([40, 40])
      await until(() => messages.length > 1)
      expect(messages).deep.equal([
        'the store accepts no records: they wait in the journal',
        'the store accepts records again',
      ])
    })

    it('discards a segment only when its records are on the disk of the store', async () => {
      let failures = 2
      const flush = async () => {
        if (failures-- > 0) throw new Error('the disk is away')
      }
      const { journal, writer } = start({ ...store(), flush })
      const ids = append(journal, 5)
      writer.start()
      await until(() => failures === 1)
      expect(await idsIn(store())).deep.equal(ids)
      expect([segments().length, writer.lag.records]).deep.equal([1, 5])
      await until(() => writer.lag.records === 0)
      expect([segments().length, writer.inserted]).deep.equal([0, 5])
    })

    it('moves orphaned segments once, together with other processes', async () => {
      const first = new Journal({ directory: dir, log: silent, segmentBytes: 5000 })
      const ids = append(first, 30)
      await first.close()
      expect(segments().length).at.least(2)
      const heirs = [start(store()), start(store()), start(store())]
      for (const { writer } of heirs) writer.start()
      await until(async () => (await idsIn(store())).length === 30 && segments().length === 0)
      expect(await idsIn(store())).deep.equal(ids)
      expect(await counted(store())).equal(30)
      expect(heirs.reduce((sum, { writer }) => sum + writer.inserted, 0)).equal(30)
    })

    it('does not count records again that an interrupted move has inserted', async () => {
      const { journal, writer } = start(store())
      append(journal, 10)
      journal.rotate()
      const copies = segments().map(file => readFileSync(join(dir, file)))
      await writer.close()
      await journal.close()
      copies.forEach((bytes, i) => {
        writeFileSync(join(dir, `journal-1-0000000${i}-000001.log`), bytes)
      })
      const next = start(store())
      next.writer.start()
      await until(() => segments().length === 0)
      expect(next.writer.inserted).equal(0)
      expect(await counted(store())).equal(10)
    })

    it('writes a record that the store rejects to rejected.log, and moves all others', async () => {
      const { journal, writer } = start(store())
      const ids = append(journal, 5)
      const bad = makeRecord({ method: null as unknown as string })
      journal.append(bad)
      const more = append(journal, 5)
      writer.start()
      await until(() => writer.lag.records === 0)
      expect(await idsIn(store())).deep.equal([...ids, ...more].sort())
      expect(writer.rejected).equal(1)
      const rejected = readFileSync(join(dir, 'rejected.log'), 'utf8')
      expect(readLines(toLines([rejected])).records).deep.equal([bad])
    })

    it('skips damaged lines, keeps their segment, and ignores an incomplete last line', async () => {
      const { journal, writer } = start(store())
      const ids = append(journal, 3)
      journal.rotate()
      const [file] = segments()
      appendFileSync(join(dir, file!), '00000000 ["damaged"]\ncut off')
      writer.start()
      await until(() => writer.lag.records === 0)
      expect(await idsIn(store())).deep.equal(ids)
      expect(writer.corrupt).equal(1)
      expect(readdirSync(dir)).include(`${file}.damaged`)
    })

    it('counts damaged lines once, even if the store rejects a record of the same segment', async () => {
      const { journal, writer } = start(store())
      const ids = append(journal, 2)
      journal.append(makeRecord({ method: null as unknown as string }))
      journal.rotate()
      const [file] = segments()
      appendFileSync(join(dir, file!), '00000000 ["damaged"]\n')
      writer.start()
      await until(() => writer.lag.records === 0)
      expect(await idsIn(store())).deep.equal(ids)
      expect(writer).include({ inserted: 2, rejected: 1, corrupt: 1 })
      expect(readdirSync(dir)).include.members([`${file}.damaged`, 'rejected.log'])
    })

    it('moves records into the store while the disk of the journal is full', async () => {
      const { journal, writer } = start(store())
      renameSync(dir, `${dir}.away`)
      writeFileSync(dir, '')
      const ids = append(journal, 12)
      journal.onFlush()
      expect(journal).include({ healthy: false, queued: 12 })
      writer.start()
      await until(async () => (await idsIn(store())).length === 12)
      expect(await idsIn(store())).deep.equal(ids)
      expect([journal.queued, journal.lost, journal.healthy]).deep.equal([0, 0, false])
      rmSync(dir)
      renameSync(`${dir}.away`, dir)
      await until(() => journal.healthy)
    })
  })

  /** Starts a process that appends until it is killed. `kill` returns the ids that it acknowledged. */
  async function run(url: string): Promise<{ kill(): Promise<string[]> }> {
    const child = launch(process.execPath, [CHILD, dir, url, '1000000'])
    const ids = acknowledged(child)
    await once(child.stdout!, 'data')
    return {
      kill() {
        child.kill('SIGKILL')
        return ids
      },
    }
  }

  function launch(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    children.push(child)
    return child
  }

  async function acknowledged(child: ChildProcess): Promise<string[]> {
    let text = ''
    child.stdout!.on('data', bytes => {
      text += bytes
    })
    await once(child, 'close')
    // The last line may have been cut off.
    return text.split('\n').slice(0, -1)
  }

  async function check(url: string, ids: readonly string[]): Promise<void> {
    const store = await openStore(url, { log: silent })
    const { journal, writer } = start(store, { batch: 200 })
    await writer.close(60_000)
    await journal.close()
    const found = await idsIn(store)
    const there = new Set(found)
    expect(ids.filter(id => !there.has(id))).deep.equal([])
    expect(there.size).equal(found.length)
    expect(await counted(store)).equal(found.length)
    expect(await creditBalance(store, makeRecord().account_id!)).equal(-found.length)
    const { rows } = await sql<{ n: number }>`select count(*) as n from request_tags`.execute(store.db)
    expect(rows[0]?.n).equal(found.length)
    expect([writer.corrupt, writer.rejected]).deep.equal([0, 0])
    expect(segments()).deep.equal([])
    await store.close()
  }

  /** Each process starts while the previous one runs, moves orphaned segments, and is then killed. */
  async function survive(url: string, kills: number): Promise<void> {
    const ids: string[] = []
    let before = await run(url)
    for (let i = 1; i < kills; i++) {
      const next = await run(url)
      await sleep(Math.random() * 150)
      ids.push(...(await before.kill()))
      before = next
    }
    ids.push(...(await before.kill()))
    expect(ids.length).greaterThan(100 * kills)
    await check(url, ids)
  }

  const KILLS = Number(process.env.KILLS ?? 4)

  it('has every acknowledged record in SQLite once, after kill -9 at random moments', async function () {
    this.timeout(180_000 + KILLS * 2000)
    await survive(`sqlite:${join(dir, '..', 'store.db')}`, KILLS)
  })

  describe('on PostgreSQL', () => {
    const url = usePostgres()

    it('has every acknowledged record once, after kill -9 at random moments', async function () {
      this.timeout(180_000 + KILLS * 2000)
      await survive(url(), Math.ceil(KILLS / 2))
    })
  })

  it('has every record although the disk cuts lines off', async function () {
    if (process.platform === 'win32') this.skip()
    const url = `sqlite:${join(dir, '..', 'store.db')}`
    // A file may have at most 4 blocks of 512 bytes or 1 KB, so the limit often cuts off a line.
    const script = `trap '' XFSZ; ulimit -f 4; exec "$@"`
    const args = ['-c', script, 'sh', process.execPath, CHILD, dir, 'none', '40']
    const ids = await acknowledged(launch('sh', args))
    expect(ids).length(40)
    await check(url, ids)
  })
})
