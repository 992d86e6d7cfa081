import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { temporaryDirectory } from '../../support/cli.ts'
import { eventually } from '../../support/gateway.ts'

const MAIN = fileURLToPath(new URL('../../../tools/tests/main.ts', import.meta.url))

/** A file of tests that never ends by itself, and says which process runs it. `work`: what it does meanwhile. */
const endless = (work: string) => `
const { renameSync, writeFileSync } = require('node:fs')
it('waits', done => {
  writeFileSync(__filename + '.new', String(process.pid))
  renameSync(__filename + '.new', __filename + '.pid')
  ${work}
})
`

describe('a test run', () => {
  const dir = temporaryDirectory()
  let run: ChildProcess | undefined
  afterEach(() => run?.kill('SIGKILL'))

  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends with its processes on ${signal}, although only itself gets it`, async () => {
      const files = ['waiting.test.ts', 'busy.test.ts'].map(name => join(dir(), 'test', name))
      mkdirSync(join(dir(), 'test'))
      writeFileSync(files[0]!, endless('setInterval(() => {}, 1000)'))
      writeFileSync(files[1]!, endless('for (;;);'))
      writeFileSync(join(dir(), '.mocharc.json'), '{ "timeout": 0 }')
      run = spawn(process.execPath, [MAIN, 'fast', dir()], {
        stdio: 'ignore',
        env: { ...process.env, TEST_PROCESSES: '2' },
      })
      const ended = once(run, 'exit')
      await eventually(() => files.every(file => existsSync(`${file}.pid`)), 'both files run')
      const pids = files.map(file => Number(readFileSync(`${file}.pid`, 'utf8')))
      expect(pids.map(isAlive)).deep.equal([true, true])
      run.kill(signal)
      expect(await ended).deep.equal([code, null])
      await eventually(() => !pids.some(isAlive), 'the end of its processes')
    })
  }

  /** Runs files by their names. Resolves to the exit code and the last line of stdout. */
  async function runOf(sources: Readonly<Record<string, string>>): Promise<readonly [number, string]> {
    mkdirSync(join(dir(), 'test'))
    for (const [name, source] of Object.entries(sources)) writeFileSync(join(dir(), 'test', `${name}.test.ts`), source)
    writeFileSync(join(dir(), '.mocharc.json'), '{}')
    run = spawn(process.execPath, [MAIN, 'fast', dir()], { env: { ...process.env, TEST_PROCESSES: '2' } })
    const output = text(run.stdout!)
    const [code] = (await once(run, 'exit')) as [number]
    return [code, (await output).trimEnd().split('\n').at(-1)!]
  }

  const GREEN = `it('passes', () => {})`
  const RED = `it('fails', () => { throw new Error('always') })`
  const ONCE = `
const { existsSync, writeFileSync } = require('node:fs')
it('fails once', () => {
  if (existsSync(__filename + '.ran')) return
  writeFileSync(__filename + '.ran', '')
  throw new Error('once')
})
`

  it('runs a failed file alone, once more, and says so', async () => {
    expect(await runOf({ green: GREEN, once: ONCE })).deep.equal([
      0,
      'UNSTABLE test/once.test.ts: failed next to other files, passed alone',
    ])
  })

  it('fails with a file that also fails alone', async () => {
    const [code, last] = await runOf({ green: GREEN, once: ONCE, red: RED })
    expect(code).equal(1)
    expect(last).match(/^0 passed, 0 skipped, 1 failed in 1 files/)
  })

  it('fails at once with more files than a busy machine explains', async () => {
    const four = Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, ONCE]))
    const [code, last] = await runOf({ ...four, green: GREEN })
    expect(code).equal(1)
    expect(last).match(/^1 passed, 0 skipped, 4 failed in 5 files/)
  })

  it('fails at once with a file that does not load', async () => {
    const [code, last] = await runOf({ green: GREEN, missing: `import './nowhere.ts'` })
    expect(code).equal(1)
    expect(last).match(/^\d passed, 0 skipped, 1 failed/)
  })
})
