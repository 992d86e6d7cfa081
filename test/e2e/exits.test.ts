/**
 * Requests that end in every possible way, on two processes with Redis and PostgreSQL. One process is killed meanwhile.
 * `EXITS=10000 npm run unit -- test/e2e/exits.test.ts` sends more requests, then waits until leases of the killed
 * process expire instead of advancing Redis's clock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { creditTotals } from '../../lib/store/credits.ts'
import { openStore, type Store } from '../../lib/store/store.ts'
import {
  delta,
  reply,
  type Script,
  type ScriptedBackend,
  scriptedBackend,
  sendEvent,
  startStream,
  status,
} from '../support/backend.ts'
import { temporaryDirectory } from '../support/cli.ts'
import { eventually, type TestConfig } from '../support/gateway.ts'
import { startProcess } from '../support/processes.ts'
import { usePostgres, useRedis } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const PATIENT = process.env.EXITS !== undefined
const EXITS = Number(process.env.EXITS ?? 1000)
const AT_ONCE = 32
const CENTS = 40
const MICROCENTS = CENTS * 1_000_000
/** A reply has two tokens, so that balances run out before the end. */
const pricing = { input: 1000, cached_input: 1000, output: Math.round((6 * MICROCENTS) / EXITS) }
const RESERVATION_MS = 60_000

const faults: readonly Script[] = [
  status(500, {}),
  status(400, { error: { message: 'no' } }),
  (_res, _seen, req) => void req.socket.destroy(),
  startStream,
  () => {},
  res => {
    startStream(res)
    sendEvent(res, { ...delta({ content: 'a' }), usage: { prompt_tokens: 7, completion_tokens: 1 } })
    setTimeout(() => res.destroy(), 5)
  },
  res => {
    startStream(res)
    for (let i = 1; i <= 3; i++)
      sendEvent(res, { ...delta({ content: 'a' }), usage: { prompt_tokens: 7, completion_tokens: i } })
  },
]

