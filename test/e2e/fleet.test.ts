/** Gateways of two machines with one PostgreSQL: each shows both. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { issueOperatorKey } from '../../lib/admin/operators.ts'
import type { ListedBackend } from '../../lib/backends/backend-list.ts'
import { systemClock } from '../../lib/base/clock.ts'
import type { JsonObject } from '../../lib/base/json.ts'
import { newCompiler } from '../../lib/schemas/compiler.ts'
import { readSchema } from '../../lib/schemas/read.ts'
import { openStore, type Store } from '../../lib/store/store.ts'
import { reply, type ScriptedBackend, scriptedBackend, sendEvent, startStream, textEvents } from '../support/backend.ts'
import { axeFindings, pageProblems, useBrowser } from '../support/browser.ts'
import { Cli, runCli, temporaryDirectory } from '../support/cli.ts'
import { configFile, eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { signIn, textIn } from '../support/operators.ts'
import { freePort } from '../support/programs.ts'
import { usePostgres, useRedis } from '../support/services.ts'
import { silent } from '../support/stores.ts'

/** The options of a process whose machine has this name. */
function named(machine: string): { env: Record<string, string> } {
  const code = `import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.hostname = () => '${machine}'
    syncBuiltinESMExports()`
  return { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` } }
}

describe('two machines with one PostgreSQL', () => {
  const postgres = usePostgres()
  const redis = useRedis()
  const browser = useBrowser()
  const directory = temporaryDirectory()
  let backend: ScriptedBackend
  let store: Store
  let one: TestGateway
  let other: Cli
  let otherUrl = ''
  let otherFile = ''
  let origins: readonly string[] = []
  let key = ''
  let cookie = ''

  beforeEach(async () => {
    backend = await scriptedBackend(reply())
    store = await openStore(postgres(), { log: silent })
    await sql`delete from gateways`.execute(store.db)
    const more = { store: postgres(), limits_store: redis() }
    mock.method(os, 'hostname', () => 'gw-a')
    syncBuiltinESMExports()
    try {
      one = await testGateway({
        backends: [`${backend.url}`],
        more: { ...more, admin: { host: '127.0.0.1', port: 0, api: true } },
      })
    } finally {
      mock.restoreAll()
      syncBuiltinESMExports()
    }
    const port = await freePort()
    const home = join(directory(), 'other')
    mkdirSync(home)
    otherFile = join(home, 'config.json')
    const config = configFile(home, {
      backends: [backend.url],
      more: { ...more, workers: 2, log: { level: 'warn' }, admin: { host: '127.0.0.1', port, api: true } },
    })
    writeFileSync(otherFile, JSON.stringify(config))
    other = new Cli(['serve', '--config', otherFile], named('gw-b'))
    otherUrl = (await other.match(/Gateway +(\S+)\/v1/))[1]!
    origins = [one.gateway.adminUrl!, `http://127.0.0.1:${port}`]
    const actor = { name: 'command line (root)', address: null }
    const context = { store, config: { brand: 'service' } as never, actor, now: systemClock.micros() }
    key = (await issueOperatorKey(context, 'alice')).secret
    cookie = await signIn(origins[0]!, key)
  })
  afterEach(async () => {
    other?.child.kill('SIGKILL')
    await other?.ended
    await one?.close()
    await store?.close()
    await backend?.close()
  })

  const chat = (url: string, stream: boolean) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'hi' }] }),
    })
  const api = async (origin: string, path: string) =>
    (await (await fetch(origin + path, { headers: { authorization: `Bearer ${key}` } })).json()) as JsonObject
  const rowAt = async (origin: string) =>
    ((await (await fetch(`${origin}/backends`)).json()) as { backends: ListedBackend[] }).backends[0]!
  const machinesAt = async (origin: string) =>
    (await rowAt(origin)).machines.map(({ machine, state, stale }) => `${machine} ${stale ? 'lost' : state}`)
  const page = async () => (await fetch(origins[0]!, { headers: { cookie } })).text()
  const age = (ms: number) =>
    sql`update gateways set written_at = written_at - ${sql.lit(ms)} where snapshot like '%gw-b%'`.execute(store.db)

  it('show the sums of both, and which machine sees what', async () => {
    const finish: (() => void)[] = []
    backend.script = res => {
      startStream(res)
      const [role, ...rest] = textEvents('Hello there')
      sendEvent(res, role!)
      finish.push(() => {
        for (const event of rest) sendEvent(res, event)
        res.end('data: [DONE]\n\n')
      })
    }
    const streams = await Promise.all([chat(one.url, true), chat(otherUrl, true), chat(otherUrl, true)])
    for (const origin of origins)
      await eventually(async () => (await rowAt(origin)).in_flight === 3, `all requests in flight at ${origin}`)
    expect(await machinesAt(origins[0]!)).deep.equal(['gw-a up', 'gw-b up'])
    expect(await machinesAt(origins[1]!)).deep.equal(['gw-b up', 'gw-a up'])
    expect((await rowAt(origins[0]!)).machines.map(({ in_flight }) => in_flight)).deep.equal([1, 2])

    const list = async (...more: string[]) => (await runCli(['backends', 'list', '--config', otherFile, ...more])).out
    expect(await list()).match(/STATE +MACHINES .*\n.* up +up: gw-b, gw-a +3 /)
    expect(JSON.parse(await list('--json')).backends[0].machines).lengthOf(2)

    const compiler = newCompiler({ errors: 'first', fillDefaults: false, checkSchemas: true })
    const status = await api(origins[0]!, '/admin/v1/status')
    const { backends } = (await api(origins[0]!, '/admin/v1/backends')) as { backends: JsonObject[] }
    for (const [name, value] of [
      ['status', status],
      ['backend', backends[0]],
    ] as const) {
      const check = compiler.compile(readSchema(`admin/${name}`))
      expect(check(value), JSON.stringify(check.errors)).equal(true)
    }
    const gateways = status.gateways as { machine: string; workers: object[] }[]
    expect(gateways.map(({ machine, workers }) => [machine, workers.length])).deep.equal([
      ['gw-a', 1],
      ['gw-b', 2],
    ])

    const text = textIn(await page())
    expect(text).contain('Processes 3 on 2 machines').and.contain('up: gw-a, gw-b 3 / ∞')
    expect(text).match(/Machines Gateways .* gw-a ready .* gw-b ready /)

    for (const end of finish) end()
    for (const stream of streams) await stream.text()
    // The points of the last hour have the requests of both.
    await eventually(async () => {
      const [, plot = ''] = /data-plot="([^"]+)"/.exec(await page()) ?? []
      const { series } = JSON.parse(plot.replaceAll('&quot;', '"')) as { series: { values: number[] }[] }
      return Math.round(series[0]!.values.reduce((sum, rate) => sum + rate * 5, 0)) === 3
    }, 'the requests of both machines')
  })

  it('show a machine that dies as lost, then no more, and one that ends no more at once', async () => {
    await eventually(async () => (await machinesAt(origins[0]!)).length === 2, 'both machines')
    const context = await browser({ viewport: { width: 1280, height: 900 } })
    const [name, value] = cookie.split('=') as [string, string]
    await context.addCookies([{ name, value, url: origins[0]! }])
    const open = await context.newPage()
    const problems = pageProblems(open)
    await open.goto(origins[0]!)
    await open.getByRole('cell', { name: 'up: gw-a, gw-b' }).waitFor()
    expect(await axeFindings(open)).deep.equal([])
    other.child.kill('SIGKILL')
    await other.ended
    await age(20_000)
    await eventually(async () => (await machinesAt(origins[0]!)).includes('gw-b lost'), 'the lost machine')
    expect((await rowAt(origins[0]!)).state).equal('up')
    expect(textIn(await page()))
      .contain('lost: gw-b')
      .and.contain('gw-b lost last seen')
      .and.contain('Processes 1 ')
    // The open page follows.
    await open.getByRole('cell', { name: 'lost: gw-b; up: gw-a' }).waitFor()
    await open.getByRole('cell', { name: /^lost last seen/ }).waitFor()
    await age(120_000)
    await eventually(async () => (await machinesAt(origins[0]!)).join() === 'gw-a up', 'one machine')
    expect(textIn(await page())).not.contain('Machines')
    await open.getByRole('heading', { name: 'Machines' }).waitFor({ state: 'detached' })
    expect(problems).deep.equal([])

    other = new Cli(['serve', '--config', otherFile], named('gw-b'))
    await other.match(/Gateway +(\S+)\/v1/)
    await eventually(async () => (await machinesAt(origins[0]!)).includes('gw-b up'), 'both machines again')
    other.child.kill('SIGTERM')
    await other.ended
    await eventually(async () => (await machinesAt(origins[0]!)).join() === 'gw-a up', 'one machine')
  })
})
