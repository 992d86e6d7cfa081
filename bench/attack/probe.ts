/** Small chats and streams of another account, as they fare beside an attack. */
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A chat every so often. */
const EVERY_MS = 50
const STREAMS = 10

export interface Probed {
  readonly chats: number
  readonly failed: number
  readonly p50: number
  readonly p99: number
  /** Longest time between two reads of a stream, in ms. */
  readonly gap: number
  /** The same of streams that come straight from the backend: attack, backends and probe share the machine. */
  readonly directGap: number
}

const agent = new http.Agent({ keepAlive: true })

/** Streams that run until they are ended. */
class Streams {
  gap = 0
  readonly #requests: readonly http.ClientRequest[]

  constructor(port: number, key: string) {
    this.#requests = Array.from({ length: STREAMS }, () => {
      let last = 0
      return post(port, key, true, () => {
        const now = performance.now()
        if (last > 0) this.gap = Math.max(this.gap, now - last)
        last = now
      }).request
    })
  }

  end(): void {
    for (const request of this.#requests) request.destroy()
  }
}

/** Probes the gateway at `port` until `over` is settled. */
export async function probeUntil(
  over: Promise<unknown>,
  port: number,
  key: string,
  backendPort: number,
): Promise<Probed> {
  let isOver = false
  void over.finally(() => {
    isOver = true
  })
  const streams = new Streams(port, key)
  const direct = new Streams(backendPort, key)
  const times: number[] = []
  let failed = 0
  const chats: Promise<void>[] = []
  while (!isOver) {
    const started = performance.now()
    chats.push(
      post(port, key, false).ended.then(status => {
        times.push(performance.now() - started)
        if (status !== 200) failed++
      }),
    )
    await sleep(EVERY_MS)
  }
  await Promise.all(chats)
  streams.end()
  direct.end()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { chats: times.length, failed, p50: at(0.5), p99: at(0.99), gap: streams.gap, directGap: direct.gap }
}

function post(port: number, key: string, stream: boolean, onData: () => void = () => {}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const options = { port, path: '/v1/chat/completions', method: 'POST', headers, ...(stream ? {} : { agent }) }
  let request!: http.ClientRequest
  const ended = new Promise<number>(resolve => {
    request = http.request(options, response => {
      response.on('data', onData)
      response.on('error', () => resolve(0))
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', () => resolve(0))
    request.end(JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'hi' }] }))
  })
  return { request, ended }
}
