/** Each rule of deploy/prometheus/rules.yml fires when its cause happens to a gateway, and none fires without one. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import OpenAI, { toFile } from 'openai'
import { pino } from 'pino'
import type { JsonObject } from '../../lib/base/json.ts'
import { defaultChain } from '../../lib/config/default-chain.ts'
import { pauseModel } from '../../lib/store/batches.ts'
import { openStore } from '../../lib/store/store.ts'
import { alertsOf } from '../support/alert-rules.ts'
import {
  delta,
  reply,
  type ScriptedBackend,
  scriptedBackend,
  sendEvent,
  startStream,
  status,
} from '../support/backend.ts'
import { Cli, temporaryDirectory } from '../support/cli.ts'
import { RawConnection } from '../support/connection.ts'
import { diskOf } from '../support/disk.ts'
import {
  ACCOUNT,
  configFile,
  eventually,
  KEY,
  serverlessAccount,
  type TestGateway,
  testGateway,
} from '../support/gateway.ts'
import { freePort, useProgram } from '../support/programs.ts'
import { useRedis } from '../support/services.ts'

const RULES = fileURLToPath(new URL('../../deploy/prometheus/rules.yml', import.meta.url))
const CHAT = '/v1/chat/completions'
const HELLO = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const OTHER_KEY = 'service_other_secret'

describe('alert rules', () => {
  const promtool = useProgram('promtool', 'prometheus')
  const redis = useRedis()
  const directory = temporaryDirectory()
  const fired = new Set<string>()
  let backend: ScriptedBackend
  let gateway: TestGateway

  beforeEach(async () => {
    backend = await scriptedBackend(reply())
  })
  afterEach(() => backend.close())

  const scrape = async (url = gateway.gateway.adminUrl) => (await fetch(`${url}/metrics`)).text()
  const chat = async (members: JsonObject = {}, key = KEY) => {
    const response = await gateway.post(CHAT, { ...HELLO, ...members }, { headers: { authorization: `Bearer ${key}` } })
    await response.text().catch(() => '')
    return response.status
  }
  const chats = async (count: number, members: JsonObject = {}) => {
    for (let i = 0; i < count; i++) await chat(members)
  }
  const expectAlerts = (before: string, after: string, ...expected: readonly string[]) => {
    expect(alertsOf(promtool, { before, after })).deep.equal(expected.map(name => `Sluiceway${name}`).toSorted())
    for (const name of expected) fired.add(`Sluiceway${name}`)
  }

  /** Runs a gateway, and compares the alerts after the cause. */
  async function raises(
    expected: readonly string[],
    cause: () => unknown,
    config: { backends?: readonly string[]; model?: JsonObject; more?: JsonObject } = {},
  ): Promise<void> {
    gateway = await testGateway({ backends: [backend.url], ...config })
    try {
      await chat()
      const before = await scrape()
      await cause()
      await eventually(async () => (await gateway.metric('sluiceway_store_lag_records')) === 0, 'all in the store')
      expectAlerts(before, await scrape(), ...expected)
    } finally {
      await gateway.close()
    }
  }

  const plugin = (name: string, setup: string): JsonObject => {
    const file = join(directory(), `${name}.mjs`)
    const code = `import { setTimeout as sleep } from 'node:timers/promises'
      export default { name: '${name}', summary: 'Does harm.', routes: { proxied: true }, setup: () => (${setup}) }`
    writeFileSync(file, code)
    return { plugins: [...defaultChain().map(use => ({ use })), { use: file }] as never }
  }

  it('fires for nothing while requests are served', () => raises([], () => chats(5)))

  it('fires for a backend that does not answer, and for its model', () =>
    raises(['BackendDown', 'ModelWithoutBackend'], async () => {
      await backend.close()
      await chats(6)
      await eventually(async () => (await gateway.metric('sluiceway_backend_up')) === 0, 'ejected')
    }))

  it('fires for a model for which service discovery finds nothing', async () => {
    const path = join(directory(), 'targets.json')
    writeFileSync(path, JSON.stringify([backend.url.replace(/^http:\/\/|\/v1$/g, '')]))
    const model = { backends: [{ discover: 'file', path, engine: 'vllm', every_seconds: 1 }] }
    await raises(
      ['ModelWithoutBackend'],
      async () => {
        writeFileSync(path, '[]')
        await eventually(async () => (await gateway.metric('sluiceway_model_backends')) === 0, 'none found')
        expect(await scrape()).not.contain('sluiceway_backend_up{')
      },
      { backends: [], model },
    )
  })

  it('fires for a backend that fails requests', () =>
    raises(['BackendFailing'], async () => {
      backend.script = (res, request, req) =>
        (request.bytes.includes('bad') ? status(503, 'no') : reply())(res, request, req)
      for (let i = 0; i < 4; i++) await chats(1, { messages: [{ role: 'user', content: i === 0 ? 'bad' : 'good' }] })
    }))

  it('fires for a backend that fails requests of one account', () =>
    raises(
      ['BackendFailing', 'BackendFailsForOneAccount'],
      async () => {
        backend.script = (res, request, req) =>
          request.bytes.includes('poison') ? void req.socket.resetAndDestroy() : reply()(res, request, req)
        const bad = { messages: [{ role: 'user', content: 'poison' }] }
        for (let i = 0; i < 3; i++) await Promise.all(Array.from({ length: 8 }, () => chat(bad)))
        const probes = () => gateway.metric('sluiceway_backend_probes_total', 'ok')
        await eventually(async () => (await probes()) > 0, 'a probe request')
      },
      { more: { accounts: [serverlessAccount(ACCOUNT, KEY)] } },
    ))

  it('fires for streams that break', () =>
    raises(['BackendFailing', 'StreamsBreak'], async () => {
      backend.script = (res, _request, req) => {
        startStream(res)
        sendEvent(res, delta({ role: 'assistant', content: 'a' }))
        setTimeout(() => req.socket.destroy(), 50)
      }
      await chats(3, { stream: true })
    }))

  it('fires for a model whose backends are full', () =>
    raises(
      ['AtCapacity'],
      async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        backend.script = async (...args) => {
          await promise
          await reply()(...args)
        }
        const first = chat()
        await eventually(() => gateway.gateway.exchanges === 1, 'in flight')
        await chats(3)
        resolve()
        await first
      },
      { model: { max_concurrency: 1 } },
    ))

  it('fires for replies without usage', () =>
    raises(['UsageMissing'], async () => {
      backend.script = res => {
        startStream(res)
        sendEvent(res, delta({ role: 'assistant', content: 'a' }, 'stop'))
        res.end('data: [DONE]\n\n')
      }
      await chats(2, { stream: true })
    }))

  it('fires for faults', () =>
    raises(
      ['Faults'],
      () => chats(2),
      plugged(() => plugin('faulty', "{ onBody() { throw new Error('fault') } }")),
    ))

  it('fires for a plugin that waits', () =>
    raises(
      ['OverheadHigh'],
      () => chats(3),
      plugged(() => plugin('waits', '{ onHeaders: () => sleep(120) }')),
    ))

  it('fires for a Redis that does not answer', async () => {
    const more = { limits_store: `redis://127.0.0.1:${await freePort()}` }
    await raises(['LimitsStoreDown'], () => chats(1), { more })
  })

  it('fires for bodies without memory, and for connections of one address', () => {
    const held: RawConnection[] = []
    const sockets: net.Socket[] = []
    return raises(
      ['BodiesOverBudget', 'ConnectionsRefused'],
      async () => {
        const upload = new RawConnection(gateway.url)
        held.push(upload)
        const head = `POST ${CHAT} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${OTHER_KEY}\r\n`
        upload.write(`${head}content-type: application/json\r\ncontent-length: 466000\r\n\r\n{`)
        await eventually(async () => (await gateway.metric('sluiceway_bodies_used_bytes')) > 0, 'the upload')
        expect(await chat()).equal(503)
        const port = Number(new URL(gateway.url).port)
        for (let i = 0; i < 20; i++)
          sockets.push(net.connect({ host: '127.0.0.1', port, localAddress: '127.0.0.2' }).on('error', () => {}))
        const refused = () => gateway.metric('sluiceway_connections_closed_total', 'refused')
        await eventually(async () => (await refused()) > 0, 'refused connections')
        for (const socket of [...sockets, upload.socket]) socket.destroy()
      },
      {
        more: {
          admission: { connections_per_address: 10 },
          memory: { bodies_bytes: 2 ** 20, account_share: 1, wait_ms: 0 },
          accounts: [serverlessAccount(ACCOUNT, KEY), serverlessAccount(ACCOUNT.replace(/^./, 'a'), OTHER_KEY)],
        },
      },
    )
  })

  it('fires for a certificate that was not renewed', async () => {
    const [cert, key] = [join(directory(), 'cert.pem'), join(directory(), 'key.pem')]
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '3']
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'pipe' })
    gateway = await testGateway({
      backends: [backend.url],
      more: { listen: { host: '127.0.0.1', port: 0, tls: { cert, key } } },
    })
    try {
      expectAlerts(await scrape(), await scrape(), 'CertificateExpires')
    } finally {
      await gateway.close()
    }
  })

  it('fires for a store that takes no records, then for a journal that cannot be written, then for lost records', async () => {
    gateway = await testGateway({ backends: [backend.url] })
    const disk = diskOf(join(gateway.dir, 'journal'))
    const before = await scrape()
    const store = new DatabaseSync(join(gateway.dir, 'store.db'), { timeout: 5000 })
    await chat()
    await eventually(async () => (await gateway.metric('sluiceway_store_lag_records')) === 0, 'in the store')
    store.exec('alter table requests rename to away')
    store.close()
    await chat()
    await eventually(async () => (await gateway.metric('sluiceway_store_lag_seconds')) > 0, 'behind')
    expectAlerts(before, await scrape(), 'StoreBehind')

    try {
      disk.failWrites('ENOSPC')
      await chat()
      await eventually(async () => (await gateway.metric('sluiceway_journal_healthy')) === 0, 'unwritable')
      expectAlerts(before, await scrape(), 'JournalUnwritable', 'StoreBehind')
      await gateway.gateway.drain()
    } finally {
      disk.mend()
    }
    const after = await gateway.gateway.metrics.metrics()
    rmSync(gateway.dir, { recursive: true })
    expect(alertsOf(promtool, { before, after })).include('SluicewayRecordsLost')
    fired.add('SluicewayRecordsLost')
  })

  it('fires for a refused reload, for workers that die, and for a gateway that is gone', async () => {
    const file = join(directory(), 'config.json')
    const more = { workers: 2, limits_store: redis(), log: { level: 'warn' } }
    const config = configFile(directory(), { backends: [backend.url], more })
    writeFileSync(file, JSON.stringify(config))
    const serving = new Cli(['serve', '--config', file])
    try {
      const [, admin] = await serving.match(/Admin +(\S+) /)
      const before = await scrape(admin)
      const workers = () => {
        const pid = serving.child.pid!
        return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
      }
      for (const worker of workers()) process.kill(worker, 'SIGKILL')
      writeFileSync(file, '{')
      const value = async (name: string) =>
        Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await scrape(admin).catch(() => ''))?.[1])
      await eventually(async () => (await value('sluiceway_worker_restarts_total')) === 2, 'replaced')
      await eventually(async () => (await value('sluiceway_config_last_reload_successful')) === 0, 'refused')
      expectAlerts(before, await scrape(admin), 'ReloadRefused', 'WorkersRestart')
      serving.child.kill('SIGTERM')
      await serving.ended
      expect(await scrape(admin).catch(() => 'gone')).equal('gone')
      expectAlerts(before, '', 'GatewayDown', 'NoGateway')
    } finally {
      serving.child.kill('SIGKILL')
      await serving.ended
    }
  })

  it('fires for a batch that will miss its window', () =>
    raises(
      ['BatchLate'],
      async () => {
        // In a thread of its own: a wait for a lock must not stop the gateway of this process, which holds it.
        const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: pino({ level: 'silent' }) })
        await pauseModel(store, 'm', 1)
        const { url } = gateway
        const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEY, maxRetries: 0 })
        const line = JSON.stringify({ custom_id: '1', method: 'POST', url: CHAT, body: HELLO })
        const file = await client.files.create({ purpose: 'batch', file: await toFile(Buffer.from(line), 'a.jsonl') })
        const fields = { input_file_id: file.id, endpoint: CHAT, completion_window: '24h' } as const
        const { id } = await client.batches.create(fields)
        await eventually(async () => (await client.batches.retrieve(id)).status === 'in_progress', 'in progress')
        // Fifteen hours pass.
        for (const time of ['created_at', 'in_progress_at', 'expires_at'] as const)
          await store.db
            .updateTable('batches')
            .set(({ eb }) => ({ [time]: eb(time, '-', 54_000_000) }))
            .execute()
        await store.close()
        await eventually(async () => (await gateway.metric('sluiceway_batch_late')) === 1, 'late')
      },
      { more: { batches: {}, accounts: [serverlessAccount(ACCOUNT, KEY)] } },
    ))

  it('fires for a log that cannot be written', async () => {
    const port = await freePort()
    const admin = await freePort()
    const more = { listen: { port }, admin: { port: admin }, log: { level: 'info' } }
    const file = join(directory(), 'config.json')
    writeFileSync(file, JSON.stringify(configFile(directory(), { backends: [backend.url], more })))
    const device = openSync('/dev/full', 'w')
    const entry = fileURLToPath(new URL('../../lib/cli/main.ts', import.meta.url))
    const child = spawn(process.execPath, [entry, 'serve', '--config', file], { stdio: ['ignore', device, device] })
    closeSync(device)
    try {
      const adminUrl = `http://127.0.0.1:${admin}`
      const isServed = async () => {
        const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
        const request = { method: 'POST', headers, body: JSON.stringify(HELLO) }
        const response = await fetch(`http://127.0.0.1:${port}${CHAT}`, request).catch(() => null)
        await response?.text()
        return response?.status === 200
      }
      await eventually(isServed, 'the gateway')
      const before = await scrape(adminUrl)
      const dropped = async () => Number(/^sluiceway_log_dropped_lines_total (\d+)$/m.exec(await scrape(adminUrl))?.[1])
      const first = await dropped()
      await eventually(async () => (await isServed()) && (await dropped()) > first, 'a dropped line')
      const isStored = async () => /^sluiceway_store_lag_records 0$/m.test(await scrape(adminUrl))
      await eventually(isStored, 'all in the store')
      expectAlerts(before, await scrape(adminUrl), 'LogDropped')
    } finally {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
  })

  it('have all fired', () => {
    const rules = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    expect([...fired].toSorted()).deep.equal(rules.toSorted())
  })
})

/** The plugin's file is in the directory of the test, which exists when it runs. */
function plugged(more: () => JsonObject): { readonly more: JsonObject } {
  return {
    get more() {
      return more()
    },
  }
}
