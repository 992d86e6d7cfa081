import type { Logger } from 'pino'
import type { Counter } from 'prom-client'
import { isObject, type JsonObject } from '../base/json.ts'
import type { Metrics } from '../base/metrics.ts'
import { SwapRemoveList } from '../base/swap-remove-list.ts'
import { within } from '../base/timeout.ts'
import { feedBody } from '../body/index.ts'
import type { Config } from '../config/config.ts'
import { compile, type ReadyPlugin } from '../core/chain.ts'
import type { Chain, Exchange } from '../core/exchange.ts'
import type { ExchangeHost } from '../core/exchange-types.ts'
import type { Hooks, Plugin } from '../core/plugin.ts'
import type { Services } from '../core/services.ts'
import { slotCount } from '../core/slots.ts'
import { Dispatcher } from '../dispatch/dispatch.ts'
import { failure } from '../errors/errors.ts'
import { formatOf } from '../formats/index.ts'
import { Proxies } from '../http/proxies.ts'
import { type LifecycleHost, readingSteps } from '../lifecycle/lifecycle.ts'
import { Router } from '../routes/router.ts'
import type { Route, Surface } from '../routes/routes.ts'
import type { AdmissionControl } from './admission.ts'
import { type ConfiguredPlugin, planChains } from './boot.ts'
import { placements } from './placements.ts'
import type { Resources } from './resources.ts'

/** Why a configuration cannot run: one sentence each. */
export class BootError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** The resources that a runtime uses. */
interface Shared extends Pick<Resources, 'pool' | 'routing' | 'queues' | 'writes' | 'bodies'> {
  readonly admissionControl: Pick<AdmissionControl, 'admission'>
}

/** Everything that is built from one configuration. A reload builds another; running exchanges keep theirs. */
export class Runtime implements LifecycleHost {
  readonly config: Config
  readonly router: Router<Chain>
  readonly host: ExchangeHost
  readonly dispatcher: Dispatcher
  readonly #plugins: readonly ReadyPlugin[]
  readonly #running = new SwapRemoveList<Exchange>()
  #retired = false
  #onIdle: (() => void) | null = null

