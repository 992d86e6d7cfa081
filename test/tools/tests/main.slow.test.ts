import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
})
