/** A running gateway: the order of its start, of a reload and of its drain. Tests start several in one process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Registry } from 'prom-client'
import { LiveCounter, type LivePeriod, takePeriod } from '../admin/live/counts.ts'
import { Fleet } from '../admin/live/fleet.ts'
import type { ModelSnapshot } from '../backends/pool.ts'
import { systemClock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import { changedRestartMembers, reloadable } from '../config/restart.ts'
import { explainRoute } from './explain-route.ts'
import { Inquiries, seenByAll } from './inquiries.ts'
import { type ClientPort, type OperatorsPort, openClientPort, openOperatorsPort } from './ports.ts'
import { type Resources, startResources } from './resources.ts'
import { Runtime, Runtimes } from './runtime.ts'
import { ServedModels } from './served-models.ts'
import { GatewayState, processMetrics } from './state.ts'

export interface Running {
  /** Base URL of the API, without a slash at its end. */
  readonly url: string
  /** Base URL of the operators' port; null: the port is off. */
  readonly adminUrl: string | null
  /** Applies a configuration to exchanges that begin from now on. Throws BootError, and then changes nothing. */
  reload(config: Config): Promise<void>
  /** Records how an attempt to reload has ended. `problems`: sentences; empty: the configuration was applied. */
  reloaded(problems: readonly string[]): void
  /** Is unready for drain_delay_seconds, waits up to drain_seconds for exchanges, then closes everything. */
  drain(): Promise<void>
}

export interface Gateway extends Running {
  readonly exchanges: number
  /** Reasons for not being ready; empty: it is ready. */
  readiness(): readonly string[]
  /** Remarks for operators about a gateway that is ready. */
  notes(): readonly string[]
  readonly metrics: Registry
  /** The backends of all models, including removed ones with requests in flight. */
  backends(): readonly ModelSnapshot[]
  /** The counts since the last call for the operators' pages. Only one caller may use it. */
  takeLive(): LivePeriod
  explainRequest(question: string): string
}

interface GatewayOptions {
  /** A primary supervises this process. */
  readonly isWorker?: boolean
  /** The primary has pages for operators, which show the counts of this worker. */
  readonly isLive?: boolean
  /** The path of the configuration, for operators. */
  readonly file?: string
}

/**
 * Starts resources, plugins, the clients' port and the operators' port, or closes all that it has started:
 * throws BootError if the configuration cannot run, or the system's error if a port is in use.
 */
export async function startGateway(config: Config, options: GatewayOptions = {}): Promise<Gateway> {
  const live = options.isLive === true || config.admin?.api === true ? new LiveCounter() : undefined
  const resources = await startResources(config, live)
  const { log, backends } = resources
  const discoveryLog = options.isWorker === true ? undefined : log
  const models = await ServedModels.start({ config, store: resources.recording.store, log, discoveryLog })
  try {
    const first = models.over(config)
    if (first !== config) {
      await backends.discovery.prepare(first.models)
      resources.update(first)
    }
    const runtimes = new Runtimes(await Runtime.build(await resources.servicesFor(first), resources), log)
    const gateway = new ProcessGateway({ ...options, config, resources, runtimes, models, live })
    await gateway.open()
    return gateway
  } catch (thrown) {
    await models.end()
    await resources.close()
    throw thrown
  }
}

interface Parts extends GatewayOptions {
  readonly config: Config
  readonly resources: Resources
  readonly runtimes: Runtimes
  readonly models: ServedModels
  readonly live: LiveCounter | undefined
}

class ProcessGateway implements Gateway {
  /** Set by open(), as adminUrl. */
  url = ''
  adminUrl: string | null = null
  readonly metrics: Registry
  readonly #parts: Parts
  readonly #inquiries: Inquiries
  readonly #state: GatewayState
  readonly #fleet: Fleet
  /** null in a worker, because the primary has these metrics for all workers. */
  readonly #processMetrics: ReturnType<typeof processMetrics> | null
  /** Both are null until open(). */
  #clients: ClientPort | null = null
  #operators: OperatorsPort | null = null
  #isDraining = false
  /** The last configuration that was given, without stored models. */
  #given: Config
  /** One change of the runtime at a time. */
  #changing: Promise<void> = Promise.resolve()

