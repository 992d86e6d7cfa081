/** Mixed traffic: records, usage reports, the ledger and Redis must agree. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { isObject, type JsonObject, parseJson } from '../../lib/base/json.ts'
import { openStore } from '../../lib/store/store.ts'
import { delta, type ScriptedBackend, scriptedBackend, sendEvent, startStream } from '../support/backend.ts'
import { temporaryDirectory } from '../support/cli.ts'
import { eventually, KEY } from '../support/gateway.ts'
import { startProcess } from '../support/processes.ts'
import { type RedisServer, redisServer, usePostgres } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const PRICE = { input: 10, cached_input: 2, output: 40 }
const CENTS = 1_000_000

/** How the backend serves a request, and how the client behaves. */
const KINDS = [
  'whole',
  'streamed',
  'cut',
  'choices',
  'batch',
  'retried',
  'aborted',
  'choices-aborted',
  'broken',
  'failed',
  'uncounted',
  'uncounted-stream',
  'uncounted-aborted',
  'uncounted-broken',
] as const
type Kind = (typeof KINDS)[number]

interface Told {
  input: number
  output: number
  cached: number
}

/** Serves by the kind that the prompt names, and remembers the usage that it has reported last. */
function bookkeepingBackend() {
  const told = new Map<string, Told>()
  const attempts = new Map<string, number>()
  const script: ScriptedBackend['script'] = async (res, { body }) => {
    const { id, kind } = orderOf(body)
    const attempt = (attempts.get(id) ?? 0) + 1
    attempts.set(id, attempt)
    if (kind === 'retried' && attempt === 1) return void res.destroy()
    if (kind === 'failed') {
      res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"out of luck"}}')
      return
    }
    const isCounted = !kind.startsWith('uncounted')
    const tell = (usage: Told): JsonObject => {
      if (!isCounted) return {}
      told.set(id, usage)
      const { input, output, cached } = usage
      const prompt_tokens_details = { cached_tokens: cached }
      return { usage: { prompt_tokens: input, completion_tokens: output, prompt_tokens_details } }
    }
    const input = 100 + (Number.parseInt(id.slice(0, 4), 16) % 500)
    const cached = Math.floor(input / 3)
    const several = kind.startsWith('choices') || kind === 'batch' ? 2 : 1
    if (body.stream !== true) {
      const choices = Array.from({ length: several }, (_, index) => ({
        ...{ index, finish_reason: 'stop' },
        ...(body.prompt === undefined
          ? { message: { role: 'assistant', content: 'word '.repeat(9) } }
          : { text: 'word' }),
      }))
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(
        JSON.stringify({ id: 'c', created: 1, model: 'm', choices, ...tell({ input, output: 9 * several, cached }) }),
      )
      return
    }
    await stream(res, kind, several, output => tell({ input, output, cached }))
    // The usage of a chunk is that of its choice. The usage of the request is their sum.
    if (kind === 'choices-aborted') told.set(id, { input, output: 4 * several, cached })
  }
  return { script, told }
}

/** Each event has the usage of its choice so far, like engines that report continuous usage. */
async function stream(
  res: ServerResponse,
  kind: Kind,
  several: number,
  tell: (output: number) => JsonObject,
): Promise<void> {
  startStream(res)
  for (let token = 1; token <= 8; token++) {
    if (several === 1) sendEvent(res, { ...delta({ content: `word${token} ` }), ...tell(token) })
    else {
      for (const index of [0, 1])
        sendEvent(res, {
          ...{ id: 'c', choices: [{ index, delta: { content: `word${token} ` }, finish_reason: null }] },
          ...(kind.endsWith('aborted') && tell(token)),
        })
    }
    if (token < 4) continue
    if (kind.endsWith('aborted')) return
    if (!kind.endsWith('broken')) continue
    await sleep(20)
    return void res.destroy()
  }
  const finish_reason = kind === 'cut' ? 'length' : 'stop'
  for (let index = 0; index < several; index++)
    sendEvent(res, { id: 'c', choices: [{ index, delta: {}, finish_reason }] })
  sendEvent(res, { id: 'c', choices: [], ...tell(8 * several) })
  res.end('data: [DONE]\n\n')
}

