import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseConfig } from '../../lib/config/read.ts'
import { reply, type ScriptedBackend, scriptedBackend, sendEvent, startStream, textEvents } from '../support/backend.ts'
import { temporaryDirectory } from '../support/cli.ts'
import { type DnsServer, dnsServer } from '../support/dns-server.ts'
import { configFile, eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { useOpened } from '../support/opened.ts'

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const EVERY = { model: 'upstream-m', engine: 'vllm', every_seconds: 0.1 }

const chats = ({ requests }: ScriptedBackend) => requests.filter(({ path }) => path === '/v1/chat/completions').length

describe('discovery', () => {
  const directory = temporaryDirectory()
  const opened = useOpened()
  const backend = () => opened(scriptedBackend(reply()))

  /** A gateway whose model has these entries, and its rows in `backends list`. */
  async function gatewayWith(backends: readonly object[], model: object = {}, more: object = {}) {
    const gateway = await opened(
      testGateway({ backends: [], model: { backends: [...backends], ...model } as never, more: more as never }),
    )
    const list = async () => {
      const answer = (await (await fetch(`${gateway.gateway.adminUrl}/backends`)).json()) as {
        backends: { url: string; state: string; drain: string | null; problem: string | null }[]
      }
      return answer.backends
    }
    const urls = async () => (await list()).map(({ url }) => url)
    return { gateway, list, urls }
  }

  const served = async (gateway: TestGateway, count = 20) => {
    for (let i = 0; i < count; i++) {
      const response = await gateway.post('/v1/chat/completions', CHAT)
      await response.arrayBuffer()
      expect(response.status).equal(200)
    }
  }

  /** The SRV records of a service: one per backend, all on this machine. */
  function publish(dns: DnsServer, ...backends: readonly ScriptedBackend[]): void {
    dns.names.set(
      '_http._tcp.vllm.test',
      backends.map(({ port }) => ({ type: 'SRV' as const, target: 'here.test', port })),
    )
    dns.names.set('here.test', [{ type: 'A', address: '127.0.0.1', ttl: 0 }])
  }

  const SRV = { discover: 'dns', name: '_http._tcp.vllm.test', type: 'SRV', ...EVERY }

  it('adds servers of a DNS, drains those that are gone, and keeps the last answer of a DNS that fails', async () => {
    const [dns, first, second] = [await opened(dnsServer()), await backend(), await backend()]
    publish(dns, first)
    const { gateway, list, urls } = await gatewayWith([{ ...SRV, servers: [dns.address] }])
    expect(await urls()).deep.equal([first.url])
    await served(gateway, 3)

    // A stream that runs when its server is removed from the DNS.
    let release = () => {}
    first.script = res => {
      startStream(res)
      const [begin, ...rest] = textEvents('one two')
      sendEvent(res, begin!)
      release = () => {
        for (const event of rest) sendEvent(res, event)
        res.end('data: [DONE]\n\n')
      }
    }
    const streaming = await gateway.post('/v1/chat/completions', { ...CHAT, stream: true })
    publish(dns, second)
    await eventually(async () => (await urls()).includes(second.url), 'a new backend')
    await eventually(async () => (await list()).some(({ drain }) => drain === 'removed'), 'a backend that leaves')
    expect((await list()).map(({ url, state }) => [url, state])).deep.equal([
      [second.url, 'up'],
      [first.url, 'draining'],
    ])
    const before = chats(first)
    await served(gateway, 5)
    expect([chats(first), chats(second)]).deep.equal([before, 5])
    expect(await gateway.metric('sluiceway_backend_requests_total', `backend="${first.url}"`)).equal(3)
    release()
    const text = await streaming.text()
    expect(text).contain('two').and.contain('[DONE]')
    await eventually(async () => (await urls()).length === 1, 'the end of the drain')
    await eventually(
      async () => (await gateway.metric('sluiceway_backend_requests_total', `backend="${first.url}"`)) <= 1,
      'counts of what is gone',
    )

    for (const failing of ['SERVFAIL', 'NXDOMAIN'] as const) {
      dns.names.set('_http._tcp.vllm.test', failing)
      await eventually(async () => (await list())[0]?.problem?.includes(failing) === true, failing)
      expect((await list())[0]!.problem).match(/dns SRV _http\._tcp\.vllm\.test: .*: the last answer is kept$/)
      await served(gateway, 2)
    }
    publish(dns, second)
    await eventually(async () => (await list())[0]?.problem?.includes('kept') !== true, 'an answer again')
  })

  it('is a 503 with Retry-After as long as no backend is known', async () => {
    const [dns, first] = [await opened(dnsServer()), await backend()]
    const { gateway, list } = await gatewayWith([{ ...SRV, servers: [dns.address] }])
    const response = await gateway.post('/v1/chat/completions', CHAT)
    expect(response.status).equal(503)
    expect(response.headers.get('retry-after')).equal('1')
    expect(await response.json()).nested.include({ 'error.code': 'no_healthy_backends' })
    expect(await list()).deep.include({
      ...(await list())[0]!,
      url: 'dns SRV _http._tcp.vllm.test',
      state: 'unhealthy',
      problem: 'the name does not exist (NXDOMAIN)',
    })
    publish(dns, first)
    await eventually(async () => (await gateway.post('/v1/chat/completions', CHAT)).status === 200, 'the first backend')
  })

  it('reads a file of targets, and keeps its backends across a reload', async () => {
    const [first, second] = [await backend(), await backend()]
    const path = join(directory(), 'targets.yaml')
    const write = (...backends: readonly ScriptedBackend[]) =>
      writeFileSync(path, `- targets: [${backends.map(({ port }) => `'127.0.0.1:${port}'`).join(', ')}]\n`)
    write(first, second)
    const entry = { discover: 'file', path, ...EVERY }
    const { gateway, list, urls } = await gatewayWith([entry])
    expect(await urls()).have.members([first.url, second.url])
    await served(gateway)
    expect(chats(first)).greaterThan(0)
    expect(chats(second)).greaterThan(0)
    expect(await gateway.metric('sluiceway_discovery_backends')).equal(2)

    const config = configFile(gateway.dir, { backends: [], model: { backends: [{ ...entry, max_concurrency: 3 }] } })
    await gateway.gateway.reload(
      parseConfig(JSON.stringify(config), { baseDir: gateway.dir, env: {}, fileName: 'test.json' }),
    )
    expect(await gateway.metric('sluiceway_backend_concurrency_limit', first.url)).equal(3)
    expect(await gateway.metric('sluiceway_backend_requests_total', first.url)).greaterThan(0)

    // An incomplete file changes nothing.
    writeFileSync(path, '- targets: [')
    await eventually(async () => (await list()).every(({ problem }) => problem?.includes('not valid YAML') === true))
    await served(gateway, 2)
    write(second)
    await eventually(async () => (await urls()).length === 1, 'one backend')
    const before = chats(first)
    await served(gateway, 5)
    expect(chats(first)).equal(before)
    writeFileSync(path, '[]')
    await eventually(async () => (await list())[0]?.problem === 'it names no backends', 'none')
    expect((await gateway.post('/v1/chat/completions', CHAT)).status).equal(503)
  })

  it('knows no bound but its own when names and addresses change all the time', async () => {
    const path = join(directory(), 'targets.json')
    let round = 0
    const write = (count: number) => {
      const targets = Array.from({ length: count }, (_, i) => `127.${1 + (round >> 8)}.${round & 255}.${i & 255}:1`)
      round++
      writeFileSync(path, JSON.stringify([{ targets }]))
    }
    write(250)
    const { gateway, urls } = await gatewayWith([{ discover: 'file', path, ...EVERY }])
    const series = async () =>
      (await (await fetch(`${gateway.gateway.adminUrl}/metrics`)).text()).split('\n').filter(line => line[0] !== '#')
    for (let i = 0; i < 3; i++) {
      const [before] = await urls()
      for (let n = 0; n < 5; n++) await (await gateway.post('/v1/chat/completions', CHAT)).arrayBuffer()
      write(250)
      await eventually(async () => (await urls()).length === 250 && (await urls())[0] !== before, 'other backends')
    }
    const many = (await series()).length
    write(1)
    await eventually(async () => (await urls()).length === 1, 'one backend')
    await eventually(async () => (await series()).filter(line => line.includes('backend="')).length < 40, 'few series')
    expect(many).greaterThan(250)
  })
})
