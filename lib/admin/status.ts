import type { JsonObject } from '../base/json.ts'
import { sha256 } from '../base/sha256.ts'
import type { Config } from '../config/config.ts'
import type { GatewayFacts, ListedGateway } from './live/fleet.ts'

export interface Reload {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Sentences; empty: the configuration was applied. */
  readonly problems: readonly string[]
}

/** State of the process that the operators' API shows. */
export interface ProcessState extends GatewayFacts {
  /** The configuration file; undefined: the configuration is not from a file. */
  readonly file: string | undefined
  /** undefined: no reload since the start. */
  readonly lastReload: Reload | undefined
  /** The metrics of all processes, in the Prometheus text format. */
  readonly metrics: string
}

/** `isStoreUp`: the store answers. `gateways`: all of the store, this one first. */
export function statusJson(
  config: Config,
  state: ProcessState,
  isStoreUp: boolean,
  gateways: readonly ListedGateway[],
): JsonObject {
  const { lastReload, metrics } = state
  return {
    version: state.version,
    started: isoOf(state.startedAt),
    ready: state.unready.length === 0,
    unready: [...state.unready],
    workers: state.pids.map(pid => ({ pid })),
    config: {
      path: state.file ?? null,
      hash: configHash(config),
      last_reload:
        lastReload === undefined
          ? null
          : {
              at: isoOf(lastReload.at),
              successful: lastReload.problems.length === 0,
              problems: [...lastReload.problems],
            },
    },
    stores: {
      store: { kind: config.store.startsWith('sqlite:') ? 'sqlite' : 'postgres', healthy: isStoreUp },
      limits_store: {
        kind: config.limits_store === 'memory' ? 'memory' : 'redis',
        // Without the metric, limits are in memory, which cannot fail.
        healthy: sampleOf(metrics, 'sluiceway_limits_store_up') !== 0,
      },
    },
    journal: {
      healthy: sampleOf(metrics, 'sluiceway_journal_healthy') !== 0,
      lag_records: sampleOf(metrics, 'sluiceway_store_lag_records') ?? 0,
      lag_seconds: sampleOf(metrics, 'sluiceway_store_lag_seconds') ?? 0,
    },
    gateways: gateways.map(({ unready, workers, ...gateway }) => ({
      ...gateway,
      unready: [...unready],
      workers: [...workers],
    })),
  }
}

/** Equal for equal configurations. Values from environment variables count. */
function configHash(config: Config): string {
  return sha256(JSON.stringify(config)).slice(0, 16)
}

function sampleOf(metrics: string, name: string): number | undefined {
  const line = metrics.split('\n').find(one => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

function isoOf(millis: number): string {
  return new Date(millis).toISOString()
}