function orderOf({ messages, prompt }: JsonObject): { readonly id: string; readonly kind: Kind } {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  const text = isObject(last) ? last.content : Array.isArray(prompt) ? prompt[0] : prompt
  return parseJson(String(text)) as unknown as { id: string; kind: Kind }
}

/** Sends a request of this kind, and reads its reply like its client. Returns the status. */
async function send(url: string, id: string, kind: Kind, isStream: boolean): Promise<number> {
  const content = JSON.stringify({ id, kind, text: 'words to read '.repeat(20) })
  const isBatch = kind === 'batch'
  const stream =
    !isBatch && (isStream || !['whole', 'choices', 'failed', 'retried'].includes(kind)) && kind !== 'uncounted'
  const body = isBatch
    ? { model: 'm', prompt: [content, 'more'], max_tokens: 50 }
    : {
        model: 'm',
        stream,
        max_tokens: 50,
        ...(kind.startsWith('choices') && { n: 2 }),
        messages: [{ role: 'user', content }],
      }
  const leaving = new AbortController()
  const response = await fetch(`${url}/v1/${isBatch ? '' : 'chat/'}completions`, {
    ...{ method: 'POST', body: JSON.stringify(body), signal: leaving.signal },
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', connection: 'close' },
  })
  if (!kind.endsWith('aborted') || response.status !== 200) {
    await response.text().catch(() => '')
    return response.status
  }
  let seen = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body!) {
    seen += decoder.decode(piece as Uint8Array, { stream: true })
    if (seen.split('word4').length > (kind.startsWith('choices') ? 2 : 1)) break
  }
  leaving.abort()
  return 499
}

