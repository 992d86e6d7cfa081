import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { CommandError, UsageError } from '../../../lib/cli/command.ts'
import { run } from '../../../lib/cli/simulate.ts'
import { closeSimulators, simulatorWith } from '../../support/simulator.ts'

const MAIN = fileURLToPath(new URL('../../../lib/cli/main.ts', import.meta.url))

describe('cli/simulate', () => {
  const children: ChildProcess[] = []

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    await closeSimulators()
  })

  /** Starts the command and resolves with what it prints, once it has printed all of it. */
  async function started(...args: string[]) {
    const child = spawn(process.execPath, [MAIN, 'simulate', '--port', '0', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    let text = ''
    for await (const chunk of child.stdout!) {
      text += String(chunk)
      if (text.includes('Ctrl-C')) break
    }
    const exit = new Promise<number | null>(resolve => child.on('exit', resolve))
    return { text, child, exit }
  }

  it('prints a base URL and a request that works, and exits with 0 on a signal', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { text, child, exit } = await started(
        '--model',
        'first',
        '--model',
        "it's",
        '--engine',
        'sglang',
        '--tokens-per-second',
        '0',
      )
      const [, base] = /^Simulated backend {2}(http:\/\/127\.0\.0\.1:\d+\/v1)$/m.exec(text)!
      const [, url, body] = /^curl -sN (\S+) -H 'Content-Type: application\/json' -d '(.*)'$/m.exec(text)!
      expect(url).equal(`${base}/chat/completions`)
      const answer = await fetch(url!, { method: 'POST', body: body! })
      expect(await answer.text()).match(/"model":"first".*data: \[DONE\]/s)
      const models = await (await fetch(`${base}/models`)).text()
      expect(models).include('sglang').include("it's")
      expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).match(/^sluiceway simulate\0*$/)
      child.kill(signal)
      expect(await exit).equal(0)
    }
  })

  it('passes every option on', async () => {
    const { text } = await started(
      '--max-model-len',
      '64',
      '--api-key',
      'k',
      '--answer-tokens',
      '3',
      '--tokens-per-second',
      '0',
      '--max-concurrency',
      '2',
      '--max-queue',
      '0',
    )
    expect(text).include("-H 'Authorization: Bearer k'")
    const [, base] = /(http:\S+\/v1)$/m.exec(text)!
    expect((await fetch(`${base}/models`)).status).equal(401)
    const headers = { authorization: 'Bearer k' }
    expect(await (await fetch(`${base}/models`, { headers })).text()).include('"max_model_len":64')
    const body = JSON.stringify({ model: 'simulated', messages: [{ role: 'user', content: 'x' }] })
    const answer = await fetch(`${base}/chat/completions`, { method: 'POST', headers, body })
    expect(await answer.text()).include('"completion_tokens":3')
  })

  it('refuses what it does not understand', async () => {
    const wrong = [
      ['--nonsense'],
      ['--port', 'x'],
      ['--engine', 'tgi'],
      ['--max-concurrency', '0'],
      ['--first-token-ms', '-5'],
      ['--answer-tokens', '1.5'],
      ['more'],
    ]
    for (const args of wrong) {
      const error = await run(args).catch((reason: unknown) => reason)
      expect(error, args.join(' ')).instanceOf(UsageError)
    }
  })

  it('says that a port is taken', async () => {
    const { root } = await simulatorWith()
    const error = await run(['--port', new URL(root).port]).catch((reason: unknown) => reason)
    expect(error).instanceOf(CommandError)
    expect(error)
      .property('message')
      .match(/^port \d+ is in use: choose another with --port$/)
  })
})
