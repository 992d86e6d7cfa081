import { BackendClient } from '../transport/client.ts'
import { ConnectionPool } from '../transport/connection.ts'
import { type Egress, serverKey } from '../transport/egress.ts'
import type { ClientExchange } from '../transport/pipe-call.ts'
import type { PipeClient, PipeServer } from '../transport/pipe-client.ts'
import type { UpstreamSender } from '../transport/transport.ts'
import type { Backend } from './backend.ts'

type PipeModule = typeof import('../transport/pipe-client.ts')

/** HTTP clients of one configuration. Backends of one server share its connections (docs/adr/0021). */
export class BackendClients {
  readonly #connectMs: number
  /** By serverKey(). */
  readonly #connections = new Map<string, ConnectionPool>()
  readonly #pipeServers = new Map<string, PipeServer>()
  readonly #clients = new Map<Backend, BackendClient>()
  readonly #pipeClients = new Map<Backend, PipeClient>()
  /** null until the first byte-pipe request. */
  #pipeModule: PipeModule | null = null

  /** `connectMs`: timeout for opening a connection, including TLS. */
  constructor(connectMs: number) {
    this.#connectMs = connectMs
  }

  /** The client for requests whose replies are decoded. */
  chat(backend: Backend): UpstreamSender {
    let client = this.#clients.get(backend)
    if (client === undefined) {
      const connections = sharedBy(backend, this.#connections, (origin, egress) => {
        return new ConnectionPool(origin, this.#connectMs, egress)
      })
      client = new BackendClient(backend.config, this.#connectMs, connections)
      this.#clients.set(backend, client)
    }
    return client
  }

  /** A byte pipe for one exchange. Its package (9 MB, 35 ms) is loaded on demand: earlier calls return a promise. */
  pipe(backend: Backend, exchange: ClientExchange): UpstreamSender | Promise<UpstreamSender> {
    if (this.#pipeModule !== null) return this.#pipeClient(this.#pipeModule, backend).forExchange(exchange)
    return import('../transport/pipe-client.ts').then(loaded => {
      this.#pipeModule = loaded
      return this.#pipeClient(loaded, backend).forExchange(exchange)
    })
  }

  #pipeClient({ PipeClient, PipeServer }: PipeModule, backend: Backend): PipeClient {
    let client = this.#pipeClients.get(backend)
    if (client === undefined) {
      const server = sharedBy(backend, this.#pipeServers, (origin, egress) => {
        return new PipeServer(origin, this.#connectMs, egress)
      })
      client = new PipeClient(backend.config, server)
      this.#pipeClients.set(backend, client)
    }
    return client
  }

  /** Drops the clients of a removed backend. Connections to its server are closed with the last backend on it. */
  forget(backend: Backend): void {
    this.#clients.delete(backend)
    this.#pipeClients.delete(backend)
    const key = serverKey(backend.config)
    const isUsed = (clients: IteratorObject<Backend>) => clients.some(({ config }) => serverKey(config) === key)
    if (!isUsed(this.#clients.keys())) close(this.#connections, key)
    if (!isUsed(this.#pipeClients.keys())) close(this.#pipeServers, key)
  }

  close(): void {
    for (const connections of this.#connections.values()) connections.close()
    for (const server of this.#pipeServers.values()) server.close()
  }
}

function close<T extends { close(): void }>(byServer: Map<string, T>, key: string): void {
  byServer.get(key)?.close()
  byServer.delete(key)
}

/** The value that all backends on the server of this one share. `create` creates it for the first of them. */
function sharedBy<T>({ config }: Backend, byServer: Map<string, T>, create: (origin: string, egress: Egress) => T): T {
  const key = serverKey(config)
  let shared = byServer.get(key)
  if (shared === undefined) {
    shared = create(new URL(config.url).origin, config)
    byServer.set(key, shared)
  }
  return shared
}