describe('exits of every kind', () => {
  const redis = useRedis()
  const postgres = usePostgres()
  const directory = temporaryDirectory()
  const accounts = Array.from({ length: 3 }, () => crypto.randomUUID())
  const backends: ScriptedBackend[] = []
  let raw: Redis
  let store: Store
  let watching = true
  let watched: Promise<void> | undefined
  before(async () => {
    raw = new Redis(redis())
    store = await openStore(postgres(), { log: silent })
    for (let i = 0; i < 4; i++) {
      const script: Script = (res, seen, req) => {
        const one = Math.random() < 0.75 ? reply('some words more') : faults[Math.floor(Math.random() * faults.length)]!
        setTimeout(() => void one(res, seen, req), Math.random() * 20)
      }
      backends.push(await scriptedBackend(script))
    }
  })
  after(async () => {
    watching = false
    await watched
    await store?.close()
    raw?.disconnect()
    for (const backend of backends) await backend.close()
  })

  const balanceOf = async (account: string) => {
    const [spent, reserved] = await raw.hmget(`sluiceway:{${account}}:balance`, 'spent', 'reserved')
    return { spent: Number(spent), reserved: Number(reserved) }
  }
  const leasesOf = (account: string) => raw.zcount(`sluiceway:{${account}}:leases`, Date.now(), '+inf')
  const reservationsOf = (account: string) => raw.zcard(`sluiceway:{${account}}:expiries`)
  const sum = async (count: (account: string) => Promise<number>) =>
    (await Promise.all(accounts.map(count))).reduce((all, one) => all + one, 0)

  it(`leave nothing in flight or reserved, charge what the records say, and no balance below zero (${EXITS})`, async function () {
    // Longer than all waits below together, so that the last assertion reports the difference.
    this.timeout(240_000 + EXITS * 30 + (PATIENT ? 2 * RESERVATION_MS : 0))
    const options: TestConfig = {
      backends: backends.map(({ url }) => url),
      model: { pricing },
      more: {
        limits_store: redis(),
        store: postgres(),
        plans: { p: { concurrency: 6, requests: { limit: 10 * EXITS, window: '30d' } } },
        accounts: accounts.map((id, i) => ({
          ...{ id, name: id, kind: 'serverless', plan: 'p', models: ['*'], credits_cents: CENTS },
          members: [{ user: 'alice@test', role: 'owner' }],
          keys: [{ id: `k${i}`, user: 'alice@test', kind: 'serverless', secret: `service_test_${i}` }],
        })),
      },
    }
    const dir = directory()
    const gateways = await Promise.all(['a', 'b'].map(name => startProcess(dir, name, options)))
    let lowest = MICROCENTS
    let most = 0
    const watch = async () => {
      while (watching) {
        for (const account of accounts) {
          const { spent, reserved } = await balanceOf(account)
          lowest = Math.min(lowest, MICROCENTS - spent - reserved)
          most = Math.max(most, await leasesOf(account))
        }
        await sleep(10)
      }
    }
    watched = watch()
    const outcomes = new Map<string, number>()
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const one = async (i: number) => {
      const body = JSON.stringify({
        ...{ model: i % 17 === 0 ? 'none' : 'm', messages: [{ role: 'user', content: 'Hello' }] },
        ...{ max_tokens: 10 + Math.floor(Math.random() * 20), stream: Math.random() < 0.6 },
      })
      try {
        const response = await fetch(`${gateways[i % 2]!.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer service_test_${i % 3}`, 'content-type': 'application/json' },
          body: i % 19 === 0 ? body.slice(0, -1) : body,
          signal: AbortSignal.timeout(Math.random() < 0.2 ? 2 + Math.floor(Math.random() * 30) : 1000),
        })
        const text = await response.text()
        if (response.status === 429 || response.status === 503) await sleep(20 + Math.random() * 100)
        count(response.status === 200 && text.includes('"error"') ? 'broken' : String(response.status))
      } catch (error) {
        const { name } = error as Error
        if (name === 'TimeoutError') count('aborted')
        else if (name === 'TypeError') count('killed')
        else throw error
      }
    }
    let next = 0
    const work = async () => {
      while (next < EXITS) await one(next++)
    }
    const workers = Array.from({ length: AT_ONCE }, work)
    await eventually(() => next > EXITS / 3, 'a third of the exits', EXITS * 30)
    const victim = gateways[1]!
    gateways[1] = gateways[0]!
    await victim.kill()
    const killed = Date.now()
    gateways[1] = await startProcess(dir, 'b', options)
    await Promise.all(workers)
    const ended = Date.now()
    for (const backend of backends) backend.script = reply()

    // Leases of the killed process expire. Those of the other process are released at once.
    await eventually(async () => (await sum(leasesOf)) === 0, 'no lease')
    const leasesMs = Date.now() - ended
    const expiries = await Promise.all(
      accounts.map(account => raw.zrange(`sluiceway:{${account}}:expiries`, '0', '-1', 'WITHSCORES')),
    )
    const left = expiries.flatMap(list => list.filter((_, i) => i % 2 === 1).map(Number))
    for (const expiry of left) expect(expiry).most(killed + RESERVATION_MS + 1000)
    if (PATIENT) await sleep(Math.max(0, ...left.map(expiry => expiry - Date.now() + 10)))
    else
      for (const account of accounts)
        for (const id of await raw.zrange(`sluiceway:{${account}}:expiries`, '0', '-1'))
          await raw.zadd(`sluiceway:{${account}}:expiries`, 1, id)

    // One request per account applies expired leases and the ledger.
    const recorded = async (account: string) => {
      const query = sql<{
        sum: string | null
      }>`select sum(cost_microcents) as sum from requests where account_id = ${account}`
      return Number((await query.execute(store.db)).rows[0]?.sum ?? 0)
    }
    const charged = async (account: string) => (await creditTotals(store, [account])).get(account)?.charged ?? 0
    const disagreements = async () => {
      const found: string[] = []
      for (const [i, account] of accounts.entries()) {
        const { spent, reserved } = await balanceOf(account)
        const numbers = { spent, charged: await charged(account), recorded: await recorded(account) }
        const left = { reserved, reservations: await reservationsOf(account) }
        const agree = spent === numbers.charged && spent === numbers.recorded
        if (!agree || left.reserved > 0 || left.reservations > 0)
          found.push(`account ${i}: ${JSON.stringify({ ...numbers, ...left })}`)
      }
      return found.join('; ')
    }
    const settles = async () => {
      for (let i = 0; i < 3; i++) {
        const headers = { authorization: `Bearer service_test_${i}`, 'content-type': 'application/json' }
        const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1 })
        await (await fetch(`${gateways[0]!.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
      }
      const deadline = Date.now() + 10_000
      while ((await disagreements()) !== '') {
        if (Date.now() > deadline) return false
        await sleep(100)
      }
      return true
    }
    // Records are in the store after half a second, and the ledger is read every two seconds. On a busy machine both
    // take longer, so further requests are sent.
    for (let i = 0; i < 6; i++) {
      await sleep(4000)
      if (await settles()) break
    }
    expect(await disagreements(), 'Redis, the ledger and the records').equal('')
    watching = false
    await watched
    for (const gateway of gateways) await gateway.stop()

    const spent = await Promise.all(accounts.map(charged))
    const show = [...outcomes].map(([outcome, times]) => `${outcome} ${times}`).join(', ')
    console.log(
      `      ${show}; ${left.length} reservations left by the killed process; leases free after ${leasesMs} ms`,
    )
    console.log(
      `      spent ${spent.join(', ')} of ${MICROCENTS} micro-cents each; lowest balance ${lowest}, most at once ${most}`,
    )
    expect(lowest).least(0)
    expect(most).within(2, 6)
    for (const one of spent) expect(one).within(1, MICROCENTS)
    for (const outcome of ['200', '400', '404', '429', 'aborted', 'killed'])
      expect(outcomes.get(outcome), outcome).above(0)
  })
})
