/** Gateways behind the proxy of deploy/haproxy.cfg restart one after the other while clients stream. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { delta, type ScriptedBackend, scriptedBackend, sendEvent, startStream } from '../support/backend.ts'
import { eventually, KEY } from '../support/gateway.ts'
import { type GatewayProcess, startProcess } from '../support/processes.ts'
import { freePort, useProgram } from '../support/programs.ts'

const SHIPPED = fileURLToPath(new URL('../../deploy/haproxy.cfg', import.meta.url))
/** Longer than the time in which the proxy notices a drain. */
const EVENTS = 40
const EVENT_MS = 100
const STREAMS = 200

interface Place {
  readonly name: string
  readonly port: number
  readonly adminPort: number
}

describe('rolling restart behind haproxy', () => {
  const haproxy = useProgram('haproxy', 'haproxy')
  const directory = mkdtempSync(join(tmpdir(), 'sluiceway-'))
  let backend: ScriptedBackend
  let proxy: ChildProcess
  let url = ''
  const places: Place[] = []
  const gateways: GatewayProcess[] = []

  const start = ({ name, port, adminPort }: Place) =>
    startProcess(directory, name, {
      backends: [`${backend.url}/v1`],
      more: {
        listen: { host: '127.0.0.1', port },
        admin: { host: '127.0.0.1', port: adminPort },
        drain_delay_seconds: 4,
        drain_seconds: 30,
      },
    })
  const isReady = async ({ adminPort }: Place) =>
    (await fetch(`http://127.0.0.1:${adminPort}/readyz`).catch(() => undefined))?.status === 200
  /** One streamed chat. Resolves with the problem; empty: none. */
  const stream = async () => {
    try {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
      })
      const text = await response.text()
      if (response.status !== 200) return `status ${response.status}`
      return text.endsWith('data: [DONE]\n\n') ? '' : 'a broken stream'
    } catch (error) {
      return String(error)
    }
  }

  before(async () => {
    backend = await scriptedBackend(async res => {
      startStream(res)
      for (let i = 0; i < EVENTS && !res.destroyed; i++) {
        sendEvent(res, delta({ content: 'a' }, i === EVENTS - 1 ? 'stop' : null))
        await sleep(EVENT_MS)
      }
      res.end('data: [DONE]\n\n')
    })
    for (const name of ['one', 'two']) places.push({ name, port: await freePort(), adminPort: await freePort() })
    for (const place of places) gateways.push(await start(place))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    let config = readFileSync(SHIPPED, 'utf8').replace('bind :80\n', `bind 127.0.0.1:${port}\n`)
    // On one machine the operators' ports differ.
    for (const [i, place] of places.entries())
      config = config.replace(`10.0.0.1${i + 1}:8080`, `127.0.0.1:${place.port} port ${place.adminPort}`)
    const file = join(directory, 'haproxy.cfg')
    writeFileSync(file, config)
    proxy = spawn(haproxy, ['-f', file, '-db'], { stdio: 'ignore' })
    await eventually(async () => (await fetch(url).catch(() => undefined))?.status === 200)
  })
  after(async () => {
    proxy?.kill('SIGKILL')
    for (const gateway of gateways) await gateway.kill()
    await backend?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  it('refuses no request and breaks no stream', async function () {
    this.timeout(240_000)
    const results: Promise<string>[] = []
    for (const [i, place] of places.entries()) {
      for (let n = 0; n < STREAMS / 2; n++) results.push(stream())
      await eventually(
        () => backend.requests.filter(({ path }) => path.endsWith('/completions')).length === results.length,
      )
      const stopped = gateways[i]!.stop()
      // Clients also connect while it drains.
      let ended = false
      void stopped.then(() => {
        ended = true
      })
      while (!ended) {
        results.push(stream())
        await sleep(100)
      }
      gateways[i] = await start(place)
      await eventually(() => isReady(place))
      // Two checks, a second apart, then the one that makes it available again.
      await sleep(3000)
    }
    const problems = (await Promise.all(results)).filter(problem => problem !== '')
    expect(problems).deep.equal([])
    expect(results.length).above(STREAMS)
  })
})