  private constructor(services: Services, plugins: readonly ReadyPlugin[], shared: Shared) {
    const { pool, routing, queues, writes, bodies, admissionControl } = shared
    const { config, clock, log, metrics } = services
    this.config = config
    this.#plugins = plugins
    const refusals = refusalCounter(metrics)
    const docsBase = config.docs_url === undefined ? null : `${config.docs_url.replace(/\/$/, '')}/`
    this.host = {
      clock,
      client: new Proxies({
        trusted: config.listen.trusted_proxies,
        secure: config.listen.tls !== undefined,
      }),
      isAddressLogged: config.log.client_address,
      writes,
      clientIdleMs: config.timeouts.client_idle_ms,
      slots: slotCount(),
      bodies,
      admission: admissionControl.admission,
      docsBase,
      secure: config.listen.tls !== undefined,
      feedBody,
      fault: ({ logId, route }, thrown, source) =>
        log.error({ err: thrown, request_id: logId, plugin: source, route: route.name }, 'fault'),
      refused: ({ refusedBy = 'unknown', code }) => refusals.inc({ plugin: refusedBy, code }),
    }
    const chains = new Map<Route, Map<Surface, Chain>>()
    for (const [route, surface] of placements()) {
      const bySurface = chains.get(route) ?? new Map<Surface, Chain>()
      chains.set(
        route,
        bySurface.set(surface, compile(plugins, route, surface, formatOf(route.format), readingSteps(route, config))),
      )
    }
    this.router = new Router(config, (route, surface) => chains.get(route)!.get(surface)!)
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
      help: 'Requests that were chosen to be sent to another model as well, by what came of it.',
      labelNames: ['model', 'outcome'],
    })
    this.dispatcher = new Dispatcher({
      config,
      pool,
      routing,
      queues,
      onRetry: model => retries.inc({ model }),
      onFallback: (model, to) => fallbacks.inc({ model, to }),
      onMirrored: (model, outcome) => mirrored.inc({ model, outcome }),
    })
  }

  /** Loads and sets up the chain. Throws BootError with every problem there is. */
  static async build(services: Services, resources: Shared): Promise<Runtime> {
    const { plugins, problems, notes } = await planChains(services.config)
    if (problems.length > 0) throw new BootError(problems)
    for (const note of notes) services.log.warn(note)
    return new Runtime(services, await setUp(plugins, services), resources)
  }

  /** An exchange starts. */
  enter(exchange: Exchange): void {
    this.#running.add(exchange)
  }

  /** An exchange has ended, and its connection has closed. */
  leave(exchange: Exchange): void {
    this.#running.delete(exchange)
    if (this.#retired && this.#running.size === 0) this.#onIdle?.()
  }

  get exchanges(): number {
    return this.#running.size
  }

  /** Ends every exchange that waits for a backend with `shutting_down`, in-band where its stream has begun. */
  shutDown(): void {
    for (const { upstream } of this.#running.values()) upstream.work?.fail(failure('shutting_down', {}))
  }

  /**
   * Waits for the last exchange, then closes plugins and connections. Where only exchanges without a client are left, which
   * wait for hooks, waits for at most `hookMs`.
   */
  async retire(log: Logger, hookMs = HOOK_MS): Promise<void> {
    this.#retired = true
    if (this.#running.size > 0) await this.#whenIdle(log, hookMs)
    await closeAll(this.#plugins, log)
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

/** Time for hooks that still wait after their client has disconnected, when a runtime retires. */
const HOOK_MS = 10_000
/** How often retire() looks for exchanges with a client within this time. */
const GONE_CHECKS = 10

/** Time for a plugin's setup() and close(): a plugin that hangs must not block a start, a reload or a drain. */
export interface PluginTimeouts {
  readonly setupMs: number
  readonly closeMs: number
}

const PLUGIN_TIMEOUTS: PluginTimeouts = { setupMs: 60_000, closeMs: 10_000 }

/** Sets the plugins up. Where one fails, closes those before it and throws BootError. */
async function setUp(
  plugins: readonly ConfiguredPlugin[],
  services: Services,
  timeouts = PLUGIN_TIMEOUTS,
): Promise<readonly ReadyPlugin[]> {
  const ready: ReadyPlugin[] = []
  for (const { plugin, options, at = '' } of plugins) {
    try {
      const hooks = await hooksOf(plugin, options, services, timeouts)
      ready.push({ plugin, hooks })
      checkHooks(hooks)
    } catch (thrown) {
      await closeAll(ready, services.log, timeouts)
      throw new BootError([`${at}plugin '${plugin.name}' could not be set up: ${(thrown as Error).message}`])
    }
  }
  return ready
}

/** Sets the plugins up and closes them again, without starting anything. Throws BootError. */
export async function trySetUp(
  plugins: readonly ConfiguredPlugin[],
  services: Services,
  timeouts = PLUGIN_TIMEOUTS,
): Promise<void> {
  await closeAll(await setUp(plugins, services, timeouts), services.log, timeouts)
}

async function hooksOf(
  plugin: Plugin,
  options: JsonObject,
  services: Services,
  { setupMs }: PluginTimeouts,
): Promise<Hooks> {
  const settingUp = Promise.resolve(plugin.setup(options, services))
  try {
    const hooks: unknown = await within(setupMs, `it did not finish within ${setupMs / 1000} s.`, settingUp)
    if (!isObject(hooks)) throw new Error('its setup returned no hooks; return {} where there are none.')
    return hooks as Hooks
  } catch (thrown) {
    // A setup that ends too late must still release what it holds.
    void settingUp.then(hooks => hooks?.close?.()).catch(() => {})
    throw thrown
  }
}

const HOOKS: readonly string[] = ['onHeaders', 'onBody', 'onAttempt', 'onSend', 'onFinish'] satisfies (keyof Hooks)[]
const SYNCHRONOUS = ['onAttempt', 'onSend', 'transform', 'onFinish'] as const satisfies (keyof Hooks)[]

/** Finds mistakes that the compiler does not: a misspelt hook, which would never run, and an async hook that is not awaited. */
function checkHooks(hooks: Hooks): void {
  for (const name of Object.keys(hooks)) {
    if (/^on[A-Z]/.test(name) && !HOOKS.includes(name))
      throw new Error(`there is no hook '${name}'; there are ${HOOKS.join(', ')}.`)
  }
  for (const name of SYNCHRONOUS) {
    if (hooks[name]?.constructor.name === 'AsyncFunction')
      throw new Error(`'${name}' is not awaited: make it an ordinary function.`)
  }
}

/** Counts refusals by plugin and code, for all plugins. */
export function refusalCounter(metrics: Metrics): Counter<'plugin' | 'code'> {
  return metrics.counter({
    name: 'sluiceway_refusals_total',
    help: 'Requests refused by the gateway, by plugin and error code.',
    labelNames: ['plugin', 'code'],
  })
}

async function closeAll(plugins: readonly ReadyPlugin[], log: Logger, { closeMs } = PLUGIN_TIMEOUTS): Promise<void> {
  for (const { plugin, hooks } of plugins.toReversed()) {
    try {
      await within(closeMs, `it did not finish within ${closeMs / 1000} s.`, Promise.resolve(hooks.close?.()))
    } catch (err) {
      log.error({ err, plugin: plugin.name }, 'a plugin failed to close')
    }
  }
}
