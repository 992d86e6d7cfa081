/** The two ports of a gateway: one for clients and one for operators. Opening rejects with the system's error. */
import type { Logger } from 'pino'
import type { AdminOptions } from '../admin/call.ts'
import type { Fleet } from '../admin/live/fleet.ts'
import { systemClock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import { type AdminServerOptions, createAdminServer } from '../http/admin.ts'
import { certificateMetrics } from '../http/certificate.ts'
import { closeServer, listen, urlOf } from '../http/listen.ts'
import { createServer, updateServer } from '../http/server.ts'
import type { Resources } from './resources.ts'
import { type Runtimes, refusalCounter } from './runtime.ts'

export interface ClientPort {
  readonly url: string
  /** Applies the certificate and timeouts of a reload. Throws, without a change, if the certificate is unusable. */
  update(config: Config): void
  /** Waits up to `graceMs` for running exchanges, then calls `shutDown`, which ends them. */
  close(graceMs: number, shutDown?: () => void): Promise<void>
}

/** Every request begins in the current runtime. */
export async function openClientPort(
  config: Config,
  runtimes: Runtimes,
  { log, metrics, admissionControl }: Resources,
): Promise<ClientPort> {
  const { tls, host, port } = config.listen
  const refusals = refusalCounter(metrics)
  const serverHost = {
    clock: systemClock,
    connections: admissionControl.connections,
    // A getter, because a reload may change it.
    get docsBase() {
      return runtimes.current.host.docsBase
    },
    secure: tls !== undefined,
    authority: `${host}:${port}`,
    refused: ({ code }: { readonly code: string }) => refusals.inc({ plugin: 'server', code }),
  }
  const server = createServer(config, serverHost, runtimes.listener)
  const showCertificate = certificateMetrics(metrics)
  showCertificate(tls)
  await listen(server, config.listen, log)
  return {
    url: urlOf(server, tls === undefined ? 'http' : 'https'),
    update(next) {
      updateServer(server, next)
      showCertificate(next.listen.tls)
    },
    close: (graceMs, shutDown) => closeServer(server, graceMs, log, shutDown),
  }
}

export interface OperatorsPort {
  readonly url: string
  /** Another process may have the same port, and takes over its requests. */
  readonly isShared: boolean
  /** Closes the event streams of open pages, which would keep the port from closing. */
  endPages(): void
  close(): Promise<void>
}

interface OperatorsPortHost extends Omit<AdminServerOptions, 'backends' | 'operators'> {
  readonly log: Logger
  readonly fleet: Fleet
  /** What the API and the pages need; null: both are off. */
  readonly api: Pick<AdminOptions, 'config' | 'store' | 'state' | 'changed'> | null
}

/** null: the configuration switches the port off. */
export async function openOperatorsPort(
  { admin }: Config,
  { log, api, fleet, ...host }: OperatorsPortHost,
): Promise<OperatorsPort | null> {
  if (admin === null) return null
  const backends = () => fleet.backends()
  const gateways = () => fleet.gateways()
  // The modules of the API and of the pages are loaded only if they are switched on.
  const operators =
    api === null
      ? undefined
      : (await import('./operators.ts')).startOperators(
          { ...api, clock: systemClock, log, backends, gateways },
          { backends, gateways, periods: () => fleet.periods(), unready: host.readiness },
        )
  const endPages = () => operators?.close()
  const server = createAdminServer({ ...host, backends, operators })
  try {
    await listen(server, admin, log)
  } catch (thrown) {
    endPages()
    throw thrown
  }
  return { url: urlOf(server, 'http'), isShared: admin.reuse_port, endPages, close: () => closeServer(server, 0, log) }
}
