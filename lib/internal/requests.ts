/** Requests of the gateway itself, which run through the same chain as those of clients, without a connection. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, Writable } from 'node:stream'
import type { Surface } from '../config/surface.ts'
import { type Chain, Exchange } from '../core/exchange.ts'
import { run } from '../core/hooks.ts'
import type { InternalReply, InternalRequest, InternalRequests } from '../core/services.ts'
import { batchLine, key } from '../core/slots.ts'
import { toGatewayError } from '../errors/errors.ts'
import { begin, type LifecycleHost } from '../lifecycle/lifecycle.ts'
import { ROUTES, type Route } from '../routes/routes.ts'

interface InternalHost extends LifecycleHost {
  chainOf(route: Route, surface: Surface): Chain
}

/** Passed to plugins before their runtime exists, and connected to it afterwards. */
export class RuntimeRequests implements InternalRequests {
  #runtime: InternalHost | null = null

  connect(runtime: InternalHost): void {
    this.#runtime = runtime
  }

  /**
   * Runs the request hooks, except for those of these plugins, and passes the exchange to `read`. Rejects with the
   * refusal of a hook. No backend is called, and no finish hook runs.
   */
  async check<T>(
    { surface, route: name, body, key: caller }: CheckedRequest,
    except: ReadonlySet<string>,
    read: (exchange: Exchange) => T,
  ): Promise<T> {
    const runtime = this.#runtime
    const route = proxiedRoute(name)
    if (runtime === null || route === undefined) throw new Error(`no request to the route '${name}' can be checked`)
    const exchange = exchangeOf(runtime, route, surface, { body, headers: {}, res: new CollectedResponse() })
    exchange.set(key, caller)
    try {
      await run(
        exchange.chain.request.filter(({ plugin }) => !except.has(plugin)),
        exchange,
      )
      return read(exchange)
    } catch (thrown) {
      throw toGatewayError(thrown)
    } finally {
      exchange.releaseBody()
    }
  }

  send({
    surface,
    route: name,
    body,
    key: caller,
    headers = {},
    line,
    signal,
  }: InternalRequest): Promise<InternalReply> {
    const runtime = this.#runtime
    const route = proxiedRoute(name)
    if (runtime === null || route === undefined)
      return Promise.reject(new Error(`no internal request can be sent to the route '${name}'`))
    signal?.throwIfAborted()
    const res = new CollectedResponse()
    const exchange = exchangeOf(runtime, route, surface, { body, headers, res })
    exchange.set(key, caller)
    if (line !== undefined) exchange.set(batchLine, line)
    return new Promise((resolve, reject) => {
      const cancel = () => res.destroy()
      signal?.addEventListener('abort', cancel)
      res.on('error', () => {})
      res.on('close', () => {
        signal?.removeEventListener('abort', cancel)
        const { requestId } = exchange
        if (res.writableFinished) resolve({ requestId, status: res.statusCode, body: res.text })
        else reject(new Error('the internal request was cancelled'))
      })
      begin(runtime, exchange)
    })
  }
}

/** A request that is checked, and never sent. */
type CheckedRequest = Pick<InternalRequest, 'surface' | 'route' | 'body' | 'key'>

function proxiedRoute(name: string): Route | undefined {
  const route = (ROUTES as readonly Route[]).find(one => one.name === name)
  return route?.proxied === true && !route.form ? route : undefined
}

interface Content {
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly res: CollectedResponse
}

function exchangeOf(runtime: InternalHost, route: Route, surface: Surface, { body, headers, res }: Content): Exchange {
  const match = { route, surface, endpoint: null, chain: runtime.chainOf(route, surface) }
  const req = requestOf(route, Buffer.isBuffer(body) ? body : Buffer.from(body), headers) as unknown as IncomingMessage
  const target = { path: route.path, query: '' }
  return new Exchange(runtime.host, match, req, res as unknown as ServerResponse, target)
}

/** What the core reads of an incoming request. `complete`: the body needs no connection. */
function requestOf({ method }: Route, bytes: Buffer, headers: Readonly<Record<string, string>>): Readable {
  const own = { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers }
  const socket = { destroyed: false }
  return Object.assign(Readable.from([bytes]), { method, headers: own, complete: true, socket })
}

/** Collects what the core writes to a response. */
class CollectedResponse extends Writable {
  statusCode = 0
  headersSent = false
  readonly #parts: Buffer[] = []

  get text(): string {
    return Buffer.concat(this.#parts).toString()
  }

  writeHead(status: number): this {
    this.statusCode = status
    this.headersSent = true
    return this
  }

  /** Nothing can be slow to read here. */
  setTimeout(): this {
    return this
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#parts.push(chunk)
    done()
  }
}
