import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { type Estate, estates, segmentPath, takeName } from '../../../lib/records/owner.ts'

describe('owner of segments', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'owner-'))
  })
  let child: ChildProcess | undefined
  afterEach(() => {
    child?.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })

  const raise = (error: unknown) => {
    throw error
  }
  const found = (): Estate[] => [...estates(dir, raise)]

  it('is left alone while it lives', () => {
    const owner = takeName(dir)
    writeFileSync(segmentPath(dir, owner.name, 1), '')
    expect(found()).deep.equal([])
    owner.release()
  })

  it('leaves its segments to one heir at a time, in order', () => {
    const owner = takeName(dir)
    for (const number of [10, 2, 1_000_000]) writeFileSync(segmentPath(dir, owner.name, number), '')
    owner.release()
    const [estate] = found()
    expect(estate?.segments.map(path => basename(path))).deep.equal(
      ['000002', '000010', '1000000'].map(number => `${owner.name}-${number}.log`),
    )
    expect(found()).deep.equal([])
    estate!.release()
    const [again] = found()
    expect(again?.segments).length(3)
    again!.release()
  })

  it('leaves nothing behind when it has no segments', () => {
    const owner = takeName(dir)
    expect(readdirSync(dir)).deep.equal([`${owner.name}.lock`])
    owner.release()
    expect(readdirSync(dir)).deep.equal([])
  })

  it('is not looked for in files that are none of ours', () => {
    for (const file of ['rejected.log', 'journal-1-abcdef01-000001.log.damaged', 'notes.txt', 'journal-x.log']) {
      writeFileSync(join(dir, file), '')
    }
    expect(found()).deep.equal([])
  })

  it('gives everything up with its process, however that ends', async () => {
    const module = new URL('../../../lib/records/owner.ts', import.meta.url).href
    const script = `const { takeName } = await import(${JSON.stringify(module)})
      // Kept, or it is collected as garbage and its lock with it.
      globalThis.owner = takeName(${JSON.stringify(dir)})
      console.log(owner.name)
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
    const [estate] = found()
    expect(estate?.segments).length(1)
    estate!.release()
  })
})