  constructor(parts: Parts) {
    const { backends, log, metrics } = parts.resources
    this.metrics = metrics.registry
    this.#parts = parts
    this.#given = parts.config
    this.#inquiries = new Inquiries({
      // The primary logs what the backends answer.
      log: parts.isWorker === true ? log.child({}, { level: 'silent' }) : log,
      onFacts: () => backends.correct(model => this.#inquiries.corrected(model)),
    })
    this.#state = new GatewayState(parts.file, {
      readiness: () => this.readiness(),
      metrics: this.metrics,
      pids: () => [process.pid],
    })
    this.#fleet = new Fleet({
      // The primary shows a worker to other gateways.
      store: parts.isWorker === true ? null : parts.resources.recording.store,
      clock: systemClock,
      log,
      facts: () => this.#state.facts(),
      backends: async () => seenByAll([this.backends()], this.#inquiries, backends.discovery),
      periods: async () => [this.takeLive()],
    })
    this.#processMetrics = parts.isWorker === true ? null : processMetrics(metrics)
  }

  get exchanges(): number {
    return this.#parts.runtimes.current.exchanges
  }

  readiness(): readonly string[] {
    const { sink } = this.#parts.resources.recording
    return [...(this.#isDraining ? ['draining'] : []), ...(sink.healthy ? [] : ['the journal cannot be written'])]
  }

  notes(): readonly string[] {
    const { models, resources } = this.#parts
    return [...resources.notes(), ...models.notes()]
  }

  backends(): readonly ModelSnapshot[] {
    return this.#parts.resources.backends.snapshot()
  }

  takeLive(): LivePeriod {
    return takePeriod(this.#parts.live, this.#parts.resources.backends)
  }

  explainRequest(question: string): string {
    const { resources, runtimes } = this.#parts
    return explainRoute(question, runtimes.current.config, resources.backends)
  }

  /** Opens both ports. If one cannot be opened, closes everything except the resources. */
  async open(): Promise<void> {
    const { config, resources, runtimes, models } = this.#parts
    try {
      this.#clients = await openClientPort(config, runtimes, resources)
      this.#operators = await this.#openOperatorsPort()
    } catch (thrown) {
      await this.#clients?.close(0)
      this.#inquiries.close()
      await runtimes.close()
      throw thrown
    }
    this.url = this.#clients.url
    this.adminUrl = this.#operators?.url ?? null
    resources.watchErased(accounts => runtimes.endAccounts(accounts))
    resources.backends.watch({
      changed: models => this.#inquiries.update(models),
      removed: backend => runtimes.forget(backend),
    })
    models.onChange(() => this.#change())
    resources.batches.start(() => runtimes.current.internal)
    this.#fleet.start()
  }

  #openOperatorsPort(): Promise<OperatorsPort | null> {
    const { config, resources, runtimes, models } = this.#parts
    const api = {
      config: () => runtimes.current.config,
      store: resources.recording.store,
      state: () => this.#state.read(),
      changed: async () => void (await Promise.all([resources.applyChanges(), models.refresh()])),
    }
    return openOperatorsPort(config, {
      log: resources.log,
      metrics: this.metrics,
      readiness: () => this.readiness(),
      notes: () => this.notes(),
      fleet: this.#fleet,
      explain: question => this.explainRequest(question),
      api: config.admin?.api === true ? api : null,
    })
  }

  async reload(wanted: Config): Promise<void> {
    const { config, resources } = this.#parts
    const { log } = resources
    // The primary sends its configuration also if it has found other models.
    const isReload = isDeepStrictEqual(wanted.found, this.#given.found)
    await this.#change(reloadable(config, wanted))
    if (isReload) {
      log.info('configuration reloaded')
      resources.history?.reloaded()
    }
    const members = changedRestartMembers(config, wanted)
    if (members.length > 0) log.warn({ members }, 'these members have changed: they take effect at the next start')
  }

  /** Applies a configuration, by default the present one, with the served models, after the changes before it. */
  #change(given?: Config): Promise<void> {
    const { models } = this.#parts
    const changed = this.#changing.then(() => this.#run(given ?? this.#given))
    this.#changing = changed.catch(() => {}).then(() => models.keep(this.#given))
    return changed
  }

  async #run(given: Config): Promise<void> {
    const { resources, runtimes, models } = this.#parts
    const { log } = resources
    await models.prepare(given)
    const next = models.over(given)
    const runtime = await Runtime.build(await resources.servicesFor(next), resources)
    try {
      this.#clients!.update(next)
    } catch (thrown) {
      await runtime.retire(log)
      throw thrown
    }
    // Requests in the new runtime need the backends of new entries, so it waits for their first lookups.
    await resources.backends.discovery.prepare(next.models)
    resources.update(next)
    runtimes.replace(runtime)
    this.#given = given
  }

  reloaded(problems: readonly string[]): void {
    this.#processMetrics?.reloaded(problems.length === 0)
    this.#state.noteReload(problems)
  }

  async drain(): Promise<void> {
    const { resources, runtimes, models } = this.#parts
    const { log } = resources
    const operators = this.#operators
    this.#isDraining = true
    models.onChange(async () => {})
    this.#inquiries.close()
    runtimes.beginDrain()
    resources.batches.stop()
    operators?.endPages()
    log.info({ exchanges: this.exchanges }, 'draining')
    const delay = runtimes.current.config.drain_delay_seconds
    if (delay > 0) await sleep(delay * 1000)
    // The process that takes over a shared port answers its scrapes from now on.
    const sharedClosed = operators?.isShared === true ? operators.close() : undefined
    await this.#clients!.close(runtimes.current.config.drain_seconds * 1000, () => runtimes.shutDown())
    await resources.batches.close()
    await runtimes.close()
    await (sharedClosed ?? operators?.close())
    log.info('drained')
    await this.#fleet.end()
    await models.end()
    await resources.close()
  }
}
