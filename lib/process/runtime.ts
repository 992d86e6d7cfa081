/** What is built from one configuration: a reload builds another runtime, and running exchanges keep theirs. */
import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import type { Counter } from 'prom-client'
import type { Backend } from '../backends/pool.ts'
import type { Metrics } from '../base/metrics.ts'
import { SwapRemoveList } from '../base/swap-remove-list.ts'
import type { LoopWriteQueue } from '../base/write-queue.ts'
import { type BodiesHost, breakBody, feedBody } from '../body/index.ts'
import type { Config } from '../config/config.ts'
import { compile, type ReadyPlugin } from '../core/chain.ts'
import type { Chain, Exchange } from '../core/exchange.ts'
import type { ExchangeHost } from '../core/exchange-types.ts'
import type { Services } from '../core/services.ts'
import { key, slotCount } from '../core/slots.ts'
import { Dispatcher } from '../dispatch/dispatch.ts'
import { failure } from '../errors/errors.ts'
import { formatOf } from '../formats/index.ts'
import { Proxies } from '../http/proxies.ts'
import { RuntimeRequests } from '../internal/requests.ts'
import { handle, type LifecycleHost, readingSteps } from '../lifecycle/lifecycle.ts'
import { Router } from '../routes/router.ts'
import type { Route, Surface } from '../routes/routes.ts'
import type { AdmissionControl } from './admission.ts'
import type { Backends } from './backends.ts'
import { routeSurfaces, runnablePlan } from './boot.ts'
import { closePlugins, setUpPlugins } from './plugins.ts'

interface SharedResources {
  readonly backends: Pick<Backends, 'lines' | 'pool' | 'queues' | 'routing'>
  readonly writes: LoopWriteQueue
  readonly bodies: BodiesHost
  readonly admissionControl: Pick<AdmissionControl, 'admission'>
}

export class Runtime implements LifecycleHost {
  readonly config: Config
  readonly router: Router<Chain>
  /** Compiles the chains of internal surfaces when they are needed. */
  readonly chainOf: (route: Route, surface: Surface) => Chain
  readonly host: ExchangeHost
  readonly dispatcher: Dispatcher
  /** Requests of the gateway itself, in this runtime. */
  readonly internal: RuntimeRequests
  readonly #plugins: readonly ReadyPlugin[]
  readonly #running = new SwapRemoveList<Exchange>()
  #isRetired = false
  #onIdle: (() => void) | null = null

  private constructor(
    services: Services & { readonly internal: RuntimeRequests },
    plugins: readonly ReadyPlugin[],
    shared: SharedResources,
  ) {
    const { config } = services
    this.config = config
    this.internal = services.internal
    this.#plugins = plugins
    this.host = hostOf(services, shared)
    this.chainOf = chainsOf(config, plugins)
    this.router = new Router(config, this.chainOf)
    this.dispatcher = dispatcherOf(services, shared)
  }

  /** Loads the chain, and sets its plugins up. Throws BootError with every problem. */
  static async build(own: Omit<Services, 'internal'>, shared: SharedResources): Promise<Runtime> {
    const internal = new RuntimeRequests()
    const services = { ...own, internal }
    const { plugins, notes } = await runnablePlan(services.config)
    for (const note of notes) services.log.warn(note)
    const runtime = new Runtime(services, await setUpPlugins(plugins, services), shared)
    internal.connect(runtime)
    return runtime
  }

  enter(exchange: Exchange): void {
    this.#running.add(exchange)
  }

