/** Limits of the connections and requests of one client, with their metrics. */
import { readFileSync } from 'node:fs'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { Admission, type AdmissionLimits } from '../core/admission.ts'
import { Connections } from '../http/connections.ts'

/** Outlives reloads. */
export interface AdmissionControl {
  readonly admission: Admission
  readonly connections: Connections
  /** Applies the limits of a new configuration. */
  update(config: Config['admission']): void
}

/** The default limits of a process that may open enough files. */
const DEFAULTS = { connections: 10_000, requests: 10_000, bodies: 5000 } as const

const OPEN_FILES = /^Max open files +(\d+)/m

/** How many files and sockets this process may open; Infinity: the system does not say. */
export function openFilesLimit(path = '/proc/self/limits'): number {
  try {
    return Number(OPEN_FILES.exec(readFileSync(path, 'latin1'))?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** The limits of the section `admission`, with defaults for a process that may open this many files. */
function admissionLimits(
  config: Config['admission'],
  openFiles: number,
): AdmissionLimits & { readonly connectionsPerAddress: number } {
  // A request uses two sockets: one to its client, and one to its backend.
  const share = (max: number, part: number) => Math.min(max, Math.max(1, Math.floor(openFiles * part)))
  const requestsPerAccount = config.requests_per_account ?? share(DEFAULTS.requests, 1 / 4)
  const bodiesPerAccount = config.bodies_per_account ?? share(DEFAULTS.bodies, 1 / 4)
  return {
    connectionsPerAddress: config.connections_per_address ?? share(DEFAULTS.connections, 1 / 2),
    requestsPerAccount,
    requestsPerKey: config.requests_per_key ?? requestsPerAccount,
    bodiesPerAccount,
    bodiesPerKey: config.bodies_per_key ?? bodiesPerAccount,
  }
}

/** The values of the metric label `limit`. */
const LABELS = {
  requestsPerKey: 'requests_per_key',
  requestsPerAccount: 'requests_per_account',
  bodiesPerKey: 'bodies_per_key',
  bodiesPerAccount: 'bodies_per_account',
} as const

/** `openFiles`: how many files this process may open. */
export function createAdmissionControl(
  config: Config['admission'],
  openFiles: number,
  metrics: Metrics,
): AdmissionControl {
  const admission = new Admission()
  const connections = new Connections()
  const update = (next: Config['admission']) => {
    const limits = admissionLimits(next, openFiles)
    admission.update(limits)
    connections.update(limits.connectionsPerAddress)
  }
  update(config)

  metrics.gauge({
    name: 'sluiceway_connections',
    help: 'Open client connections.',
    collect() {
      this.set(connections.open)
    },
  })
  const closed = metrics.counter({
    name: 'sluiceway_connections_closed_total',
    help: 'Connections closed because their address had too many: idle ones, and new ones that were refused.',
    labelNames: ['reason'],
  })
  for (const reason of ['idle', 'refused'] as const) closed.inc({ reason }, 0)
  connections.onClosed = reason => closed.inc({ reason })

  const refused = metrics.counter({
    name: 'sluiceway_admission_refused_total',
    help: 'Requests refused because their key or account had too many in flight, or too many bodies being read.',
    labelNames: ['limit'],
  })
  for (const limit of Object.values(LABELS)) refused.inc({ limit }, 0)
  admission.onRefused = limit => refused.inc({ limit: LABELS[limit] })
  return { admission, connections, update }
}
