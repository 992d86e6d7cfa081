/** The money of lines in Redis: a line whose process is killed before its result is durable is charged once. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { openStore } from '../../lib/store/store.ts'
import { reply, scriptedBackend } from '../support/backend.ts'
import { batchLine, createBatch, findBatch } from '../support/batch-client.ts'
import { temporaryDirectory } from '../support/cli.ts'
import { eventually } from '../support/gateway.ts'
import { startProcess } from '../support/processes.ts'
import { useRedis } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const LINES = 4
/** Longer than a process takes to append and charge results. */
const SETTLED_MS = 1000

describe('the money of batches in Redis', () => {
  const url = useRedis()
  const directory = temporaryDirectory()

  it('is that of the ledger after a process is killed that has replies, but no durable results', async () => {
    const account = crypto.randomUUID()
    const store = `sqlite:${join(directory(), 'store.db')}`
    const files = join(directory(), 'files')
    const incoming = join(files, 'incoming')
    const away = join(files, 'away')
    const answers = Promise.withResolvers<void>()
    const backend = await scriptedBackend(async (...request) => {
      await answers.promise
      return reply()(...request)
    })
    const start = () =>
      startProcess(directory(), 'a', {
        backends: [backend.url],
        model: { pricing: { input: 1000, output: 1000 } },
        account: { id: account, plan: 'p', credits_cents: 1_000_000 },
        more: {
          ...{ batches: {}, store, files: { path: files }, limits_store: url() },
          plans: { p: { limits: { budget_cents: { amount: 1_000_000, window: '365d' } } } },
        },
      })
    const raw = new Redis(url())
    let gateway = await start()
    try {
      const id = await createBatch(
        gateway.url,
        Array.from({ length: LINES }, (_, i) => batchLine(`r${i}`)),
      )
      await eventually(async () => backend.requests.length === LINES, 'all lines')
      // Results cannot be written.
      renameSync(incoming, away)
      answers.resolve()
      await sleep(SETTLED_MS)
      await gateway.kill()
      renameSync(away, incoming)
      gateway = await start()
      const isDone = async () => {
        // Polling is limited per minute.
        await sleep(500)
        return (await findBatch(gateway.url, id)).status === 'completed'
      }
      await eventually(isDone, 'the end', 60_000)
      expect(backend.requests, 'each line has run twice').length(2 * LINES)
      await sleep(SETTLED_MS)
      await gateway.stop()

      const ledger = await openStore(store, { log: silent })
      const row = await ledger.db.selectFrom('credit_balances').selectAll().executeTakeFirstOrThrow()
      await ledger.close()
      expect(row.charged_microcents).greaterThan(0)
      const keys = await raw.keys(`sluiceway:{${account}}:balance*`)
      expect(keys, 'credits, and the budget of the plan').length(2)
      for (const key of keys) expect(Number(await raw.hget(key, 'spent')), key).equal(row.charged_microcents)
    } finally {
      answers.resolve()
      await gateway.kill()
      await backend.close()
      raw.disconnect()
    }
  })
})
