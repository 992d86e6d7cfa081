/** Two processes with one store that share the lines of batches, each with an engine of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { issueOperatorKey } from '../../lib/admin/operators.ts'
import { systemClock } from '../../lib/base/clock.ts'
import type { JsonObject } from '../../lib/base/json.ts'
import { openStore } from '../../lib/store/store.ts'
import { reply, type ScriptedBackend, type SeenRequest, scriptedBackend } from '../support/backend.ts'
import { batchLine, createBatch, findBatch } from '../support/batch-client.ts'
import { eventually, KEY, steady } from '../support/gateway.ts'
import { type GatewayProcess, startProcess } from '../support/processes.ts'
import { freePort } from '../support/programs.ts'
import { onEveryNewStore, silent } from '../support/stores.ts'

/** Engines without a new line for this time receive no more. */
const QUIET_MS = 3000
/** How long an engine takes for a line. */
const LINE_MS = 100
const LINES = 2000

interface Engine extends ScriptedBackend {
  /** When lines have arrived. */
  readonly arrivals: number[]
}

async function startEngine(): Promise<Engine> {
  const arrivals: number[] = []
  const backend = await scriptedBackend()
  backend.script = quick(arrivals)
  return Object.assign(backend, { arrivals })
}

const quick =
  (arrivals: number[]): ScriptedBackend['script'] =>
  async (...request) => {
    arrivals.push(Date.now())
    await sleep(LINE_MS)
    return reply()(...request)
  }

const promptOf = ({ body }: SeenRequest) => (body.messages as JsonObject[])[0]!.content as string
const names = (count: number) => Array.from({ length: count }, (_, i) => batchLine(`r${i}`))

describe('batches of two processes', () => {
  onEveryNewStore(suite)
})

function suite(storeOf: (dir: string) => string): void {
  let dir = ''
  let engines: readonly Engine[] = []
  let one: GatewayProcess
  let other: GatewayProcess
  let adminUrl = ''
  let operator = ''

  const start = async (name: string, engine: Engine, admin: number) =>
    startProcess(dir, name, {
      backends: [engine.url],
      more: {
        batches: { slots: 4 },
        store: storeOf(dir),
        files: { path: join(dir, 'files') },
        admin: { host: '127.0.0.1', port: admin, api: true },
      },
    })

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'batches-'))
    engines = [await startEngine(), await startEngine()]
    const port = await freePort()
    adminUrl = `http://127.0.0.1:${port}`
    one = await start('one', engines[0]!, port)
    other = await start('other', engines[1]!, 0)
    const store = await openStore(storeOf(dir), { log: silent })
    const config = { brand: 'service' } as Parameters<typeof issueOperatorKey>[0]['config']
    const actor = { name: 'command line (root)', address: null }
    operator = (await issueOperatorKey({ store, config, actor, now: systemClock.micros() }, 'alice')).secret
    await store.close()
  })
  after(async () => {
    await Promise.all([one?.stop(), other?.stop()])
    await Promise.all(engines.map(engine => engine.close()))
    rmSync(dir, { recursive: true, force: true })
  })

  /** An operator's change at the first process. */
  async function change(method: string, path: string, body: JsonObject = {}): Promise<JsonObject> {
    const init = { method, headers: { authorization: `Bearer ${operator}` }, body: JSON.stringify(body) }
    const response = await fetch(`${adminUrl}/admin/v1/${path}`, init)
    const json = (await response.json()) as JsonObject
    expect(response.status, JSON.stringify(json)).below(300)
    return json
  }

  /** Both engines receive lines from now on. */
  const busy = () => {
    const before = engines.map(({ arrivals }) => arrivals.length)
    return eventually(() => engines.every(({ arrivals }, i) => arrivals.length > before[i]! + 10), 'lines at both')
  }

  /** Changes something at the first process, and waits until no engine receives lines. */
  async function stopsBoth(work: () => Promise<unknown>): Promise<void> {
    await busy()
    await work()
    await steady(() => engines.reduce((sum, { arrivals }) => sum + arrivals.length, 0), QUIET_MS)
  }

  const cancel = (id: string, key = KEY) =>
    fetch(`${one.url}/v1/batches/${id}/cancel`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })

  async function expectCancelled(id: string, key = KEY): Promise<void> {
    await eventually(async () => (await findBatch(other.url, id, key)).status === 'cancelled', 'the end')
    const { total, completed } = (await findBatch(other.url, id, key)).request_counts
    expect(total).equal(LINES)
    expect(completed).within(1, LINES - 100)
  }

  it('stop when a batch is cancelled at one of them', async () => {
    const id = await createBatch(one.url, names(LINES))
    await stopsBoth(() => cancel(id))
    await expectCancelled(id)
  })

  it('stop when a model is paused at one of them, and go on', async () => {
    const id = await createBatch(other.url, names(LINES))
    await stopsBoth(() => change('POST', 'batches/pause', { model: 'm' }))
    expect((await findBatch(one.url, id)).status).equal('in_progress')
    await change('POST', 'batches/resume', { model: 'm' })
    await busy()
    await cancel(id)
    await expectCancelled(id)
  })

  it('stop when the account is disabled at one of them', async () => {
    const account = await change('POST', 'accounts', { name: 'stored', models: ['m'] })
    const { secret } = await change('POST', `accounts/${account.id}/keys`, { user: 'bob@test' })
    const key = String(secret)
    const id = await createBatch(other.url, names(LINES), key)
    await stopsBoth(() => change('PATCH', `accounts/${account.id}`, { disabled: true }))
    await change('PATCH', `accounts/${account.id}`, { disabled: false })
    await eventually(async () => (await findBatch(other.url, id, key)).status !== undefined, 'the key')
    await expectCancelled(id, key)
  })

  /** Processes that run lines, or have ended and still hold some. */
  async function workers(): Promise<number> {
    const store = await openStore(storeOf(dir), { log: silent })
    const rows = await store.reader.db.selectFrom('batch_workers').select('id').execute()
    await store.close()
    return rows.length
  }

  /** Ends the second process while its engine has lines, which then arrive at the other one. */
  async function move(end: () => Promise<unknown>): Promise<void> {
    const [first, second] = engines as [Engine, Engine]
    const stalled = new Set<string>()
    second.script = (_, request) => {
      stalled.add(promptOf(request))
    }
    // The first engine would answer all lines before a second process that has just started asks for one.
    first.script = async (...request) => {
      await eventually(() => stalled.size > 0, 'a line at the second engine')
      return quick(first.arrivals)(...request)
    }
    const from = first.requests.length
    const id = await createBatch(one.url, names(100))
    let completed = 0
    await eventually(async () => {
      const before = completed
      await sleep(2000)
      completed = (await findBatch(one.url, id)).request_counts.completed
      return stalled.size > 0 && completed > 0 && completed === before
    }, 'the end of the others')
    await end()
    await eventually(() => {
      const seen = new Set(first.requests.slice(from).map(promptOf))
      return [...stalled].every(prompt => seen.has(prompt))
    }, 'these lines at the other engine')
    await eventually(async () => {
      await sleep(200)
      return (await findBatch(one.url, id)).status === 'completed'
    }, 'the end')
    for (const engine of engines) engine.script = quick(engine.arrivals)
  }

  it('give lines back when they end', async () => {
    await move(async () => {
      await other.stop()
      expect(await workers(), 'the lines are free at once').equal(1)
    })
    other = await start('other', engines[1]!, 0)
  })

  it('lose lines to others when they are killed', async () => {
    await move(() => other.kill())
    other = await start('other', engines[1]!, 0)
  })
}
