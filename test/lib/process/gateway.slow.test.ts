import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { StartError } from '../../../lib/base/start-error.ts'
import type { Config } from '../../../lib/config/config.ts'
import { defaultChain } from '../../../lib/config/default-chain.ts'
import { parseConfig } from '../../../lib/config/read.ts'
import { BootError } from '../../../lib/process/boot.ts'
import { type Gateway, startGateway } from '../../../lib/process/gateway.ts'
import { delta, type ScriptedBackend, scriptedBackend, sendEvent, startStream } from '../../support/backend.ts'
import { RawConnection } from '../../support/connection.ts'
import { configFile, eventually, KEY } from '../../support/gateway.ts'
import { freePort } from '../../support/programs.ts'

/** A plugin that marks what passes through it, and notes when it is set up and closed. */
const MARKER = `
export const seen = []
export default {
  name: 'marker',
  summary: 'Marks answers.',
  options: { type: 'object', properties: { mark: { type: 'string', default: 'none' }, broken: { type: 'boolean' } } },
  setup({ mark, broken }) {
    if (broken) throw new Error('no licence')
    seen.push('set up ' + mark)
    return {
      onSend: exchange => exchange.setHeader('x-mark', mark),
      onFinish: () => void seen.push('finished ' + mark),
      close: () => void seen.push('closed ' + mark),
    }
  },
}
`

const stream = { model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }

