import { BackendClient } from '../transport/client.ts'
import { ConnectionPool } from '../transport/connection.ts'
import type { ClientExchange } from '../transport/pipe-call.ts'
import type { PipeClient, PipeServer } from '../transport/pipe-client.ts'
import type { UpstreamSender } from '../transport/transport.ts'
import type { Backend } from './backend.ts'

type PipeModule = typeof import('../transport/pipe-client.ts')

/**
 * The clients of backends, for as long as a configuration lives. Backends on one server share its connections, whatever their
 * models, keys and headers (docs/adr/0021-one-http-client.md).
 */
export class Senders {
  readonly #connectMs: number
  /** By origin. */
  readonly #connections = new Map<string, ConnectionPool>()
  readonly #pipeServers = new Map<string, PipeServer>()
  readonly #clients = new Map<Backend, BackendClient>()
  readonly #pipeClients = new Map<Backend, PipeClient>()
  /** null until the first request of a pipe has loaded it. */
  #pipeModule: PipeModule | null = null

  /** `connectMs`: time to open a connection, TLS included. */
  constructor(connectMs: number) {
    this.#connectMs = connectMs
  }

  /** For requests whose replies are decoded. */
  chat(backend: Backend): UpstreamSender {
    let client = this.#clients.get(backend)
    if (client === undefined) {
      const connections = shared(this.#connections, backend, origin => new ConnectionPool(origin, this.#connectMs))
      client = new BackendClient(backend.config, this.#connectMs, connections)
      this.#clients.set(backend, client)
    }
    return client
  }

  /**
   * For the byte pipe of one exchange. The proxy takes 9 MB and 35 ms to load: a process whose models have no pipes never does.
   * A promise only for requests that come before it is loaded: `import()` costs a twentieth of a request each time.
   */
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
      const server = shared(this.#pipeServers, backend, origin => new PipeServer(origin, this.#connectMs))
      client = new PipeClient(backend.config, server)
      this.#pipeClients.set(backend, client)
    }
    return client
  }

  /** The backend has gone. The connections of its server are closed with the last of its backends. */
  forget(backend: Backend): void {
    this.#clients.delete(backend)
    this.#pipeClients.delete(backend)
    const { origin } = new URL(backend.config.url)
    const isUsed = (clients: IteratorObject<Backend>) =>
      clients.some(({ config }) => new URL(config.url).origin === origin)
    if (!isUsed(this.#clients.keys())) close(this.#connections, origin)
    if (!isUsed(this.#pipeClients.keys())) close(this.#pipeServers, origin)
  }

  /** Closes every connection, those in use included. */
  close(): void {
    for (const connections of this.#connections.values()) connections.close()
    for (const server of this.#pipeServers.values()) server.close()
  }
}

function close<T extends { close(): void }>(byOrigin: Map<string, T>, origin: string): void {
  byOrigin.get(origin)?.close()
  byOrigin.delete(origin)
}

/** What the backends on one server share. */
function shared<T>(byOrigin: Map<string, T>, { config }: Backend, make: (origin: string) => T): T {
  const { origin } = new URL(config.url)
  let found = byOrigin.get(origin)
  if (found === undefined) {
    found = make(origin)
    byOrigin.set(origin, found)
  }
  return found
}
