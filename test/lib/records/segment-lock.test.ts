import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { acquireSegmentLock, orphanedSegments, segmentPath } from '../../../lib/records/segment-lock.ts'

describe('segment lock', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'held-'))
  })
  let child: ChildProcess | undefined
  afterEach(() => {
    child?.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })

  const raise = (error: unknown) => {
    throw error
  }
  const found = () => [...orphanedSegments(dir, raise)]

  it('is respected while its process lives', () => {
    const held = acquireSegmentLock(dir)
    writeFileSync(segmentPath(dir, held.name, 1), '')
    expect(found()).deep.equal([])
    held.release()
  })

  it('hands its segments to one other process at a time, in order', () => {
    const held = acquireSegmentLock(dir)
    for (const number of [10, 2, 1_000_000]) writeFileSync(segmentPath(dir, held.name, number), '')
    held.release()
    const [orphaned] = found()
    expect(orphaned?.segments.map(path => basename(path))).deep.equal(
      ['000002', '000010', '1000000'].map(number => `${held.name}-${number}.log`),
    )
    expect(found()).deep.equal([])
    orphaned!.release()
    const [again] = found()
    expect(again?.segments).length(3)
    again!.release()
  })

  it('leaves no file when it has no segments', () => {
    const held = acquireSegmentLock(dir)
    expect(readdirSync(dir)).deep.equal([`${held.name}.lock`])
    held.release()
    expect(readdirSync(dir)).deep.equal([])
  })

  it('is not sought in files that are not segments', () => {
    for (const file of ['rejected.log', 'journal-1-abcdef01-000001.log.damaged', 'notes.txt', 'journal-x.log']) {
      writeFileSync(join(dir, file), '')
    }
    expect(found()).deep.equal([])
  })

  it('is released with its process, however that ends', async () => {
    const module = new URL('../../../lib/records/segment-lock.ts', import.meta.url).href
    const script = `const { acquireSegmentLock } = await import(${JSON.stringify(module)})
      // A global, because garbage collection would release the lock.
      globalThis.held = acquireSegmentLock(${JSON.stringify(dir)})
      console.log(held.name)
      setInterval(() => {}, 1000)`
    child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [name] = await once(child.stdout!, 'data')
    writeFileSync(segmentPath(dir, String(name).trim(), 1), '')
    expect(found()).deep.equal([])
    child.kill('SIGSTOP')
    expect(found()).deep.equal([])
    child.kill('SIGKILL')
    await once(child, 'exit')
    const [orphaned] = found()
    expect(orphaned?.segments).length(1)
    orphaned!.release()
  })
})
