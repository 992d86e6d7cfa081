// What the pictures of console-screenshots.mjs show: a gateway in front of simulated engines, with a month of usage,
// batches in each state, and values that are as long and as large as real ones.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'

const { openStore } = await import('../lib/store/store.ts')
const { batchLine, createBatch } = await import('../test/support/batch-client.ts')
const { CAROL_KEY, consoleGateway, OTHER } = await import('../test/support/console.ts')
const { ACCOUNT, KEY } = await import('../test/support/gateway.ts')
const { writeHistory } = await import('../test/support/history.ts')
const { operatorKey } = await import('../test/support/operators.ts')
const { insertRecords, makeRecord } = await import('../test/support/record.ts')
const { simulatorWith } = await import('../test/support/simulator.ts')

const DAY = 86_400_000
/** 40 characters each. */
export const LONG_MODEL = 'meta-llama/Llama-3.3-70B-Instruct-FP8-KV'
const LONG_ACCOUNT = 'Universität Heidelberg, Rechenzentrum II'
const LONG_USER = 'maximiliane.schwarzenberger@example.test'
/** Its name has no address, so it is down. */
export const LONG_URL = 'http://vllm-0.vllm.inference.svc.cluster.local:8000/v1'
/** Nothing listens there. */
const DEAD_URL = 'http://127.0.0.1:9/v1'
const BATCH_KEY = 'service_secret_of_batches'

const PRICING = { input: 250, output: 1000 }
const upstream = url => ({ url, model: 'upstream-m', engine: 'vllm' })
const model = (id, urls, more = {}) => ({
  ...{ id, max_model_len: 8192, pricing: PRICING, backends: urls.map(upstream) },
  ...more,
})

const member = (user, role) => ({ user, role })
const key = (id, user, secret) => ({ id, user, secret, kind: 'serverless' })
const account = (id, name, more) => ({ id, name, kind: 'serverless', models: ['*'], plan: 'team', ...more })

function settings(engine, slow) {
  const fallback = { routing: { policy: 'least_load' } }
  return {
    admin: { host: '127.0.0.1', port: 0, api: true },
    batches: { growth: 10, max_added_ttft_ms: 1000, slots: 4 },
    brand: 'acme',
    console: { alerts: true },
    environment: 'staging',
    stored_models: true,
    plans: {
      team: {
        requests: { limit: 100_000, window: '30d' },
        batches: { price_factor: 0.5 },
        limits: { requests_per_minute: 600, budget_cents: { amount: 20_000_000, window: '30d' } },
      },
      'enterprise-with-reserved-capacity-2026': { batches: { price_factor: 0.5 } },
    },
    models: [
      model('m', [engine, DEAD_URL], { queue: { max: 100, max_wait_ms: 10_000 }, ...fallback }),
      model('slow', [slow, LONG_URL], { capabilities: { reasoning: true }, ...fallback }),
      model(LONG_MODEL, [LONG_URL, LONG_URL.replace('vllm-0', 'vllm-1')]),
    ],
    accounts: [
      account(ACCOUNT, 'test', {
        credits_cents: 12_345_678,
        members: [member('alice@test', 'owner'), member('carol@test', 'member'), member(LONG_USER, 'member')],
        keys: [key('k1', 'alice@test', KEY), key('k2', 'carol@test', CAROL_KEY)],
      }),
      account(OTHER, 'other', {
        members: [member('bob@test', 'owner')],
        keys: [key('k3', 'bob@test', BATCH_KEY)],
      }),
    ],
  }
}

