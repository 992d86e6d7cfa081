import type { IncomingHttpHeaders } from 'node:http'
import type { Backend, BackendPool } from '../backends/pool.ts'
import { outgoingJson } from '../body/index.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { Config, ModelConfig } from '../config/config.ts'
import type { Target } from '../core/slots.ts'
import { bodyFor } from '../engines/encode/request.ts'
import type { ResponseHandler, UpstreamCall, UpstreamSender } from '../transport/transport.ts'

/** Maximum size of a client's body that is mirrored. */
const MAX_BYTES = 64 * 1024
/** Maximum number of mirrored requests in flight, of all models of a process. */
const MAX_IN_FLIGHT = 64

/**
 * Outcome of a request that was selected to be mirrored.
 * - `dropped`: too many mirrored requests were in flight.
 * - `too_large`: the body was too large.
 * - `no_backend`: no backend of the other model was healthy and had capacity.
 */
export type MirrorOutcome = 'ok' | 'failed' | 'timeout' | 'cancelled' | 'dropped' | 'too_large' | 'no_backend'

interface MirrorOptions {
  readonly config: Pick<Config, 'models' | 'timeouts'>
  readonly pool: BackendPool
  client(backend: Backend): Pick<UpstreamSender, 'send'>
  /** Called once for each selected request. `model`: the model of the client's request. */
  onMirrored(model: string, outcome: MirrorOutcome): void
}

/** A client's request, whose own model has begun its reply. */
interface ServedRequest {
  readonly request: CanonicalRequest
  readonly target: Target
  /** Relative to the base URL of a backend. */
  readonly path: string
  readonly id: string
  /** Bytes of the body, as received. */
  readonly bytes: number
  /** The header of the client's request. */
  readonly via?: string | undefined
}

interface Mirror {
  readonly model: string
  readonly percent: number
  readonly to: ModelConfig
  /** Accumulated percent. A request is mirrored at 100. */
  due: number
}

/** Also sends a share of requests to another model (docs/ROUTING.md#mirror). Replies are dropped and not counted. */
export class Mirrors {
  readonly #options: MirrorOptions
  readonly #mirrors: ReadonlyMap<string, Mirror>
  readonly #running = new Set<MirroredRequest>()
  #waiting = 0
  #isClosed = false

  constructor(options: MirrorOptions) {
    this.#options = options
    const { models } = options.config
    const mirrors = models.flatMap(({ id, mirror }): [string, Mirror][] => {
      const to = models.find(model => model.id === mirror?.to)
      return mirror === undefined || to === undefined ? [] : [[id, { model: id, percent: mirror.percent, to, due: 0 }]]
    })
    this.#mirrors = new Map(mirrors)
  }

  /** Mirrors the request if it is selected, in a later tick. Called when the client's reply has begun. */
  offer(served: ServedRequest): void {
    const { target, bytes } = served
    const mirror = this.#mirrors.get(target.model.id)
    if (mirror === undefined || target.zdr || this.#isClosed || !isDue(mirror)) return
    if (bytes > MAX_BYTES) return this.#options.onMirrored(mirror.model, 'too_large')
    if (this.#running.size + this.#waiting >= MAX_IN_FLIGHT) return this.#options.onMirrored(mirror.model, 'dropped')
    this.#waiting++
    // The caller releases the request after this call.
    const request = copyOf(served.request)
    setImmediate(() => {
      this.#waiting--
      this.#send(mirror, { ...served, request })
    })
  }

  /** Cancels mirrored requests, and sends no more. */
  close(): void {
    this.#isClosed = true
    for (const one of [...this.#running]) one.end('cancelled')
  }

  #send({ model, to }: Mirror, { request, target, path, id, via }: ServedRequest): void {
    const { pool, client, onMirrored, config } = this.#options
    if (this.#isClosed) return onMirrored(model, 'cancelled')
    let entered: ReturnType<BackendPool['enter']>
    try {
      entered = pool.enter(to, false, () => undefined)
    } catch {
      return onMirrored(model, 'no_backend')
    }
    const { backend, lease: modelLease } = entered
    const lease = backend.acquire()
    const sent = new MirroredRequest(outcome => {
      this.#running.delete(sent)
      // A mirrored request is no evidence about its backend.
      lease.release('neutral')
      modelLease.release()
      onMirrored(model, outcome)
    })
    this.#running.add(sent)
    try {
      // Without priority, because no client waits for the reply.
      const body = outgoingJson(JSON.stringify(bodyFor(request, { ...target, model: to, priority: 0 }, backend.config)))
      const call = client(backend).send({ method: 'POST', path, requestId: `mirror-${id.slice(-12)}`, via, body }, sent)
      sent.started(call, config.timeouts.first_byte_ms)
    } catch {
      // The engine does not support a feature of the request.
      sent.end('failed')
    }
  }
}

class MirroredRequest implements ResponseHandler {
  readonly #onEnd: (outcome: MirrorOutcome) => void
  #call: UpstreamCall | undefined
  #timer: NodeJS.Timeout | undefined
  #status = 0
  #hasEnded = false

  constructor(onEnd: (outcome: MirrorOutcome) => void) {
    this.#onEnd = onEnd
  }

  /** `maxMs`: timeout for the whole reply. */
  started(call: UpstreamCall, maxMs: number): void {
    this.#call = call
    this.#timer = setTimeout(() => this.end('timeout'), maxMs).unref()
  }

  end(outcome: MirrorOutcome): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#call?.cancel()
    this.#onEnd(outcome)
  }

  onHead(status: number, _headers: IncomingHttpHeaders): void {
    this.#status = status
  }

  onData(): void {}

  onEnd(): void {
    this.end(this.#status === 200 ? 'ok' : 'failed')
  }

  onError(): void {
    this.end('failed')
  }
}

/** Selects requests evenly: for 5 percent, every twentieth. */
function isDue(mirror: Mirror): boolean {
  mirror.due += mirror.percent
  // A sum of fractions may be slightly below 100.
  if (mirror.due < 100 - 1e-6) return false
  mirror.due -= 100
  return true
}

/** A copy that release() of the original does not empty. */
function copyOf(request: CanonicalRequest): CanonicalRequest {
  const { responseFormat } = request
  const copy = { ...request, responseFormat: responseFormat && { ...responseFormat } }
  return copy.kind === 'chat' ? { ...copy, tools: copy.tools.map(tool => ({ ...tool })) } : copy
}
