/** Opening the port of an HTTP server, and closing it without cutting answers that are under way. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'

/** Accept errors come as fast as clients try again: they are logged this often. */
const QUIET_MS = 10_000

/**
 * Resolves when the server listens; rejects with the system's error when it cannot. `port` 0: any that is free. A connection
 * that cannot be accepted later, as when the system has no descriptors left, is logged and nobody else's trouble.
 */
export function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  log: Logger,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      // Without a listener such an error would end the process, and every stream with it.
      let quietUntil = 0
      server.on('error', err => {
        const now = performance.now()
        if (now < quietUntil) return
        quietUntil = now + QUIET_MS
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

/**
 * Stops accepting and waits for running exchanges, for up to `graceMs`. Then `shutDown` ends them, and connections that
 * are still open are closed.
 */
export async function closeServer(server: Server, graceMs: number, log: Logger, shutDown?: () => void): Promise<void> {
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
