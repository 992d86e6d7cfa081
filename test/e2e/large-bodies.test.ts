import http from 'node:http'
import { expect } from 'chai'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { cpuMs, longestBusy } from '../support/cost.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { digestBackend, type HeavyBody, HeavyClient, pacingBackend } from '../support/heavy.ts'

const CHAT = '/v1/chat/completions'
const MEGABYTE = 1_000_000

const CALL = JSON.stringify({ input: { text: 'a "word"\n'.repeat(100_000) } })

/** Maximum blocking time for the input of a tool call of a megabyte. */
const parseCall = () => JSON.stringify(JSON.stringify(JSON.parse(CALL)))

describe('large bodies', () => {
  describe('reach the backend', () => {
    let digest: Awaited<ReturnType<typeof digestBackend>>
    let pacer: Awaited<ReturnType<typeof pacingBackend>>
    let gateway: TestGateway
    let client: HeavyClient

    before(async () => {
      digest = await digestBackend()
      pacer = await pacingBackend()
      const capabilities = { vision: true, tools: true, messages: { vision: true } }
      const backend = (url: string) => ({ url, model: 'up', engine: 'vllm' })
      gateway = await testGateway({
        backends: [],
        more: {
          models: [
            { id: 'm', backends: [backend(pacer.url)] },
            { id: 'big', capabilities, backends: [backend(digest.url)] },
          ],
        },
      })
      client = new HeavyClient()
    })

    after(async () => {
      await client?.close()
      await gateway?.close()
      await digest?.close()
      await pacer?.close()
    })

    const CASES: readonly (readonly [path: string, body: HeavyBody, megabytes: readonly number[]])[] = [
      [CHAT, 'text', [1, 20, 49]],
      [CHAT, 'image', [1, 49]],
      ['/v1/messages', 'text', [5]],
      ['/v1/messages', 'blocks', [5]],
      // The body has its texts three times, and the body for the backend has twice as many escapes.
      ['/v1/messages', 'call', [1, 4]],
      ['/v1/responses', 'input', [5]],
      ['/v1/completions', 'prompt', [5]],
    ]
    for (const [path, body, sizes] of CASES) {
      it(`with every character: ${body} on ${path}`, async () => {
        for (const size of sizes) {
          const { status, answer, expected, bytes } = await client.upload(gateway.url, path, body, size * MEGABYTE)
          expect(status, answer).equal(200)
          expect(bytes).greaterThan(size * 0.9 * MEGABYTE)
          expect(answer, `${bytes} bytes`).contain(expected)
        }
      })
    }

    it('also as 10,000 messages', async () => {
      for (const path of [CHAT, '/v1/messages']) {
        const { status, answer, expected } = await client.upload(gateway.url, path, 'many', 10_000)
        expect(status, answer).equal(200)
        expect(answer).contain(expected)
      }
    })

    it('or are refused by the rules', async () => {
      for (const path of [CHAT, '/v1/messages']) {
        const { status, answer } = await client.upload(gateway.url, path, 'broken', 20 * MEGABYTE)
        expect([status, JSON.parse(answer).error.param], answer).deep.equal([422, 'messages.1.role'])
      }
    })

    /** The longest piece of work during large uploads, in ms of CPU time, while streams are read. */
    const busyDuringUploads = async (reader: HeavyClient) => {
      let gaps: readonly number[] = []
      const busy = await longestBusy(async () => {
        const reading = reader.gaps(gateway.url, 50, 500)
        await client.upload(gateway.url, CHAT, 'text', 20 * MEGABYTE)
        await client.upload(gateway.url, CHAT, 'image', 49 * MEGABYTE)
        await client.upload(gateway.url, '/v1/messages', 'call', MEGABYTE)
        await client.upload(gateway.url, CHAT, 'many', 10_000)
        gaps = await reading
      })
      // Each stream has been read several times.
      expect(gaps.length).greaterThan(50 * 5)
      return busy
    }

    it('while other streams keep their pace', async () => {
      const reader = new HeavyClient()
      try {
        // Gaps in wall time depend on the load of the machine, unlike this thread's CPU time. The longest piece of work
        // is a pass over the largest body. In a virtual machine, CPU time includes time that the host takes, so that
        // one of three tries must succeed.
        for (let attempt = 1; ; attempt++) {
          const busy = await busyDuringUploads(reader)
          const limit = 12 * cpuMs(parseCall)
          if (process.env.FIGURES) console.log({ busy, limit })
          if (busy < limit) break
          if (attempt === 3) expect(busy).below(limit)
        }
      } finally {
        await reader.close()
      }
    })
  })

  describe('above the limit', () => {
    const LIMIT = 1_000_000
    let backend: ScriptedBackend
    let gateway: TestGateway

    before(async () => {
      backend = await scriptedBackend(reply())
      gateway = await testGateway({ backends: [backend.url], more: { body_limit_bytes: LIMIT } })
    })

    after(async () => {
      await gateway?.close()
      await backend?.close()
    })

    const body = (length: number) => {
      const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: '' }] })
      return text.replace('""', `"${'x'.repeat(length - text.length)}"`)
    }

    /** Sends piece by piece and reports whether the response was received during sending or later. */
    const send = (length: number, headers: http.OutgoingHttpHeaders, agent?: http.Agent) =>
      new Promise<{ status: number; text: string; early: boolean; id: unknown; connection: unknown }>(
        (resolve, reject) => {
          const bytes = Buffer.from(body(length))
          let sent = 0
          const request = http.request(
            gateway.url + CHAT,
            { method: 'POST', agent, headers: { authorization: `Bearer ${KEY}`, ...headers } },
            res => {
              const early = sent < bytes.length
              let text = ''
              res.on('data', piece => {
                text += piece
              })
              res.on('end', () => {
                const { 'x-request-id': id, connection } = res.headers
                resolve({ status: res.statusCode ?? 0, text, early, id, connection })
              })
            },
          )
          request.on('error', reject)
          const more = () => {
            while (sent < bytes.length) {
              const piece = bytes.subarray(sent, sent + 64 * 1024)
              sent += piece.length
              if (!request.write(piece)) return void request.once('drain', more)
            }
            request.end()
          }
          more()
        },
      )

    it('are refused with 413, which the client can read although it is still sending', async () => {
      for (const length of [LIMIT + 1, 30 * LIMIT]) {
        for (const headers of [
          { 'content-length': length },
          { 'transfer-encoding': 'chunked' },
        ] as http.OutgoingHttpHeaders[]) {
          const { status, text, id, early } = await send(length, headers)
          expect(status).equal(413)
          expect(JSON.parse(text).error).include({ code: 'request_body_too_large', request_id: id })
          if (length > 20 * LIMIT) expect(early).equal(true)
        }
      }
    })

    it('close the connection, and short ones that are refused do not', async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
      try {
        const large = await send(5 * LIMIT, { 'transfer-encoding': 'chunked' }, agent)
        expect([large.status, large.connection]).deep.equal([413, 'close'])
        const noKey = await send(100_000, { 'content-length': 100_000, authorization: 'Bearer x' }, agent)
        expect([noKey.status, noKey.connection]).deep.equal([401, 'keep-alive'])
        expect((await send(1000, { 'transfer-encoding': 'chunked' }, agent)).status).equal(200)
      } finally {
        agent.destroy()
      }
    })

    it('are distinguished from those of exactly the limit', async () => {
      for (const headers of [
        { 'content-length': LIMIT },
        { 'transfer-encoding': 'chunked' },
      ] as http.OutgoingHttpHeaders[]) {
        expect((await send(LIMIT, headers)).status).equal(200)
        expect(backend.requests.at(-1)!.bytes.length).greaterThan(LIMIT)
      }
    })

    it('leave nothing behind when the client disconnects', async () => {
      const request = http.request(gateway.url + CHAT, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-length': 900_000 },
      })
      request.on('error', () => {})
      request.write('x'.repeat(500_000))
      await eventually(() => gateway.gateway.exchanges === 1)
      request.destroy()
      await eventually(() => gateway.gateway.exchanges === 0)
      expect(await gateway.metric('sluiceway_requests_in_flight')).equal(0)
    })
  })
})