function books(storeUrl: () => string | undefined, processCount: number, brokenStreams: 'free' | 'delivered'): void {
  const directory = temporaryDirectory()
  let redis: RedisServer
  before(async () => {
    const own = await redisServer(['--save', '', '--appendonly', 'no'])
    if (own === undefined) throw new Error('redis-server is needed: apt-get install redis-server')
    redis = own
  })
  after(() => redis?.stop())

  it(`agree to the token with ${processCount} processes, broken streams ${brokenStreams}`, async () => {
    const dir = directory()
    const { script, told } = bookkeepingBackend()
    const backends = [await scriptedBackend(script), await scriptedBackend(script)]
    const account = randomUUID()
    const store = storeUrl() ?? `sqlite:${join(dir, 'shared.db')}`
    const options = {
      backends: backends.map(({ url }) => url),
      model: { pricing: PRICE },
      account: { id: account, credits_cents: 100 },
      more: { store, limits_store: redis.url, credits: { broken_streams: brokenStreams } },
    }
    const processes = await Promise.all(
      Array.from({ length: processCount }, (_, index) => startProcess(dir, `process-${index}`, options)),
    )
    const opened = await openStore(store, { log: silent })
    const raw = new Redis(redis.url)
    try {
      const statuses = new Map<string, { readonly kind: Kind; readonly status: number }>()
      const visit = async (kind: Kind, turn: number) => {
        const id = randomUUID()
        const status = await send(processes[turn % processCount]!.url, id, kind, turn % 3 === 0)
        statuses.set(id, { kind, status })
      }
      for (let round = 0; round < 6; round++) {
        if (round === 3) redis.hang()
        await Promise.all(KINDS.map((kind, i) => visit(kind, round + i)))
        if (round === 3) redis.resume()
      }
      const sent = statuses.size
      const stored = async () => {
        const rows = await opened.db.selectFrom('requests').selectAll().where('account_id', '=', account).execute()
        const errors = await opened.db
          .selectFrom('request_errors')
          .selectAll()
          .where('account_id', '=', account)
          .execute()
        return [...new Map([...rows, ...errors].map(row => [row.id, row])).values()]
      }
      await eventually(async () => (await stored()).length === sent, 'a record of each request')
      const records = await stored()
      const sum = (numbers: readonly (number | null)[]) => numbers.reduce<number>((total, one) => total + (one ?? 0), 0)

      // Records have exactly the tokens that the backend has reported.
      const counted = records.filter(record => record.usage_present)
      const reported = [...told.values()]
      expect(sum(counted.map(record => record.input_tokens))).equal(sum(reported.map(one => one.input)))
      expect(sum(counted.map(record => record.output_tokens))).equal(sum(reported.map(one => one.output)))
      expect(sum(counted.map(record => record.cache_read_tokens))).equal(sum(reported.map(one => one.cached)))
      // Without a report, they have an estimate of everything that was delivered.
      const uncounted = records.filter(record => !record.usage_present && record.input_tokens !== null)
      const served = [...statuses.values()].filter(({ status }) => status === 200 || status === 499)
      expect(uncounted)
        .lengthOf(served.filter(({ kind }) => kind.startsWith('uncounted')).length)
        .above(10)
      for (const { input_tokens, output_tokens } of uncounted) {
        expect(input_tokens).above(20)
        expect(output_tokens).above(3)
      }

      // The ledger has the tokens of each record at their price, except for free streams.
      const cost = (record: (typeof records)[number]) => {
        const isFree = record.stream_error_type !== null && brokenStreams === 'free'
        const [input, output, cached] = [record.input_tokens, record.output_tokens, record.cache_read_tokens].map(
          Number,
        )
        return isFree ? 0 : (input! - cached!) * PRICE.input + cached! * PRICE.cached_input + output! * PRICE.output
      }
      for (const record of records) expect(record.cost_microcents ?? 0, record.id).equal(cost(record))
      expect(records.filter(record => record.stream_error_type !== null)).length.above(5)
      const spent = sum(records.map(cost))
      const entries = await opened.db
        .selectFrom('credits_ledger')
        .selectAll()
        .where('account_id', '=', account)
        .execute()
      expect(-sum(entries.map(entry => entry.amount_microcents))).equal(spent)
      const balance = async (member: string) => Number(await raw.hget(`sluiceway:{${account}}:balance`, member))
      await eventually(async () => (await balance('reserved')) === 0, 'no reservation')
      await eventually(async () => (await balance('spent')) === spent, 'all settlements')

      // Usage reports are sums of the records, also for two adjacent periods.
      const usage = async (query: string) => {
        const response = await fetch(`${processes[0]!.url}/v1/usage/me?${query}`, {
          headers: { authorization: `Bearer ${KEY}` },
        })
        const { total_input_tokens, total_output_tokens, total_cache_read_tokens, total_requests } =
          (await response.json()) as Record<string, number>
        return [total_input_tokens!, total_output_tokens!, total_cache_read_tokens!, total_requests!]
      }
      const used = records.filter(
        record => record.dispatched && (record.status_code < 400 || Number(record.input_tokens) > 0),
      )
      const totals = [
        sum(used.map(record => record.input_tokens)),
        sum(used.map(record => record.output_tokens)),
        sum(used.map(record => record.cache_read_tokens)),
        used.length,
      ]
      expect(sum(records.map(record => record.input_tokens))).equal(totals[0])
      expect(await usage('period=1d')).deep.equal(totals)
      const times = records.map(record => record.created_at).sort((a, b) => a - b)
      const iso = (micros: number) => encodeURIComponent(new Date(micros / 1000).toISOString())
      const day = 86_400_000_000
      const middle = Math.floor(times[times.length >> 1]! / 1000) * 1000
      const [before, after] = await Promise.all([
        usage(`start_at=${iso(middle - day)}&end_at=${iso(middle)}`),
        usage(`start_at=${iso(middle)}&end_at=${iso(middle + day)}`),
      ])
      expect(before.map((count, i) => count + after[i]!)).deep.equal(totals)
      expect(before[3]).above(5)
      expect(spent).below(100 * CENTS)
    } finally {
      redis.resume()
      raw.disconnect()
      await Promise.all(processes.map(one => one.stop()))
      await opened.close()
      for (const backend of backends) await backend.close()
    }
  }).timeout(240_000)
}

describe('the books of a day', () => {
  describe('on SQLite', () => {
    books(() => undefined, 2, 'delivered')
    books(() => undefined, 4, 'free')
  })
  describe('on PostgreSQL', () => {
    const postgres = usePostgres()
    books(postgres, 2, 'free')
    books(postgres, 4, 'delivered')
  })
})