/** Records of a month, with three models and accounts, in waves. The largest have billions of tokens in all. */
function monthOfUsage(now, university) {
  const records = []
  for (let day = 1; day < 30; day++) {
    for (const [name, account_id, user, size] of [
      ['m', ACCOUNT, 'alice@test', 400_000],
      ['slow', ACCOUNT, 'carol@test', 250_000],
      [LONG_MODEL, university, LONG_USER, 8_000_000],
      ['m', OTHER, 'bob@test', 12_000],
    ]) {
      const wave = 1 + Math.sin((day + size / 100_000) / 3)
      const created_at = (now - day * DAY) * 1000
      const tokens = { input_tokens: Math.round(size * 10 * wave), output_tokens: Math.round(size * wave) }
      const owner = { account_id, user_id: user, surface: 'gateway', endpoint: null, model_resolved: name }
      for (let i = 0; i < 3; i++) records.push(makeRecord({ ...owner, ...tokens, created_at: created_at - i }))
    }
  }
  return records
}

const CODES = ['upstream_unreachable', 'rate_limit_exceeded', 'context_length_exceeded']

/** Sixty requests of the last hours, more than a page has, of which some have failed. */
function recentRequests(now) {
  return Array.from({ length: 60 }, (_, at) => {
    const isFailed = at % 9 === 4
    return makeRecord({
      ...{ surface: 'gateway', endpoint: null, account_id: ACCOUNT, key_id: 'k1', user_id: 'alice@test' },
      ...{ model_requested: LONG_MODEL, model_resolved: LONG_MODEL, backend: LONG_URL, client: 'claude-code' },
      created_at: (now - 3_600_000 - at * 400_000) * 1000,
      total_latency_ms: 1200 + at * 317,
      ttft_ms: 120 + at * 23,
      input_tokens: at === 20 ? 12_345_678 : 1000 + at * 350,
      output_tokens: 200 + at * 31,
      cost_microcents: 123_456 * at,
      ...(isFailed && {
        ...{ status_code: [502, 429, 400][at % 3], error_code: CODES[at % 3], error_message: 'Try again later.' },
        ...{ ttft_ms: null, output_tokens: null, usage_present: false },
      }),
    })
  })
}

/** A request whose first two attempts failed, so that a backend of another model has answered. */
function requestWithFallback(now) {
  const attempt = (backend, started_ms, ms, more = {}) => ({
    ...{ backend, started_ms, ms, model: LONG_MODEL, routed: 'least_load', reason: null, status: null },
    ...{ tokens: null, prompt_tokens: null, first_token_ms: null, cached_tokens: null },
    ...{ predicted_ms: 180, predicted_cached_tokens: 512 },
    ...more,
  })
  return makeRecord({
    ...{ surface: 'gateway', endpoint: null, account_id: ACCOUNT, key_id: 'k1', user_id: 'alice@test' },
    ...{ model_requested: LONG_MODEL, model_resolved: 'm', client: 'python_openai', session: 'agent-7' },
    created_at: (now - 1_800_000) * 1000,
    ...{ total_latency_ms: 4820, duration_ms: 4565, ttft_ms: 1890, queue_ms: 235, first_byte_ms: 1600 },
    ...{ attempts: 3, backend: 'http://127.0.0.1:22107/v1', stall_count: 1 },
    attempt_list: [
      attempt(LONG_URL, 250, 620, { reason: 'unreachable' }),
      attempt(LONG_URL.replace('vllm-0', 'vllm-1'), 880, 740, { reason: 'status 503', status: 503 }),
      attempt('http://127.0.0.1:22107/v1', 1630, 3180, {
        ...{ model: 'm', status: 200, tokens: 200, prompt_tokens: 1000, first_token_ms: 260, cached_tokens: 400 },
      }),
    ],
  })
}

/** Sends typical requests: answered, streamed, refused, failed. */
async function traffic(url, count) {
  const messages = [{ role: 'user', content: 'Say hello.' }]
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const failing = { messages: [{ role: 'user', content: 'simulate: status=500' }] }
  const kinds = [{}, { stream: true }, { max_tokens: 1_000_000 }, { stream: true }, { model: 'nope' }, {}, failing]
  for (let i = 0; i < count; i++) {
    for (const more of [...kinds, { model: LONG_MODEL }]) {
      const body = JSON.stringify({ model: 'm', messages, ...more })
      await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
    }
  }
}

