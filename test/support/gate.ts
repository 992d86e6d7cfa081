/** A TCP port in front of PostgreSQL that can be closed and opened. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

export interface Gate {
  readonly url: string
  open(): void
  /** Closes every connection, and each new one at once. */
  shut(): void
  close(): Promise<void>
}

export async function openGate(url: string): Promise<Gate> {
  const target = new URL(url)
  const folder = target.searchParams.get('host')
  const clients = new Set<Socket>()
  let isOpen = true
  const server: Server = createServer(client => {
    if (!isOpen) return client.destroy()
    const upstream =
      folder === null ? connect(Number(target.port || 5432), target.hostname) : connect(join(folder, '.s.PGSQL.5432'))
    clients.add(client)
    client.on('close', () => {
      clients.delete(client)
      // The server must notice it: an open transaction would block the next attempt.
      upstream.destroy()
    })
    client.pipe(upstream).pipe(client)
    client.on('error', () => {})
    upstream.on('error', () => client.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const gated = new URL(url)
  gated.searchParams.delete('host')
  gated.hostname = '127.0.0.1'
  gated.port = String(typeof address === 'object' && address !== null ? address.port : 0)
  return {
    url: gated.href,
    open() {
      isOpen = true
    },
    shut() {
      isOpen = false
      for (const client of clients) client.destroy()
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
