/** Connects batches with the rest of a gateway: accounts, the chain of the current runtime, and spare capacity. */
import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Account } from '../accounts/access.ts'
import { systemClock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { BatchEndpoint } from '../batches/batch.ts'
import type { LineRequest } from '../batches/line-request.ts'
import type { BatchRunner } from '../batches/runner.ts'
import type { SpareCapacity } from '../batches/spare.ts'
import type { LineCheck } from '../batches/validate.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { Config } from '../config/config.ts'
import { batchPriceFactor } from '../config/resolve.ts'
import type { Exchange } from '../core/exchange.ts'
import { chat, target } from '../core/slots.ts'
import { GatewayError } from '../errors/errors.ts'
import type { FileStore } from '../files/store.ts'
import { formatOf } from '../formats/index.ts'
import type { RuntimeRequests } from '../internal/requests.ts'
import type { RecordSink } from '../records/journal.ts'
import { ROUTES } from '../routes/routes.ts'
import type { Store } from '../store/store.ts'

interface BatchHost {
  readonly config: () => Config
  readonly store: Store
  readonly files: FileStore
  readonly records: RecordSink
  readonly spare: SpareCapacity
  readonly metrics: Metrics
  readonly log: Logger
}

/** The batches of a process. They exist from the first configuration on that has them. */
export class ProcessBatches {
  readonly #host: BatchHost
  #runner: BatchRunner | undefined
  #requests: (() => RuntimeRequests) | undefined

  constructor(host: BatchHost) {
    this.#host = host
  }

  /** null: the configuration has no batches. */
  async service(config: Config): Promise<BatchRunner['service'] | null> {
    if (config.batches === undefined) return null
    return (await this.#created()).service
  }

  /** Runs lines from now on. `requests`: those of the current runtime. */
  start(requests: () => RuntimeRequests): void {
    this.#requests = requests
    this.#runner?.start()
  }

  /** Claims nothing more. Lines in flight go on. */
  stop(): void {
    this.#runner?.stop()
  }

  /** Aborts lines in flight, and gives all lines back. */
  async close(): Promise<void> {
    await this.#runner?.close()
  }

  async #created(): Promise<BatchRunner> {
    if (this.#runner !== undefined) return this.#runner
    const { BatchRunner } = await import('../batches/runner.ts')
    const { config } = this.#host
    this.#runner ??= new BatchRunner({
      ...this.#host,
      clock: systemClock,
      send: line => this.#send(line),
      check: (...line) => this.#check(...line),
      priceFactor: ({ plan }: Account) => batchPriceFactor(config(), plan),
    })
    if (this.#requests !== undefined) this.#runner.start()
    return this.#runner
  }

  async #send({ endpoint, ...request }: LineRequest) {
    return this.#requests!().send({ ...request, surface: 'batch', route: routeOf(endpoint).name })
  }

  readonly #check: LineCheck = async (endpoint, body, key) => {
    const route = routeOf(endpoint).name
    try {
      return await this.#requests!().check({ surface: 'batch', route, body, key }, NOT_CHECKED, found)
    } catch (thrown) {
      if (thrown instanceof GatewayError && thrown.status < 500) return { problem: problemOf(thrown, endpoint) }
      throw thrown
    }
  }
}

/**
 * Plugins that do not run when a line is validated: they count the request, take money or places, ask other servers, or
 * know more when the line runs.
 */
const NOT_CHECKED: ReadonlySet<string> = new Set([
  'metrics',
  'records',
  'trace',
  'context-length',
  'images',
  'usage-limits',
  'credits',
  'guard',
])

function routeOf(endpoint: BatchEndpoint) {
  return ROUTES.find(({ path }) => path === endpoint)!
}

function found(exchange: Exchange): { readonly model: string; readonly prefix: string } {
  const model = exchange.get(target).model.id
  return { model, prefix: prefixOf(model, exchange.find(chat)) }
}

/** A hash of what lines may have in common: model, system prompt and tools. '': neither prompt nor tools. */
function prefixOf(model: string, request: CanonicalRequest | undefined): string {
  if (request?.kind !== 'chat') return ''
  const [first] = request.messages
  const system = first?.role === 'system' ? first : null
  if (system === null && request.tools.length === 0) return ''
  return createHash('sha1')
    .update(JSON.stringify([model, request.tools, system]))
    .digest('base64url')
}

/** Codes of problems of lines. All others are problems of the body. */
const CODES: ReadonlySet<string> = new Set(['model_not_found', 'model_not_allowed'])

function problemOf(error: GatewayError, endpoint: BatchEndpoint) {
  const { code, message, details } = error
  const { param, ownParam } = details
  const own = param === undefined || ownParam ? param : formatOf(routeOf(endpoint).format).toClientParam(param)
  return {
    code: CODES.has(code) ? code : 'schema_validation_failed',
    message,
    param: own === undefined ? 'body' : `body.${own}`,
  }
}