  leave(exchange: Exchange): void {
    this.#running.delete(exchange)
    if (this.#isRetired && this.#running.size === 0) this.#onIdle?.()
  }

  get exchanges(): number {
    return this.#running.size
  }

  /** Ends every exchange that waits for a backend or for its body with `shutting_down`; in-band in a stream. */
  shutDown(): void {
    for (const { req, upstream } of this.#running.values()) {
      if (upstream.work !== null) upstream.work.fail(failure('shutting_down', {}))
      else if (!req.complete) breakBody(req, failure('shutting_down', {}))
    }
  }

  /** Ends every exchange of these accounts, also one that reads a body or streams a reply. */
  endAccounts(ids: ReadonlySet<string>): void {
    for (const exchange of this.#running.values()) {
      const account = exchange.find(key)?.account.id
      if (account === undefined || !ids.has(account)) continue
      const { work } = exchange.upstream
      if (work === null) exchange.res.destroy()
      else work.fail(failure('invalid_api_key', {}))
    }
  }

  /** Waits for exchanges, at most `hookMs` for hooks of disconnected clients, then closes plugins and connections. */
  async retire(log: Logger, hookMs = HOOK_MS): Promise<void> {
    this.#isRetired = true
    if (this.#running.size > 0) await this.#whenIdle(log, hookMs)
    await closePlugins(this.#plugins, log)
    this.dispatcher.close()
  }

  #whenIdle(log: Logger, hookMs: number): Promise<void> {
    return new Promise(resolve => {
      const stop = () => {
        clearInterval(timer)
        resolve()
      }
      let checks = 0
      const timer = setInterval(() => {
        checks = this.#running.values().every(({ gone }) => gone) ? checks + 1 : 0
        if (checks < GONE_CHECKS) return
        log.error(
          { exchanges: this.#running.size },
          'hooks still wait for clients that have disconnected: not waiting for them',
        )
        stop()
      }, hookMs / GONE_CHECKS)
      this.#onIdle = stop
    })
  }
}

/** How long retire() waits for hooks whose clients have disconnected. */
const HOOK_MS = 10_000

/** How many consecutive checks within this time must find no exchange with a client. */
const GONE_CHECKS = 10

/** The runtime of the current configuration, and replaced ones whose last exchanges still run. */
export class Runtimes {
  readonly #log: Logger
  #current: Runtime
  readonly #retiring = new Map<Runtime, Promise<void>>()
  #isDraining = false

  constructor(first: Runtime, log: Logger) {
    this.#current = first
    this.#log = log
  }

  get current(): Runtime {
    return this.#current
  }

  /** Begins each request in the current runtime. */
  readonly listener: RequestListener = (req, res) => {
    // A kept-alive connection would outlive the drain.
    if (this.#isDraining) res.shouldKeepAlive = false
    handle(this.#current, req, res)
  }

  /** Begins requests in `next` from now on. The runtime before it retires after its last exchange. */
  replace(next: Runtime): void {
    const before = this.#current
    this.#current = next
    const retired = before.retire(this.#log).finally(() => this.#retiring.delete(before))
    this.#retiring.set(before, retired)
  }

  forget(backend: Backend): void {
    for (const runtime of this.#all()) runtime.dispatcher.forget(backend)
  }

  endAccounts(ids: ReadonlySet<string>): void {
    for (const runtime of this.#all()) runtime.endAccounts(ids)
  }

  /** Keeps no connection alive from now on, and ends mirrored requests. */
  beginDrain(): void {
    this.#isDraining = true
    for (const runtime of this.#all()) runtime.dispatcher.endMirrors()
  }

  /** Ends the exchanges that still run; see Runtime. */
  shutDown(): void {
    for (const runtime of this.#all()) runtime.shutDown()
  }

  /** Waits for the last exchange, then closes all plugins and connections. */
  async close(): Promise<void> {
    await Promise.all([this.#current.retire(this.#log), ...this.#retiring.values()])
  }

  #all(): readonly Runtime[] {
    return [this.#current, ...this.#retiring.keys()]
  }
}

function hostOf({ config, clock, log, metrics }: Services, shared: SharedResources): ExchangeHost {
  const refusals = refusalCounter(metrics)
  const { tls, host, port, trusted_proxies: trusted } = config.listen
  const secure = tls !== undefined
  return {
    clock,
    client: new Proxies({ trusted, secure, authority: `${host}:${port}` }),
    isAddressLogged: config.log.client_address,
    writes: shared.writes,
    clientIdleMs: config.timeouts.client_idle_ms,
    slots: slotCount(),
    bodies: shared.bodies,
    admission: shared.admissionControl.admission,
    docsBase: config.docs_url === undefined ? null : `${config.docs_url}/`,
    secure,
    feedBody,
    fault: ({ logId, route }, thrown, source) =>
      log.error({ err: thrown, request_id: logId, plugin: source, route: route.name }, 'fault'),
    refused: ({ refusedBy = 'unknown', code }) => refusals.inc({ plugin: refusedBy, code }),
  }
}

/** Compiles the chain of every route on each of its surfaces. */
function chainsOf(config: Config, plugins: readonly ReadyPlugin[]): Runtime['chainOf'] {
  const chains = new Map<Route, Map<Surface, Chain>>()
  const compiled = (route: Route, surface: Surface) => {
    const bySurface = chains.get(route) ?? new Map<Surface, Chain>()
    const chain = compile(plugins, route, surface, formatOf(route.format), readingSteps(route, config))
    chains.set(route, bySurface.set(surface, chain))
    return chain
  }
  for (const [route, surface] of routeSurfaces()) compiled(route, surface)
  return (route, surface) => chains.get(route)?.get(surface) ?? compiled(route, surface)
}

function dispatcherOf({ config, metrics }: Services, { backends }: SharedResources): Dispatcher {
  const retries = metrics.counter({
    name: 'sluiceway_retries_total',
    help: 'Requests that were sent to another backend.',
    labelNames: ['model'],
  })
  const fallbacks = metrics.counter({
    name: 'sluiceway_fallbacks_total',
    help: 'Requests that were sent to another model, because no backend of their own was available or had capacity.',
    labelNames: ['model', 'to'],
  })
  const mirrored = metrics.counter({
    name: 'sluiceway_mirror_requests_total',
    help: 'Requests that were selected for mirroring to another model, by outcome.',
    labelNames: ['model', 'outcome'],
  })
  const { pool, routing, queues, lines } = backends
  return new Dispatcher({
    config,
    pool,
    routing,
    queues,
    lines: config.batches === undefined ? null : lines,
    onRetry: model => retries.inc({ model }),
    onFallback: (model, to) => fallbacks.inc({ model, to }),
    onMirrored: (model, outcome) => mirrored.inc({ model, outcome }),
  })
}

/** Counts refusals by plugin and error code. All runtimes and the server share it. */
export function refusalCounter(metrics: Metrics): Counter<'plugin' | 'code'> {
  return metrics.counter({
    name: 'sluiceway_refusals_total',
    help: 'Requests refused by the gateway, by plugin and error code.',
    labelNames: ['plugin', 'code'],
  })
}
