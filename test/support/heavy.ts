/** Backends and clients on other threads, so that measurements on the test's thread include only the gateway. */
import { Worker } from 'node:worker_threads'
import { KEY } from './gateway.ts'

export type HeavyBody = 'text' | 'prompt' | 'input' | 'image' | 'blocks' | 'call' | 'many' | 'broken'

export interface UploadOrder {
  readonly kind: 'upload'
  readonly url: string
  readonly path: string
  readonly body: HeavyBody
  /** Approximate bytes of text, or messages of `many`. */
  readonly size: number
  readonly key: string
}

export interface StreamOrder {
  readonly kind: 'streams'
  readonly url: string
  readonly model: string
  readonly count: number
  /** Reads of each stream after its first event. */
  readonly reads: number
  readonly key: string
}

export interface CrowdOrder {
  readonly kind: 'crowd'
  readonly port: number
  /** The text that each connection sends. */
  readonly requests: readonly string[]
  readonly ms: number
}

export interface Upload {
  readonly status: number
  readonly answer: string
  /** Digest of the sent texts. */
  readonly expected: string
  readonly bytes: number
}

/** Answers each request with its size and a digest of its texts. */
export const digestBackend = () => serverThread('backend')

/** Streams an event every 20 ms to every client. */
export const pacingBackend = () => serverThread('pacer')

/** Streams four events per second to every client. */
export const tricklingBackend = () => serverThread('trickler')

/** Streams events of 4 KB to every client, as fast as they are read. */
export const floodingBackend = () => serverThread('flooder')

async function serverThread(role: 'backend' | 'pacer' | 'trickler' | 'flooder') {
  const worker = thread(role)
  const { port } = await next<{ port: number }>(worker)
  return { url: `http://127.0.0.1:${port}/v1`, close: () => worker.terminate() }
}

/** A client that runs one job at a time. */
export class HeavyClient {
  readonly #worker = thread('client')

  upload(url: string, path: string, body: HeavyBody, size: number): Promise<Upload> {
    return this.#order({ kind: 'upload', url, path, body, size, key: KEY } satisfies UploadOrder)
  }

  /** Times between two reads of the same stream, in ms, in ascending order. */
  async gaps(url: string, count: number, reads: number, model = 'm'): Promise<number[]> {
    const { gaps } = await this.#order<{ gaps: number[] }>({
      kind: 'streams',
      url,
      model,
      count,
      reads,
      key: KEY,
    } satisfies StreamOrder)
    return gaps.sort((a, b) => a - b)
  }

  /** Connections that send and do not read. Resolves after a while with the number that the gateway has closed. */
  async crowd(url: string, requests: readonly string[], ms: number): Promise<number> {
    const port = Number(new URL(url).port)
    const { closed } = await this.#order<{ closed: number }>({ kind: 'crowd', port, requests, ms } satisfies CrowdOrder)
    return closed
  }

  close(): Promise<number> {
    return this.#worker.terminate()
  }

  #order<T>(order: UploadOrder | StreamOrder | CrowdOrder): Promise<T> {
    this.#worker.postMessage(order)
    return next<T>(this.#worker)
  }
}

function thread(role: string): Worker {
  return new Worker(new URL('./heavy-worker.ts', import.meta.url), { workerData: { role } })
}

function next<T>(worker: Worker): Promise<T> {
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown) => reject(cause)
    worker.once('error', failed)
    worker.once('message', (message: T) => {
      worker.off('error', failed)
      resolve(message)
    })
  })
}