/** Batches that have ended, were refused, run, and wait for a paused model. Resolves with ids of the first two. */
async function startBatches(url, api) {
  const lines = (count, more) => Array.from({ length: count }, (_, at) => batchLine(`question-${at}`, more))
  const long = { messages: [{ role: 'user', content: 'word '.repeat(20_000) }] }
  const ended = await createBatch(url, [...lines(12), batchLine('too-long', long)])
  const refused = await createBatch(url, [batchLine('a'), batchLine('a'), '{"no": "line"}', 'no JSON'])
  while ((await api('GET', '/batches?status=unfinished')).batches.length > 0) await sleep(200)
  await api('POST', '/batches/pause', { model: LONG_MODEL })
  await createBatch(url, lines(2000, { model: LONG_MODEL }))
  await createBatch(url, lines(900, { model: 'slow', max_tokens: 400 }), BATCH_KEY)
  await createBatch(url, lines(1500, { model: 'slow', max_tokens: 400 }))
  return { ended, refused }
}

/** Many keys with labels, of which one is disabled and one has limits. */
async function createKeys(api) {
  for (let at = 0; at < 14; at++) {
    const label = at === 0 ? 'continuous-integration-of-the-web-frontend' : `service-${at}`
    const limits = at === 3 ? { limits: { requests_per_minute: 60, budget_cents: { amount: 5000, window: '1d' } } } : {}
    const user = at % 3 === 0 ? LONG_USER : 'alice@test'
    const { id } = await api('POST', `/accounts/${ACCOUNT}/keys`, { user, kind: 'serverless', label, ...limits })
    if (at === 5) await api('PATCH', `/keys/${id}`, { disabled: true })
  }
}

/** Starts everything but batches. */
export async function openScene() {
  const options = { answer_tokens: 60, first_token_ms: 120, models: [{ id: 'upstream-m', max_model_len: 8192 }] }
  const engine = await simulatorWith({ ...options, tokens_per_second: 200 })
  const slow = await simulatorWith({ ...options, tokens_per_second: 20, first_token_ms: 400 })
  const urls = [`${engine.root}/v1`, `${slow.root}/v1`]
  const gateway = await consoleGateway(...urls, settings(...urls))
  const operators = gateway.gateway.adminUrl
  const { secret } = await operatorKey(gateway, 'alice', 'acme')
  const api = async (method, path, body) => {
    const init = { method, headers: { authorization: `Bearer ${secret}` }, body: JSON.stringify(body) }
    const response = await fetch(`${operators}/admin/v1${path}`, init)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const university = await api('POST', '/accounts', {
    ...{ name: LONG_ACCOUNT, kind: 'serverless', plan: 'enterprise-with-reserved-capacity-2026' },
    ...{ credits_cents: 12_345_678, members: [{ user: LONG_USER, role: 'owner' }], models: [LONG_MODEL, 'slow'] },
  })
  const note = 'Invoice 2026-11-0042, framework agreement of the state of Baden-Württemberg'
  await api('POST', `/accounts/${university.id}/credits`, { amount_cents: 987_654_321, note })
  await createKeys(api)
  await api('POST', '/models', { id: 'stored', backends: [upstream(urls[0])], aliases: ['chat', 'default-chat-model'] })

  const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: pino({ level: 'silent' }) })
  const now = Date.now()
  await insertRecords(store, [...monthOfUsage(now, university.id), ...recentRequests(now)])
  const fallback = requestWithFallback(now)
  await insertRecords(store, [fallback])
  await store.close()
  await writeHistory(gateway, urls[0])
  await traffic(gateway.url, 3)
  return {
    ...{ gateway, operators, secret, university: university.id, fallback: fallback.id, engine: urls[0] },
    startBatches: () => startBatches(gateway.url, api),
  }
}
