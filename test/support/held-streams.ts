/** Streams that run until a test ends them, and clients that count their results. */
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { reply, type ScriptedBackend, scriptedBackend, sendEvent, startStream, textEvents } from './backend.ts'
import { eventually, KEY } from './gateway.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

/** A backend whose streams begin, then wait for release(). Other requests are answered at once. */
export class HeldStreams {
  readonly backend: ScriptedBackend
  readonly #held: ServerResponse[] = []
  readonly #agent = new Agent({ keepAlive: true })
  #streams: readonly Promise<Answer>[] = []

  private constructor(backend: ScriptedBackend) {
    this.backend = backend
    backend.script = (res, seen, req) => {
      if (seen.body.stream !== true) return reply()(res, seen, req)
      startStream(res)
      for (const event of textEvents('Hello there').slice(0, 2)) sendEvent(res, event)
      this.#held.push(res)
    }
  }

  static async start(): Promise<HeldStreams> {
    return new HeldStreams(await scriptedBackend())
  }

  /** Begins streams through the gateway at this port, and waits until all run. */
  async begin(port: number, count: number): Promise<void> {
    this.#streams = Array.from({ length: count }, () => chat(port, true, this.#agent))
    await eventually(() => this.#held.length === count, 'every stream', 60_000)
  }

  /** Ends all streams. Resolves with the number of clients that received a complete stream. */
  async release(): Promise<number> {
    for (const res of this.#held) {
      for (const event of textEvents('Hello there').slice(2)) sendEvent(res, event)
      res.end('data: [DONE]\n\n')
    }
    const ended = await Promise.allSettled(this.#streams)
    return ended.filter(
      one => one.status === 'fulfilled' && one.value.status === 200 && one.value.text.includes('data: [DONE]'),
    ).length
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    await this.backend.close()
  }
}

/** Sends a chat over a new connection, or one of the agent. Rejects if the connection is refused or breaks. */
export function chat(port: number, stream: boolean, agent: Agent | false = false): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const options = { port, host: '127.0.0.1', path: '/v1/chat/completions', method: 'POST', headers, agent }
    const sent = request(options, async (res: IncomingMessage) => {
      let text = ''
      try {
        for await (const part of res.setEncoding('utf8')) text += part
        resolve({ status: res.statusCode!, text })
      } catch (broken) {
        reject(broken)
      }
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'hi' }] }))
  })
}

/** Clients that send requests continuously, each over a new connection, until they are stopped. */
export class SteadyClients {
  served = 0
  readonly failures: unknown[] = []
  #isOver = false
  readonly #asking: readonly Promise<void>[]

  constructor(port: number, count = 4) {
    this.#asking = Array.from({ length: count }, () => this.#ask(port))
  }

  /** Waits until the given number of further requests has been served. */
  async servedMore(count: number, when: string): Promise<void> {
    const from = this.served
    await eventually(() => this.served >= from + count, `requests ${when}`, 60_000)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#asking)
  }

  async #ask(port: number): Promise<void> {
    while (!this.#isOver) {
      await chat(port, false).then(
        ({ status }) => (status === 200 ? this.served++ : this.failures.push(status)),
        error => this.failures.push(error),
      )
    }
  }
}
