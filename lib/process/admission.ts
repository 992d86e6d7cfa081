/** What bounds the connections and requests of one client, and its metrics. */
import { readFileSync } from 'node:fs'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { Admission, type AdmissionLimits } from '../core/admission.ts'
import { Connections } from '../http/connections.ts'

/** Outlives a reload. */
export interface AdmissionControl {
  readonly admission: Admission
  readonly connections: Connections
  /** Applies the limits of a new configuration. */
  update(config: Config['admission']): void
}

/** The limits where the configuration sets none, if the process may open enough files. */
const MOST = { connections: 10_000, requests: 10_000, bodies: 5000 } as const

const OPEN_FILES = /^Max open files +(\d+)/m

/** Files and sockets that this process may have open; Infinity where the system does not tell. */
export function openFilesLimit(path = '/proc/self/limits'): number {
  try {
    return Number(OPEN_FILES.exec(readFileSync(path, 'latin1'))?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Limits of a section `admission`, with the defaults for a process that may open `openFiles`. */
export function admissionLimits(
  config: Config['admission'],
  openFiles: number,
): AdmissionLimits & { readonly connectionsPerAddress: number } {
  // A request holds two sockets: of its client, and to its backend.
  const share = (most: number, part: number) => Math.min(most, Math.max(1, Math.floor(openFiles * part)))
  const requestsPerAccount = config.requests_per_account ?? share(MOST.requests, 1 / 4)
  const bodiesPerAccount = config.bodies_per_account ?? share(MOST.bodies, 1 / 4)
  return {
    connectionsPerAddress: config.connections_per_address ?? share(MOST.connections, 1 / 2),
    requestsPerAccount,
    requestsPerKey: config.requests_per_key ?? requestsPerAccount,
    bodiesPerAccount,
    bodiesPerKey: config.bodies_per_key ?? bodiesPerAccount,
  }
}

/** Values of the label `limit`. */
const LABELS = {
  requestsPerKey: 'requests_per_key',
  requestsPerAccount: 'requests_per_account',
  bodiesPerKey: 'bodies_per_key',
  bodiesPerAccount: 'bodies_per_account',
} as const

export function createAdmissionControl(config: Config['admission'], metrics: Metrics): AdmissionControl {
  const openFiles = openFilesLimit()
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
    help: 'Open connections of clients.',
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
