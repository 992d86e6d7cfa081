/** Opens the port of an HTTP server, and closes it after its running exchanges have ended. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Minimum time between two log messages about connections that cannot be accepted. */
const LOG_INTERVAL_MS = 10_000

/**
 * Connections that wait to be accepted. Linux caps the value at `net.core.somaxconn`. When they are more, the kernel
 * drops connections of all clients, which retry after 1, 3 and 7 seconds.
 */
const BACKLOG = 4096

/** Rejects with the system's error. `port` 0: any free port. Later errors of single connections are logged. */
export function listen(
  server: Server,
  {
    host,
    port,
    reuse_port: reusePort,
  }: { readonly host: string; readonly port: number; readonly reuse_port?: boolean },
  log: Logger,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, reusePort: reusePort === true, backlog: BACKLOG }, () => {
      server.off('error', reject)
      // Without a listener, an error would end the process.
      let nextLogAt = 0
      server.on('error', err => {
        const now = performance.now()
        if (now < nextLogAt) return
        nextLogAt = now + LOG_INTERVAL_MS
        log.error({ err }, 'a connection could not be accepted')
      })
      resolve()
    })
  })
}

/** `http://host:port` of a server that listens. */
export function urlOf(server: Server, scheme: string): string {
  const { address, family, port } = server.address() as AddressInfo
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** How often idle connections are closed while the server ends. */
const CLOSE_IDLE_MS = 50

/** Time for sending the last bytes to clients. */
const LAST_BYTES_MS = 500

/** Maximum time for accepting the connections of the backlog. */
const MAX_ACCEPTING_MS = 1000

/** A tick of at most this length without a new connection means that the backlog is empty. */
const MAX_QUIET_TICK_MS = 0.1

/**
 * Accepts the connections of the backlog, which the kernel would reset when the socket closes. libuv accepts one per
 * tick, so the backlog is empty after a short tick without one. Only `net.ipv4.tcp_migrate_req` of Linux saves
 * connections that arrive between that tick and the close.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let hasAccepted = false
  const onConnection = () => {
    hasAccepted = true
  }
  server.on('connection', onConnection)
  const startedAt = performance.now()
  for (let tickAt = startedAt, isQuiet = false; !isQuiet && tickAt - startedAt < MAX_ACCEPTING_MS; ) {
    hasAccepted = false
    await setImmediate()
    const now = performance.now()
    isQuiet = !hasAccepted && now - tickAt < MAX_QUIET_TICK_MS
    tickAt = now
  }
  server.off('connection', onConnection)
}

/** Stops accepting connections and waits up to `graceMs` for exchanges. Then `shutDown` ends those that still run. */
export async function closeServer(server: Server, graceMs: number, log: Logger, shutDown?: () => void): Promise<void> {
  await acceptWaiting(server)
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS)
  let deadline = setTimeout(() => {
    if (shutDown === undefined) return server.closeAllConnections()
    log.warn('drain_seconds have passed: ending the exchanges that still run')
    shutDown()
    deadline = setTimeout(() => server.closeAllConnections(), LAST_BYTES_MS)
  }, graceMs)
  server.closeIdleConnections()
  await closed
  clearInterval(closing)
  clearTimeout(deadline)
}
