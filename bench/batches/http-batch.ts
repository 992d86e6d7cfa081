/** A client of the Batch API that checks whether each line has a result. */
import { setTimeout as sleep } from 'node:timers/promises'
import { KEY } from '../routing/servers.ts'

/** Between two requests for a state, because requests are limited. */
const PAUSE_MS = 300
const MAX_END_MS = 180_000
const ENDPOINT = '/v1/chat/completions'

interface ShownBatch {
  readonly status: string
  readonly output_file_id: string | null
  readonly error_file_id: string | null
  readonly request_counts: { readonly total: number; readonly completed: number }
}

/** What a batch that has ended has done with its lines. */
export interface Outcome {
  readonly completed: number
  /** Lines without a result, and results that no line or another result has. */
  readonly lost: number
  readonly repeated: number
  /** Lines with an error other than the cancellation. */
  readonly failed: number
}

export class HttpBatch {
  readonly #url: string
  readonly #lines: number
  readonly #id: string

  private constructor(url: string, lines: number, id: string) {
    this.#url = url
    this.#lines = lines
    this.#id = id
  }

  /** `bodies`: of the lines. */
  static async start(url: string, bodies: readonly string[]): Promise<HttpBatch> {
    const lines = bodies.map((body, i) => `{"custom_id":"${i}","method":"POST","url":"${ENDPOINT}","body":${body}}`)
    const form = new FormData()
    form.set('purpose', 'batch')
    form.set('file', new Blob([lines.join('\n')]), 'lines.jsonl')
    const file = await ask<{ id: string }>(url, '/v1/files', { method: 'POST', body: form })
    const body = JSON.stringify({ input_file_id: file.id, endpoint: ENDPOINT, completion_window: '24h' })
    const headers = { 'content-type': 'application/json' }
    const { id } = await ask<{ id: string }>(url, '/v1/batches', { method: 'POST', body, headers })
    return new HttpBatch(url, bodies.length, id)
  }

  cancel(): Promise<unknown> {
    return ask(this.#url, `/v1/batches/${this.#id}/cancel`, { method: 'POST' })
  }

  /** Waits until it has ended. */
  async outcome(): Promise<Outcome> {
    const deadline = performance.now() + MAX_END_MS
    for (;;) {
      const batch = await ask<ShownBatch>(this.#url, `/v1/batches/${this.#id}`)
      if (batch.status === 'failed') throw new Error(`A batch has failed: ${JSON.stringify(batch)}`)
      if (batch.status === 'completed' || batch.status === 'cancelled') return this.#count(batch)
      if (performance.now() > deadline) throw new Error(`A batch has not ended: ${JSON.stringify(batch)}`)
      await sleep(PAUSE_MS)
    }
  }

  async #count({ output_file_id, error_file_id }: ShownBatch): Promise<Outcome> {
    const done = await this.#results(output_file_id)
    const others = await this.#results(error_file_id)
    const all = [...done, ...others].map(({ custom_id }) => custom_id)
    const different = new Set(all).size
    return {
      completed: done.length,
      lost: Math.abs(this.#lines - different),
      repeated: all.length - different,
      failed: others.filter(({ error }) => error?.code !== 'batch_cancelled').length,
    }
  }

  async #results(file: string | null) {
    if (file === null) return []
    const response = await fetch(`${this.#url}/v1/files/${file}/content`, { headers })
    const lines = (await response.text()).trimEnd().split('\n')
    return lines.map(line => JSON.parse(line) as { custom_id: string; error: { code: string } | null })
  }
}

const headers = { authorization: `Bearer ${KEY}` }

async function ask<T>(url: string, path: string, init: RequestInit & { headers?: object } = {}): Promise<T> {
  const response = await fetch(`${url}${path}`, { ...init, headers: { ...init.headers, ...headers } })
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}
