/** Batches whose model or plan a reload changes while their lines wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { parseConfig } from '../../lib/config/read.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { batchLine, CHAT, createBatch, findBatch, resultLines } from '../support/batch-client.ts'
import { configFile, eventually, steady, type TestGateway, testGateway } from '../support/gateway.ts'

const LINES = 20
/** Longer than a process takes to ask for the next lines. */
const ROUND_MS = 1500
/** Several rounds of the process. */
const QUIET_MS = 4000
const ids = Array.from({ length: LINES }, (_, i) => `r${i}`)
const pricing = { input: 100, output: 100 }

describe('batches over a reload', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let release: () => void

  /** The configuration with a model `n`, or without, and a plan with this member. */
  const configOf = (hasModel: boolean, batches: JsonObject | boolean) => ({
    backends: [],
    account: { plan: 'pro', credits_cents: 1000 },
    more: {
      batches: { slots: 4 },
      plans: { pro: { tier: 'pro', batches } },
      models: [
        { id: 'm', backends: [{ url: backend.url, engine: 'vllm' }] },
        ...(hasModel ? [{ id: 'n', pricing, backends: [{ url: backend.url, engine: 'vllm' }] }] : []),
      ],
    },
  })
  const reload = (...changes: Parameters<typeof configOf>) => {
    const text = JSON.stringify(configFile(gateway.dir, configOf(...changes) as never))
    return gateway.gateway.reload(parseConfig(text, { baseDir: gateway.dir, env: {}, fileName: 'test.json' }))
  }

  beforeEach(async () => {
    const released = Promise.withResolvers<void>()
    release = released.resolve
    backend = await scriptedBackend(async (...request) => {
      await released.promise
      return reply()(...request)
    })
    gateway = await testGateway(configOf(true, { price_factor: 0.25 }) as never)
  })
  afterEach(async () => {
    release()
    await gateway?.close()
    await backend?.close()
  })

  /** Creates a batch for the model `n`, some of whose lines are in flight. */
  async function begun(): Promise<string> {
    const id = await createBatch(
      gateway.url,
      ids.map(one => batchLine(one, { model: 'n' })),
    )
    await eventually(() => backend.requests.length > 0, 'lines in flight')
    expect(await steady(() => backend.requests.length, ROUND_MS)).below(LINES)
    return id
  }

  async function completed(id: string): Promise<void> {
    await eventually(async () => {
      await sleep(200)
      return (await findBatch(gateway.url, id)).status === 'completed'
    }, 'the end')
    const batch = await findBatch(gateway.url, id)
    expect(batch.request_counts).deep.equal({ total: LINES, completed: LINES, failed: 0 })
    const output = (await resultLines(gateway.url, batch.output_file_id))!
    expect(output.map(({ custom_id }) => custom_id).toSorted()).deep.equal(ids.toSorted())
    expect(backend.requests.length).equal(LINES)
  }

  it('wait for a model that is removed, and go on when it is there again', async () => {
    const id = await begun()
    await reload(false, true)
    release()
    await eventually(async () => {
      await sleep(200)
      return (await findBatch(gateway.url, id)).request_counts.completed === backend.requests.length
    }, 'the lines in flight')
    const { length } = backend.requests
    await sleep(QUIET_MS)
    expect(backend.requests.length).equal(length).and.below(LINES)
    expect((await findBatch(gateway.url, id)).status).equal('in_progress')
    await reload(true, true)
    await completed(id)
  })

  it('run on when the plan has no batches any more, and no others begin', async () => {
    const id = await begun()
    const { length } = backend.requests
    await reload(true, false)
    const body = { input_file_id: 'file-1', endpoint: CHAT, completion_window: '24h' }
    const refused = await gateway.post('/v1/batches', body)
    expect(refused.status, await refused.text()).equal(403)
    release()
    await completed(id)
    const costs = gateway.records().flatMap(({ surface, cost_microcents: cost }) => (surface === 'batch' ? [cost] : []))
    const count = (cost: number) => costs.filter(one => one === cost).length
    // 7 tokens, for a quarter of the price, and then for the half of it that is the default.
    expect([count(175), count(350)]).deep.equal([length, LINES - length])
  })
})
