import type { IncomingHttpHeaders } from 'node:http'
import type { Backend, BackendPool } from '../backends/pool.ts'
import { outgoingJson } from '../body/index.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { Config, ModelConfig } from '../config/config.ts'
import type { Target } from '../core/slots.ts'
import { bodyFor } from '../engines/encode/request.ts'
import type { ResponseHandler, UpstreamCall, UpstreamSender } from '../transport/transport.ts'

/** Largest body of a client whose request is mirrored: well below those that are kept as bytes. */
export const MOST_BYTES = 64 * 1024
/** Most mirrored requests in flight, of all models of a process. */
export const MOST_IN_FLIGHT = 64

/**
 * What came of a request that was to be mirrored. `dropped`: too many were in flight; `too_large`: its body was; `no_backend`: no
 * backend of the other model had room, or none was healthy.
 */
export type MirrorOutcome = 'ok' | 'failed' | 'timeout' | 'cancelled' | 'dropped' | 'too_large' | 'no_backend'

export interface MirrorOptions {
  readonly config: Pick<Config, 'models' | 'timeouts'>
  readonly pool: BackendPool
  /** The client of a backend. */
  sender(backend: Backend): Pick<UpstreamSender, 'send'>
  /** Called once for each request that was chosen. `model`: the one that is mirrored. */
  onMirrored(model: string, outcome: MirrorOutcome): void
}

/** A request that is being answered by its own model. */
export interface Mirrorable {
  readonly request: CanonicalRequest
  readonly target: Target
  /** Below the base URL of a backend. */
  readonly path: string
  /** In hexadecimal digits. */
  readonly id: string
  /** Bytes of the body as received. */
  readonly bytes: number
}

interface Mirror {
  readonly model: string
  readonly percent: number
  readonly to: ModelConfig
  /** How much of the next request is due, in percent. */
  due: number
}

/**
 * Sends requests to another model as well (docs/ROUTING.md#mirror). No client waits for the answer, and nothing of it is kept: no record, no
 * price, no evidence against a backend.
 */
export class Mirrors {
  readonly #options: MirrorOptions
  readonly #mirrors: ReadonlyMap<string, Mirror>
  readonly #running = new Set<MirroredRequest>()
  #waiting = 0
  #isClosed = false

  constructor(options: MirrorOptions) {
    this.#options = options
    const { models } = options.config
    const found = models.flatMap(({ id, mirror }): [string, Mirror][] => {
      const to = models.find(model => model.id === mirror?.to)
      return mirror === undefined || to === undefined ? [] : [[id, { model: id, percent: mirror.percent, to, due: 0 }]]
    })
    this.#mirrors = new Map(found)
  }

  /** To be called once the client is being answered. The request is sent in a later tick. */
  offer(mirrorable: Mirrorable): void {
    const { target, bytes } = mirrorable
    const mirror = this.#mirrors.get(target.model.id)
    if (mirror === undefined || target.zdr || this.#isClosed || !isDue(mirror)) return
    if (bytes > MOST_BYTES) return this.#options.onMirrored(mirror.model, 'too_large')
    if (this.#running.size + this.#waiting >= MOST_IN_FLIGHT) return this.#options.onMirrored(mirror.model, 'dropped')
    this.#waiting++
    // The caller empties the request when this returns.
    const request = copyOf(mirrorable.request)
    setImmediate(() => {
      this.#waiting--
      this.#send(mirror, { ...mirrorable, request })
    })
  }

  /** Cancels what is under way. No more requests are mirrored. */
  close(): void {
    this.#isClosed = true
    for (const one of [...this.#running]) one.end('cancelled')
  }

  #send({ model, to }: Mirror, { request, target, path, id }: Mirrorable): void {
    const { pool, sender, onMirrored, config } = this.#options
    if (this.#isClosed) return onMirrored(model, 'cancelled')
    let room: ReturnType<BackendPool['enter']>
    try {
      room = pool.enter(to, false, () => undefined)
    } catch {
      return onMirrored(model, 'no_backend')
    }
    const { backend, lease: ofModel } = room
    const ofBackend = backend.acquire()
    const sent = new MirroredRequest(outcome => {
      this.#running.delete(sent)
      // No client asked for this answer: it says nothing for or against a backend.
      ofBackend.release('neutral')
      ofModel.release()
      onMirrored(model, outcome)
    })
    this.#running.add(sent)
    try {
      // A priority is for those who wait.
      const body = outgoingJson(JSON.stringify(bodyFor(request, { ...target, model: to, priority: 0 }, backend.config)))
      const call = sender(backend).send({ method: 'POST', path, requestId: `mirror-${id.slice(-12)}`, body }, sent)
      sent.started(call, config.timeouts.first_byte_ms)
    } catch {
      // The engine has no member for what this request asks.
      sent.end('failed')
    }
  }
}

/** A request whose answer is read and dropped. */
class MirroredRequest implements ResponseHandler {
  readonly #onOver: (outcome: MirrorOutcome) => void
  #call: UpstreamCall | undefined
  #timer: NodeJS.Timeout | undefined
  #status = 0
  #isOver = false

  constructor(onOver: (outcome: MirrorOutcome) => void) {
    this.#onOver = onOver
  }

  /** `mostMs`: for the whole answer. */
  started(call: UpstreamCall, mostMs: number): void {
    this.#call = call
    this.#timer = setTimeout(() => this.end('timeout'), mostMs).unref()
  }

  end(outcome: MirrorOutcome): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#call?.cancel()
    this.#onOver(outcome)
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

/** Spreads the share evenly over the requests: 5 percent are every twentieth. */
function isDue(mirror: Mirror): boolean {
  mirror.due += mirror.percent
  // Sums of fractions may be a little less.
  if (mirror.due < 100 - 1e-6) return false
  mirror.due -= 100
  return true
}

/** With its own copy of what release() of backend-body.ts empties. */
function copyOf(request: CanonicalRequest): CanonicalRequest {
  const { responseFormat } = request
  const copy = { ...request, responseFormat: responseFormat && { ...responseFormat } }
  return copy.kind === 'chat' ? { ...copy, tools: copy.tools.map(tool => ({ ...tool })) } : copy
}
