/** Opens the port of an HTTP server, and closes it when its running exchanges are over. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextCheck } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Shortest time between two log messages about connections that cannot be accepted. */
const LOG_INTERVAL_MS = 10_000

/**
 * Connections that wait to be accepted. Where one client opens thousands at once, those of others are dropped behind it, and their
 * systems try again after one, three and seven seconds. The operating system may allow less: `net.core.somaxconn` of Linux.
 */
const BACKLOG = 4096

/**
 * Resolves when the server listens; rejects with the system's error when it cannot. `port` 0: any free one. Later
 * errors of single connections, such as a lack of file descriptors, are logged.
 */
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
      // Without a listener, an error would end the process and every stream with it.
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

/** Interval of closing connections that have become idle. */
const CLOSE_TICK_MS = 50

/** Time for the last bytes to clients. */
const LAST_BYTES_MS = 500

/** Longest search for a moment without waiting connections, and how long the turn before that moment may have taken. */
const ACCEPTING_MS = 1000
const SHORT_TURN_MS = 0.1

/**
 * Accepts what waits. A connection that the kernel has put into the queue of a socket is reset when this socket is closed,
 * although another process listens on the same port; and libuv accepts one a turn. So the moment to close is behind a
 * poll that brought no connection, and was short: what arrives in between is the rest that only `net.ipv4.tcp_migrate_req` saves.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let hasAccepted = false
  const onConnection = () => {
    hasAccepted = true
  }
  server.on('connection', onConnection)
  const startedAt = performance.now()
  for (let turnAt = startedAt, isQuiet = false; !isQuiet && turnAt - startedAt < ACCEPTING_MS; ) {
    hasAccepted = false
    await nextCheck()
    const now = performance.now()
    isQuiet = !hasAccepted && now - turnAt < SHORT_TURN_MS
    turnAt = now
  }
  server.off('connection', onConnection)
}

/**
 * Stops accepting and waits for running exchanges, for up to `graceMs`. Then `shutDown` ends them, and connections that
 * are still open are closed.
 */
export async function closeServer(server: Server, graceMs: number, log: Logger, shutDown?: () => void): Promise<void> {
  await acceptWaiting(server)
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  const tick = setInterval(() => server.closeIdleConnections(), CLOSE_TICK_MS)
  let deadline = setTimeout(() => {
    if (shutDown === undefined) return server.closeAllConnections()
    log.warn('drain_seconds are over: ending what still runs')
    shutDown()
    deadline = setTimeout(() => server.closeAllConnections(), LAST_BYTES_MS)
  }, graceMs)
  server.closeIdleConnections()
  await closed
  clearInterval(tick)
  clearTimeout(deadline)
}