describe('gateway', () => {
  let dir: string
  let backend: ScriptedBackend
  let gateway: Gateway | undefined
  let seen: string[]
  const open: RawConnection[] = []

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    writeFileSync(join(dir, 'marker.mjs'), MARKER)
    seen = ((await import(join(dir, 'marker.mjs'))) as { seen: string[] }).seen
    backend = await scriptedBackend()
  })

  beforeEach(() => {
    seen.length = 0
  })

  afterEach(async () => {
    for (const connection of open.splice(0)) connection.socket.destroy()
    await gateway?.drain()
    gateway = undefined
  })

  after(async () => {
    await backend?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  function configWith(more: JsonObject = {}, marker: JsonObject = { mark: 'one' }): Config {
    const plugins = [{ use: './marker.mjs', options: marker }, ...defaultChain().map(use => ({ use }))]
    const file = configFile(dir, { backends: [backend.url], more: { plugins, ...more } as JsonObject })
    return parseConfig(JSON.stringify(file), { baseDir: dir, env: {}, fileName: 'test.json' })
  }

  async function start(more: JsonObject = {}, marker?: JsonObject): Promise<Gateway> {
    gateway = await startGateway(configWith(more, marker))
    return gateway
  }

  const models = async (headers: Record<string, string> = { authorization: `Bearer ${KEY}` }) =>
    fetch(`${gateway!.url}/v1/models`, { headers })

  /** Starts a stream that sends one word; the function it answers with sends the rest. */
  async function openStream(): Promise<{ connection: RawConnection; finish: () => void }> {
    let finish: (() => void) | undefined
    backend.script = res => {
      startStream(res)
      sendEvent(res, delta({ role: 'assistant', content: 'begun' }))
      finish = () => {
        sendEvent(res, delta({}, 'stop'))
        res.end('data: [DONE]\n\n')
      }
    }
    const connection = new RawConnection(gateway!.url)
    open.push(connection)
    const body = JSON.stringify(stream)
    connection.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await connection.until('begun')
    return { connection, finish: () => finish!() }
  }

  describe('start', () => {
    it('reports a store that cannot be used before plugins that cannot run', async () => {
      const plugins = [{ use: './missing.mjs' }]
      writeFileSync(join(dir, 'no-store.db'), 'a text')
      const thrown = await start({ plugins, store: 'sqlite:./no-store.db' }).catch((error: unknown) => error)
      expect(thrown).instanceOf(StartError).property('message').contain('no-store.db')
    })

    it('serves the API, and operators on a port of their own', async () => {
      const { url, adminUrl } = await start()
      expect(url).match(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect((await models()).status).equal(200)
      expect((await fetch(`${url}/metrics`)).status).equal(404)
      expect((await fetch(`${adminUrl}/metrics`)).status).equal(200)
      expect((await fetch(`${adminUrl}/readyz`)).status).equal(200)
    })

    it('opens no port for operators where that is off', async () => {
      expect((await start({ admin: false })).adminUrl).equal(null)
      expect((await models()).status).equal(200)
    })

    it('answers on IPv6, with an address that can be used', async () => {
      const { url } = await start({ listen: { host: '::1', port: 0 }, hosts: { gateway: ['[::1]'] } })
      expect(url).match(/^http:\/\/\[::1\]:\d+$/)
      expect((await models()).status).equal(200)
    })

    describe('that fails', () => {
      let taken: net.Server
      let port: number

      beforeEach(async () => {
        taken = net.createServer()
        await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
        port = (taken.address() as AddressInfo).port
      })

      afterEach(() => new Promise(resolve => taken.close(resolve)))

      /** Everything has been released, the directories too, when the same can start elsewhere. */
      async function startsElsewhere(): Promise<void> {
        seen.length = 0
        await start()
        expect((await models()).status).equal(200)
      }

      it("names the port that is taken by the system's error, and leaves nothing open", async () => {
        const error = await start({ listen: { host: '127.0.0.1', port } }).catch((thrown: unknown) => thrown)
        expect(error).include({ code: 'EADDRINUSE', port })
        expect(seen).deep.equal(['set up one', 'closed one'])
        await startsElsewhere()
      })

      it('does the same for the port of operators', async () => {
        const free = await freePort()
        const error = await start({
          listen: { host: '127.0.0.1', port: free },
          admin: { host: '127.0.0.1', port },
        }).catch((thrown: unknown) => thrown)
        expect(error).include({ code: 'EADDRINUSE', port })
        expect(seen).deep.equal(['set up one', 'closed one'])
        const again = net.createServer()
        await new Promise<void>((resolve, reject) => again.on('error', reject).listen(free, '127.0.0.1', resolve))
        await new Promise(resolve => again.close(resolve))
        await startsElsewhere()
      })

      it('says everything that is wrong with the chain', async () => {
        const plugins = [{ use: 'reqest-id' }, { use: 'auth', options: { a: 1 } }]
        const error = await start({ plugins }).catch((thrown: unknown) => thrown)
        expect(error).instanceOf(BootError)
        const { problems, message } = error as BootError
        expect(problems[0]).match(/^line 1: plugins\.0 \('reqest-id'\): there is no built-in plugin/)
        expect(problems[1]).equal("line 1: plugins.1 ('auth'): takes no options.")
        expect(message).equal(problems.join('\n'))
        await startsElsewhere()
      })

      it('says which plugin could not be set up', async () => {
        const error = await start({}, { broken: true }).catch((thrown: unknown) => thrown)
        expect(error).instanceOf(BootError)
        expect((error as BootError).problems).deep.equal(["line 1: plugin 'marker' could not be set up: no licence"])
        await startsElsewhere()
      })
    })
  })

  describe('reload', () => {
    it('applies to every exchange that begins afterwards, and to no other', async () => {
      await start()
      const { connection, finish } = await openStream()
      await gateway!.reload(configWith({}, { mark: 'two' }))
      expect((await models()).headers.get('x-mark')).equal('two')
      expect(seen).deep.equal(['set up one', 'set up two', 'finished two'])
      finish()
      await connection.until('[DONE]')
      expect(connection.received).contain('x-mark: one')
      await eventually(() => seen.includes('closed one'))
      expect(seen.slice(-2)).deep.equal(['finished one', 'closed one'])
      expect(seen).not.include('closed two')
    })

    it('closes what it replaces at once where no exchange runs', async () => {
      await start()
      await gateway!.reload(configWith({}, { mark: 'two' }))
      await eventually(() => seen.includes('closed one'))
    })

    it('takes new models, backends and keys', async () => {
      await start()
      const other = await scriptedBackend()
      try {
        const { connection, finish } = await openStream()
        const file = configFile(dir, {
          backends: [other.url],
          model: { id: 'n', aliases: [] },
          account: { keys: [{ id: 'k2', kind: 'serverless', secret: 'service_other' }] },
        })
        await gateway!.reload(parseConfig(JSON.stringify(file), { baseDir: dir, env: {}, fileName: 'test.json' }))
        expect((await models()).status).equal(401)
        const authorization = 'Bearer service_other'
        const { data } = (await (await models({ authorization })).json()) as { data: { id: string }[] }
        expect(data.map(({ id }) => id)).deep.equal(['n'])
        const answer = await fetch(`${gateway!.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization },
          body: JSON.stringify({ ...stream, model: 'n', stream: false }),
        })
        expect(answer.status).equal(200)
        expect(other.requests).lengthOf(1)
        finish()
        await connection.until('[DONE]')
      } finally {
        await gateway!.drain()
        gateway = undefined
        await other.close()
      }
    })

    it('takes a new docs_url, also for what is refused before it is a request', async () => {
      await start()
      await gateway!.reload(configWith({ docs_url: 'https://docs.test/errors' }))
      const connection = new RawConnection(gateway!.url)
      open.push(connection)
      connection.write('GARBAGE\r\n\r\n')
      expect(await connection.closed).contain('"docs_url":"https://docs.test/errors/http_400"')
      const { error } = (await (await models({})).json()) as { error: { docs_url: string } }
      expect(error.docs_url).equal('https://docs.test/errors/missing_api_key')
    })

    it('changes nothing where the configuration cannot run', async () => {
      await start()
      for (const bad of [configWith({}, { broken: true }), configWith({ plugins: [{ use: 'no-such' }] })]) {
        const error = await gateway!.reload(bad).catch((thrown: unknown) => thrown)
        expect(error).instanceOf(BootError)
      }
      expect((await models()).headers.get('x-mark')).equal('one')
      expect(seen).deep.equal(['set up one', 'finished one'])
    })
  })

  it('reloads a certificate with the configuration, and refuses both where it cannot be used', async () => {
    const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url))
    const listen = (cert: string, key: string) => ({
      listen: { host: '127.0.0.1', port: 0, tls: { cert: fixture(cert), key: fixture(key) } },
    })
    const { url } = await start(listen('cert', 'key'))
    const shown = async () => {
      const { socket } = new RawConnection(url)
      await once(socket, 'secureConnect')
      const text = (socket as TLSSocket).getPeerX509Certificate()!.toString()
      socket.destroy()
      return text
    }
    expect(await shown()).equal(readFileSync(fixture('cert'), 'utf8'))
    await gateway!.reload(configWith(listen('renewed-cert', 'renewed-key')))
    expect(await shown()).equal(readFileSync(fixture('renewed-cert'), 'utf8'))

    // As the file may be between the check of the configuration and its use.
    const unchecked = { ...configWith(), ...listen('cert', 'renewed-key') } as Config
    expect(await gateway!.reload(unchecked).catch((error: Error) => error.message)).match(/key values mismatch/)
    expect(await shown()).equal(readFileSync(fixture('renewed-cert'), 'utf8'))
    expect(seen.slice(-2)).deep.equal(['set up one', 'closed one'])
  })

  describe('drain', () => {
    it('lets a running stream end, takes no new connection, then closes everything', async () => {
      const { url, adminUrl } = await start({ drain_seconds: 20 })
      const { connection, finish } = await openStream()
      expect(gateway!.exchanges).equal(1)
      const drained = gateway!.drain()
      expect(await (await fetch(`${adminUrl}/readyz`)).text()).equal('draining\n')
      expect((await fetch(`${adminUrl}/livez`)).status).equal(200)
      // What waits to be accepted is answered before the port closes.
      const refused = async () => (await models().catch((error: Error) => error.message)) === 'fetch failed'
      await eventually(refused, 'the port to close')
      expect(seen).not.include('closed one')
      finish()
      expect(await connection.closed).match(/data: \[DONE\]/)
      await drained
      expect(seen.slice(-2)).deep.equal(['finished one', 'closed one'])
      for (const gone of [url, adminUrl!])
        expect(await fetch(gone).catch((error: Error) => error.message)).equal('fetch failed')
      gateway = undefined
    })

    it('stays open for drain_delay_seconds, unready, and tells clients to close', async () => {
      const { url, adminUrl } = await start({ drain_delay_seconds: 0.4 })
      const before = performance.now()
      const drained = gateway!.drain()
      await sleep(50)
      expect(await (await fetch(`${adminUrl}/readyz`)).text()).equal('draining\n')
      const answer = await models()
      expect([answer.status, answer.headers.get('connection')]).deep.equal([200, 'close'])
      await drained
      expect(performance.now() - before).least(399)
      expect(await fetch(url).catch((error: Error) => error.message)).equal('fetch failed')
      gateway = undefined
    })

    it('answers what comes on a connection that was open, and closes it', async () => {
      await start({ drain_seconds: 20 })
      const { connection: busy, finish } = await openStream()
      const idle = new RawConnection(gateway!.url)
      open.push(idle)
      idle.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\n\r\n')
      await eventually(() => idle.received.includes('401'))
      const drained = gateway!.drain()
      idle.write('xGET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n')
      expect((await idle.closed).match(/HTTP\/1\.1 401/g)).lengthOf(2)
      finish()
      await busy.closed
      await drained
      gateway = undefined
    })

    // docs/api/errors.md#errors-in-a-stream. The client is still connected, so no record may say that it disconnected.
    it('ends a stream with an in-band error when drain_seconds are over, also one of a runtime before a reload', async () => {
      await start({ drain_seconds: 0.3 })
      const before = backend.aborted.length
      const { connection: older } = await openStream()
      await gateway!.reload(configWith({ drain_seconds: 0.3 }, { mark: 'two' }))
      const { connection } = await openStream()
      const started = performance.now()
      await gateway!.drain()
      gateway = undefined
      expect(performance.now() - started).least(280)
      for (const { closed } of [older, connection]) {
        expect(await closed)
          .match(/data: \{"error":\{"type":"server_error","code":"shutting_down",.*\n\n\r\n0\r\n\r\n$/s)
          .not.contain('[DONE]')
      }
      expect(seen.filter(line => line.startsWith('finished'))).deep.equal(['finished two', 'finished one'])
      await eventually(() => backend.aborted.length === before + 2, 'the abort')
    })

    it('answers 503 then where nothing has been sent', async () => {
      await start({ drain_seconds: 0.3 })
      const scripts = [
        () => {},
        (res: ServerResponse) => {
          startStream(res)
          sendEvent(res, delta({ role: 'assistant', content: 'begun' }))
        },
      ]
      for (const script of scripts) {
        backend.script = script
        const answer = fetch(`${gateway!.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${KEY}` },
          body: JSON.stringify({ ...stream, stream: false }),
        })
        await eventually(() => gateway!.exchanges === 1)
        await gateway!.drain()
        expect((await answer).status).equal(503)
        expect(((await (await answer).json()) as { error: { code: string } }).error.code).equal('shutting_down')
        await start({ drain_seconds: 0.3 })
      }
    })

    // A client that only uploads is connected, too: its record must not say that it has disconnected.
    it('answers 503 then also to a request whose body has not arrived', async () => {
      await start({ drain_seconds: 0.3 })
      const form = 'content-type: multipart/form-data; boundary=b\r\n'
      for (const [path, more] of [
        ['/v1/chat/completions', ''],
        ['/v1/audio/transcriptions', form],
        ['/v1/files', form],
      ]) {
        const connection = new RawConnection(gateway!.url)
        open.push(connection)
        connection.write(
          `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${KEY}\r\n${more}content-length: 9\r\n\r\n{`,
        )
        await eventually(() => gateway!.exchanges === 1)
        await gateway!.drain()
        expect(await connection.closed, path).match(/^HTTP\/1\.1 503 .*"code":"shutting_down"/s)
        await start({ drain_seconds: 0.3 })
      }
    })

    it('closes connections that do not even end then', async () => {
      await start({ drain_seconds: 0.3 })
      backend.script = res => {
        startStream(res)
        for (let i = 0; i < 300; i++) sendEvent(res, delta({ content: 'x'.repeat(100_000) }))
      }
      const connection = new RawConnection(gateway!.url)
      open.push(connection)
      const body = JSON.stringify(stream)
      connection.write(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      await connection.until('HTTP/1.1 200')
      connection.socket.pause()
      await gateway!.drain()
      gateway = undefined
      connection.socket.resume()
      expect(await connection.closed).not.contain('shutting_down')
      expect(seen.slice(-2)).deep.equal(['finished one', 'closed one'])
    })

    it('waits for what a reload has replaced', async () => {
      await start({ drain_seconds: 20 })
      const { connection, finish } = await openStream()
      await gateway!.reload(configWith({ drain_seconds: 20 }, { mark: 'two' }))
      const drained = gateway!.drain()
      gateway = undefined
      await sleep(50)
      expect(seen).not.include('closed one')
      finish()
      await connection.until('[DONE]')
      await drained
      expect(seen).include('closed one').and.include('closed two')
    })
  })
})
