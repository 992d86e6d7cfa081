import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { LoopWriteQueue } from '../../../lib/base/write-queue.ts'
import { Journal } from '../../../lib/records/journal.ts'
import { readLines } from '../../../lib/store/journal-lines.ts'
import type { RequestRecord } from '../../../lib/store/record.ts'
import { diskOf } from '../../support/disk.ts'
import { eventually } from '../../support/gateway.ts'
import { makeRecord } from '../../support/record.ts'
import { silent } from '../../support/stores.ts'

type JournalOptions = ConstructorParameters<typeof Journal>[0]

describe('journal', () => {
  let dir = ''
  let journals: Journal[] = []
  beforeEach(() => {
    dir = join(mkdtempSync(join(tmpdir(), 'journal-')), 'journal')
    journals = []
  })
  afterEach(async () => {
    for (const journal of journals) await journal.close()
    rmSync(join(dir, '..'), { recursive: true, force: true })
  })

  const open = (options: Partial<JournalOptions> = {}) => {
    const journal = new Journal({ directory: dir, log: silent, flushMs: 5, ...options })
    journals.push(journal)
    return journal
  }
  const onDisk = (): RequestRecord[] =>
    readdirSync(dir)
      .filter(file => file.endsWith('.log'))
      .sort()
      .flatMap(file => readLines(readFileSync(join(dir, file))).records)
  /** Replaces the folder by a file, so that no segment can be opened, until mendDisk(). */
  const breakDisk = () => {
    renameSync(dir, `${dir}.away`)
    writeFileSync(dir, '')
  }
  const mendDisk = () => {
    rmSync(dir)
    renameSync(`${dir}.away`, dir)
  }

  it('writes the records of a tick at its end, by one write', async () => {
    const journal = open()
    const records = Array.from({ length: 3 }, () => makeRecord())
    const disk = diskOf(dir)
    try {
      const written = disk.noteWrites()
      for (const record of records) journal.append(record)
      expect([onDisk(), written]).deep.equal([[], []])
      expect(journal.waiting.records, 'those of this tick as well').equal(3)
      await turn()
      expect(onDisk()).deep.equal(records)
      expect(written, 'the first line of the segment, and the records').lengthOf(2)
    } finally {
      disk.mend()
    }
    expect(journal).include({ appended: 3, lost: 0, healthy: true, queued: 0 })
    expect(journal.waiting.records).equal(3)
  })

  it('writes a record before the writes that are deferred after it', async () => {
    const writes = new LoopWriteQueue()
    const journal = open({ writes })
    const found: number[] = []
    const send = () => writes.add({ onFlush: () => void found.push(onDisk().length) })
    send()
    journal.append(makeRecord())
    send()
    journal.append(makeRecord())
    await turn()
    expect(found).deep.equal([2, 2])
    send()
    journal.append(makeRecord())
    await turn()
    expect(found, 'also in the next tick').deep.equal([2, 2, 3])
  })

  it('does not wait for the end of a tick that has many records', () => {
    const journal = open()
    for (let i = 0; i < 500; i++) journal.append(makeRecord())
    expect(onDisk().length).within(100, 500)
    journal.rotate()
    expect(onDisk()).lengthOf(500)
  })

  it('starts a new segment when one is full or when the writer asks for it', async () => {
    const journal = open({ segmentBytes: 2000, clock: { now: () => 7, micros: () => 7000, monotonic: () => 0 } })
    journal.rotate()
    expect(journal.closed).deep.equal([])
    for (let i = 0; i < 20; i++) journal.append(makeRecord())
    expect(journal.closed.length).at.least(2)
    journal.rotate()
    expect(journal.closed.reduce((sum, segment) => sum + segment.records, 0)).equal(20)
    expect(journal.waiting).deep.equal({ records: 20, since: 7 })
    const removed = journal.closed.map(segment => journal.discard(segment))
    expect(existsSync(journal.closed[0]!.path), 'while the thread that removes it has not answered').equal(true)
    await Promise.all(removed)
    expect(journal.waiting).deep.equal({ records: 0, since: null })
    expect(onDisk()).deep.equal([])
  })

  it('keeps records in memory while the disk fails, reports it, and writes them when it works again', async () => {
    const journal = open()
    journal.append(makeRecord())
    journal.rotate()
    breakDisk()
    const records = Array.from({ length: 5 }, () => makeRecord())
    for (const record of records) journal.append(record)
    journal.onFlush()
    expect(journal).include({ healthy: false, queued: 5, lost: 0 })
    expect(journal.waiting.records).equal(6)
    mendDisk()
    await eventually(() => journal.healthy)
    expect(journal.queued).equal(0)
    expect(onDisk().slice(1)).deep.equal(records)
  })

  it('continues in a new segment after a flush failed, and is healthy once one succeeds', async () => {
    const disk = diskOf(dir)
    const journal = open()
    const records = [makeRecord(), makeRecord()]
    try {
      disk.failFlushes()
      journal.append(records[0]!)
      journal.onFlush()
      await eventually(() => !journal.healthy, 'the flush to fail')
      expect(journal.closed.map(segment => segment.records)).deep.equal([1])
      disk.mend()
      await eventually(() => journal.healthy, 'a flush to succeed')
      journal.append(records[1]!)
      journal.onFlush()
      expect(onDisk()).deep.equal(records)
    } finally {
      disk.mend()
    }
  })

  it('counts the records above its memory limit as lost', () => {
    const journal = open({ queueLimit: 3 })
    rmSync(dir, { recursive: true })
    writeFileSync(dir, '')
    for (let i = 0; i < 5; i++) journal.append(makeRecord())
    journal.onFlush()
    expect(journal).include({ appended: 5, queued: 3, lost: 2, healthy: false })
  })

  it('gives its queue to the writer, which returns what it could not store', () => {
    const journal = open({ flushMs: 60_000 })
    rmSync(dir, { recursive: true })
    writeFileSync(dir, '')
    for (let i = 0; i < 3; i++) journal.append(makeRecord())
    journal.onFlush()
    const lines = journal.takeQueue()
    expect([lines.length, journal.queued, journal.healthy]).deep.equal([3, 0, false])
    journal.append(makeRecord())
    journal.returnToQueue(lines.slice(1))
    expect(journal.takeQueue().slice(0, 2)).deep.equal(lines.slice(1))
  })

  it('has written everything to the disk when it is closed', async () => {
    const journal = open()
    const record = makeRecord()
    journal.append(record)
    await journal.close()
    expect(onDisk()).deep.equal([record])
    expect(readdirSync(dir)).length(2)
  })

  it('writes queued records when it is closed, if the disk works by then', async () => {
    const journal = open({ flushMs: 60_000 })
    breakDisk()
    const record = makeRecord()
    journal.append(record)
    journal.onFlush()
    mendDisk()
    await journal.close()
    expect(onDisk()).deep.equal([record])
    expect(journal.lost).equal(0)
  })

  it('counts and logs the records that the disk rejects at close as lost', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const journal = open({ flushMs: 60_000, log })
    breakDisk()
    for (let i = 0; i < 2; i++) journal.append(makeRecord())
    journal.onFlush()
    lines.length = 0
    await journal.close()
    expect(journal.lost).equal(2)
    expect(lines).lengthOf(1)
    expect(JSON.parse(lines[0]!)).include({
      lost: 2,
      msg: 'request records lost: they could not be written before the end of the process',
    })
    mendDisk()
  })

  it('leaves an empty folder when it is closed without records', async () => {
    await open().close()
    expect(readdirSync(dir)).deep.equal([])
  })

  it('rejects a folder that cannot be used', () => {
    writeFileSync(dir, '')
    expect(() => open()).throw(/request records cannot be kept in .*journal: a writable directory/)
    expect(existsSync(dir)).equal(true)
  })

  it('rejects a folder below one that takes no folders', () => {
    const open = () => new Journal({ directory: '/proc/sluiceway/journal', log: silent })
    expect(open).throw(/request records cannot be kept in \/proc\/sluiceway\/journal/)
  })

  it('shares its folder with others', () => {
    const [a, b] = [open(), open()]
    a!.append(makeRecord())
    b!.append(makeRecord())
    a!.onFlush()
    b!.onFlush()
    expect(onDisk()).length(2)
  })
})
