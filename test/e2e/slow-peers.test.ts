import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { scriptedBackend } from '../support/backend.ts'
import { collectGarbage } from '../support/garbage.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { digestBackend, floodingBackend, HeavyClient, tricklingBackend } from '../support/heavy.ts'
import { SURFACES } from '../support/surfaces.ts'

/** Memory of this thread in KB: only the gateway, because clients and backends run on other threads. */
const heldKb = async () => {
  let least = Number.POSITIVE_INFINITY
  // Garbage is not freed at once.
  for (let i = 0; i < 5; i++) {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    least = Math.min(least, (heapUsed + external) / 1024)
    await sleep(50)
  }
  return least
}

describe('slow peers', () => {
  let threads: { url: string; close(): Promise<number> }[]
  let gateway: TestGateway
  let crowd: HeavyClient

  before(async () => {
    threads = await Promise.all([digestBackend(), tricklingBackend(), floodingBackend()])
    const models = ['m', 'trickle', 'flood'].map((id, i) => ({
      id,
      backends: [{ url: threads[i]!.url, model: 'up', engine: 'vllm' }],
    }))
    gateway = await testGateway({
      backends: [],
      more: { models, timeouts: { client_idle_ms: 6000, headers_ms: 5000, request_ms: 10_000 } },
    })
    crowd = new HeavyClient()
  })

  after(async () => {
    await crowd?.close()
    await gateway?.close()
    for (const thread of threads ?? []) await thread.close()
  })

  afterEach(async () => {
    await eventually(async () => (await gateway.metric('sluiceway_requests_in_flight')) === 0, 'no request in flight')
    await eventually(async () => (await gateway.metric('sluiceway_backend_requests_in_flight')) === 0, 'backends free')
    expect(gateway.gateway.exchanges).equal(0)
  })

  /** Streams on all surfaces. */
  const requests = (count: number, model: string, said = 'hi') =>
    Array.from({ length: count }, (_, i) => {
      const { path, body } = SURFACES[i % SURFACES.length]!
      const text = JSON.stringify({ ...body(said, true), model })
      return `POST ${path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: ${text.length}\r\n\r\n${text}`
    })

  /** Durations of sequential requests, in ms, ascending. */
  const probes = async (count: number) => {
    const times: number[] = []
    for (let i = 0; i < count; i++) {
      const started = performance.now()
      const response = await gateway.post('/v1/chat/completions', SURFACES[0]!.body('hi', false))
      expect(response.status).equal(200)
      await response.text()
      times.push(performance.now() - started)
    }
    return times.sort((a, b) => a - b)
  }

  /** Connections that send and do not read until they are stopped. */
  const standBy = (url: string, texts: readonly string[]) => {
    const client = new HeavyClient()
    void client.crowd(url, texts, 60_000)
    return () => client.close()
  }

  it('that read nothing hold little memory', async () => {
    const COUNT = 12
    // A Responses stream keeps its output for the last event, which repeats it.
    const surfaces = requests(2 * COUNT, 'flood').filter(request => !request.includes('/v1/responses'))
    await crowd.crowd(gateway.url, surfaces.slice(0, 3), 300)
    await eventually(() => gateway.gateway.exchanges === 0)
    const before = await heldKb()
    const stop = standBy(gateway.url, surfaces.slice(0, COUNT))
    await eventually(() => gateway.gateway.exchanges === COUNT, `${COUNT} streams`)
    // Megabytes are sent until the buffers of the system are full.
    const perStream = async () => ((await heldKb()) - before) / COUNT
    await eventually(async () => (await perStream()) < 500, 'little memory')
    if (process.env.FIGURES) console.log({ perStreamKb: await perStream() })
    expect(gateway.gateway.exchanges).equal(COUNT)
    await stop()
  })

  it('that take minutes for an answer do not keep their conversation in memory', async () => {
    const COUNT = 30
    // The test keeps these texts until its end.
    const texts = requests(COUNT, 'trickle', 'x'.repeat(400_000))
    const before = await heldKb()
    const stop = standBy(gateway.url, texts)
    try {
      await eventually(() => gateway.gateway.exchanges === COUNT, `${COUNT} streams`)
      const perStream = async () => ((await heldKb()) - before) / COUNT
      await eventually(async () => (await perStream()) < 150, 'little memory')
      if (process.env.FIGURES) console.log({ perStreamKb: await perStream() })
      expect(texts).length(COUNT)
    } finally {
      await stop()
    }
  })

  it('that say nothing keep no request of others waiting, and are closed after headers_ms', async () => {
    const idle = crowd.crowd(gateway.url, Array<string>(500).fill(''), 20_000)
    await sleep(200)
    const times = await probes(20)
    if (process.env.FIGURES) console.log({ idle: 500, p50: times[10], max: times[19] })
    expect(await idle).equal(500)
  })

  it('by the hundreds, each with a stream that trickles, leave room for others', async () => {
    const COUNT = 500
    const before = await heldKb()
    const reader = new HeavyClient()
    try {
      const gaps = reader.gaps(gateway.url, COUNT, 30, 'trickle')
      await eventually(() => gateway.gateway.exchanges >= COUNT, `${COUNT} streams`)
      const perStream = ((await heldKb()) - before) / COUNT
      const times = await probes(20)
      expect(gateway.gateway.exchanges, 'streams that ran beside the requests').least(COUNT)
      const sorted = await gaps
      if (process.env.FIGURES) {
        console.log({
          perStream,
          p50: times[10],
          max: times[19],
          gap50: sorted[sorted.length >> 1],
          gap99: sorted[Math.floor(sorted.length * 0.99)],
        })
      }
      expect(perStream).below(100)
      // Each stream has progressed.
      expect(sorted.length).least(3 * COUNT)
    } finally {
      await reader.close()
    }
  })

  it('that read nothing for too long are let go, and their backends with them', async () => {
    const impatient = await testGateway({
      backends: [threads[2]!.url],
      more: { timeouts: { client_idle_ms: 1500 } },
    })
    try {
      const stop = standBy(impatient.url, requests(8, 'm'))
      await eventually(() => impatient.gateway.exchanges === 8, 'eight streams')
      await eventually(() => impatient.gateway.exchanges === 0, 'no exchange')
      expect(await impatient.metric('sluiceway_backend_requests_in_flight')).equal(0)
      expect(await impatient.metric('sluiceway_requests_total', 'status="499"')).equal(8)
      await stop()
    } finally {
      await impatient.close()
    }
  })

  it('that do not read a JSON reply are let go, and those that read it slowly are not', async () => {
    const backend = await scriptedBackend()
    const content = 'x'.repeat(24_000_000)
    const message = { role: 'assistant', content }
    backend.script = res =>
      void res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
    const impatient = await testGateway({ backends: [backend.url], more: { timeouts: { client_idle_ms: 3000 } } })
    const text = JSON.stringify(SURFACES[0]!.body('hi', false))
    const connect = () => {
      const socket = net.connect(Number(new URL(impatient.url).port), '127.0.0.1').on('error', () => {})
      socket.write(
        `POST ${SURFACES[0]!.path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      )
      return socket
    }
    try {
      const silent = connect().pause()
      await eventually(() => impatient.gateway.exchanges === 1, 'an exchange')
      await eventually(
        async () => (await impatient.metric('sluiceway_requests_total', 'status="200"')) === 1,
        'its end',
      )
      expect(impatient.gateway.exchanges, 'bytes are left').equal(1)
      await eventually(() => impatient.gateway.exchanges === 0, 'no exchange')
      silent.destroy()

      const slow = connect()
      let read = 0
      slow.on('data', (bytes: Buffer) => {
        read += bytes.length
        slow.pause()
        setTimeout(() => slow.resume(), 10)
      })
      await eventually(() => read > content.length, 'the whole reply')
      slow.destroy()
    } finally {
      await impatient.close()
      await backend.close()
    }
  })
})
