/** Sends the sessions of a workload to a gateway, in compressed time, and measures the times to their first tokens. */
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sample } from './result.ts'
import { KEY } from './servers.ts'
import { messagesOf } from './text.ts'
import type { Session, Turn } from './workloads.ts'

export interface LoadOptions {
  readonly url: string
  readonly sessions: readonly Session[]
  /** Factor by which time is compressed. */
  readonly times: number
  /** The model that a session's requests name. */
  modelOf(session: Session): string
  /** Default: true. The first token of a whole reply arrives with the last one. */
  readonly isStreamed?: boolean
}

/** The sample of a request over HTTP. */
export interface HttpSample extends Sample {
  /** The `x-request-id` of the response. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  readonly answerTokens: number
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 2000 })

export async function runLoad({
  url,
  sessions,
  times,
  modelOf,
  isStreamed = true,
}: LoadOptions): Promise<HttpSample[]> {
  const samples: HttpSample[] = []
  const start = performance.now()
  await Promise.all(
    sessions.map(async session => {
      await sleep(Math.max(0, start + session.at / times - performance.now()))
      for (const [i, turn] of session.turns.entries()) {
        if (i > 0) await sleep(session.pauses[i - 1]! / times)
        const sample = await send(url, { model: modelOf(session), isStreamed, turn, start })
        if (sample !== undefined) samples.push(sample)
      }
    }),
  )
  return samples
}

interface Sending {
  readonly model: string
  readonly isStreamed: boolean
  readonly turn: Turn
  readonly start: number
}

/** undefined: the request failed. */
function send(url: string, { model, isStreamed, turn, start }: Sending): Promise<HttpSample | undefined> {
  const body = JSON.stringify({ model, stream: isStreamed, max_tokens: turn.answerTokens, messages: messagesOf(turn) })
  return new Promise(resolve => {
    const sent = performance.now()
    let first = 0
    let tail = ''
    const request = http.request(`${url}/v1/chat/completions`, {
      agent,
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    })
    request.on('error', () => resolve(undefined))
    request.on('response', response => {
      response.on('data', (chunk: Buffer) => {
        tail = (tail + chunk.toString()).slice(-2000)
        if (first === 0 && tail.includes('word')) first = performance.now()
      })
      response.on('end', () => {
        const end = performance.now()
        const prompt = /"prompt_tokens":(\d+)/.exec(tail)
        const cached = /"cached_tokens":(\d+)/.exec(tail)
        if (response.statusCode !== 200 || prompt === null) return resolve(undefined)
        const tpot = (end - first) / Math.max(1, turn.answerTokens - 1)
        const cachedTokens = Number(cached?.[1] ?? 0)
        resolve({
          id: String(response.headers['x-request-id']).replace(/^req_/, ''),
          sentAt: performance.timeOrigin + sent,
          answerTokens: turn.answerTokens,
          at: sent - start,
          ttft: first - sent,
          tpot,
          promptTokens: Number(prompt[1]),
          cachedTokens,
        })
      })
    })
    request.end(body)
  })
}
