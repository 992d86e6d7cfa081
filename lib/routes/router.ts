import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config/config.ts'
import { failure, type GatewayError } from '../errors/errors.ts'
import { acceptsHtml } from '../pages/fetch-metadata.ts'
import { quoted, type Words, words } from '../text/quoted.ts'
import { CONSOLE_MISSING, PREFLIGHT, type Route, type Surface, servedRoutes, unmatched } from './routes.ts'

/** The route of a request. `C`: the type of the chain that is compiled for each route on each surface. */
export interface Match<C> {
  readonly route: Route
  readonly surface: Surface
  /** Host of the dedicated endpoint; null on the other surfaces. */
  readonly endpoint: string | null
  readonly chain: C
  /** Values of `{name}` in the route's path. */
  readonly params?: Readonly<Record<string, string>>
}

/** `refusal`: set if no row of the table serves the request. `match` then has a pseudo-route. */
interface Matched<C> {
  readonly match: Match<C>
  readonly refusal?: GatewayError
}

type ChainOf<C> = (route: Route, surface: Surface) => C

interface Pattern {
  readonly route: Route
  readonly names: readonly string[]
  readonly expression: RegExp
}

/** Finds the route for host, method and path, in tables that are built once from the configuration. */
export class Router<C> {
  readonly #served: readonly Route[]
  readonly #endpoints: ReadonlySet<string>
  readonly #gateway: ReadonlySet<string> | null
  readonly #api: ReadonlySet<string> | null
  readonly #exact = new Map<string, Route[]>()
  readonly #patterns: Pattern[] = []
  readonly #chainOf: ChainOf<C>
  readonly #cors: boolean

  constructor(config: Config, chainOf: ChainOf<C>) {
    this.#chainOf = chainOf
    this.#cors = config.cors.origins.length > 0
    this.#endpoints = new Set(config.endpoints.map(({ host }) => host))
    this.#gateway = config.hosts.gateway === null ? null : new Set(config.hosts.gateway)
    this.#api = config.hosts.api === null ? null : new Set(config.hosts.api)
    this.#served = servedRoutes(config)
    for (const route of this.#served) {
      if (route.path.includes('{')) this.#patterns.push(toPattern(route))
      else this.#exact.set(route.path, [...(this.#exact.get(route.path) ?? []), route])
    }
  }

  match(method: string, path: string, headers: IncomingHttpHeaders): Matched<C> {
    const host = hostName(headers.host)
    const surfaces = this.#surfaces(host)
    if (surfaces.length === 0) {
      return this.#unmatched(
        path,
        'gateway',
        null,
        host === ''
          ? failure('http_400', { problem: 'A Host header is needed.' })
          : failure('http_404', { problem: words`Nothing is served at host '${quoted(printable(host), 100)}'.` }),
      )
    }
    const endpoint = surfaces[0] === 'dedicated' ? host : null
    const wanted = method === 'HEAD' ? 'GET' : method
    let allowed: string[] | undefined
    const candidates =
      this.#exact.get(path) ?? this.#patterns.flatMap(({ route, expression }) => (expression.test(path) ? route : []))
    for (const route of candidates) {
      const surface = surfaces.find(one => route.surfaces.includes(one))
      if (surface === undefined) continue
      if (route.method === wanted) {
        const match = { route, surface, endpoint, chain: this.#chainOf(route, surface) }
        return { match: route.path.includes('{') ? { ...match, params: this.#params(route, path) } : match }
      }
      allowed = [...(allowed ?? []), ...(route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])]
    }
    const surface = surfaces[0]!
    if (allowed !== undefined && method === 'OPTIONS' && this.#cors) {
      return { match: { route: PREFLIGHT, surface, endpoint, chain: this.#chainOf(PREFLIGHT, surface) } }
    }
    if (wanted === 'GET' && endpoint === null && path.startsWith('/console/') && acceptsHtml(headers)) {
      const chain = this.#chainOf(CONSOLE_MISSING, surface)
      return { match: { route: CONSOLE_MISSING, surface, endpoint, chain } }
    }
    if (allowed !== undefined) {
      const allow = allowed.join(', ')
      return this.#unmatched(path, surface, endpoint, failure('http_405', { method, allow }, { headers: { allow } }))
    }
    return this.#unmatched(
      path,
      surface,
      endpoint,
      failure('http_404', { problem: unknownPath(path, surface, this.#served) }),
    )
  }

  /** The pseudo-route for a request that is refused before its route is looked up. */
  refuse(path: string, headers: IncomingHttpHeaders, refusal: GatewayError): Matched<C> {
    const host = hostName(headers.host)
    const [surface = 'gateway'] = this.#surfaces(host)
    return this.#unmatched(path, surface, surface === 'dedicated' ? host : null, refusal)
  }

  #surfaces(host: string): readonly Surface[] {
    if (this.#endpoints.has(host)) return ['dedicated']
    const surfaces: Surface[] = []
    if (this.#gateway === null || this.#gateway.has(host)) surfaces.push('gateway')
    if (this.#api === null || this.#api.has(host)) surfaces.push('api')
    return surfaces
  }

  #params(route: Route, path: string): Record<string, string> {
    const pattern = this.#patterns.find(one => one.route === route)!
    const values = pattern.expression.exec(path)!
    return Object.fromEntries(pattern.names.map((name, i) => [name, values[i + 1]!]))
  }

  #unmatched(path: string, surface: Surface, endpoint: string | null, refusal: GatewayError): Matched<C> {
    const route = unmatched(path)
    return { match: { route, surface, endpoint, chain: this.#chainOf(route, surface) }, refusal }
  }
}

function toPattern(route: Route): Pattern {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const group = (index: number) => (route.hasRest === true && index === names.length ? '(.+)' : '([^/]+)')
  const source = route.path
    .split(/\{\w+\}/)
    .map(RegExp.escape)
    .reduce((before, part, index) => before + group(index) + part)
  return { route, names, expression: new RegExp(`^${source}$`) }
}

/** The host without port, in lower case. An IPv6 address keeps its brackets. */
function hostName(header: string | undefined): string {
  if (header === undefined) return ''
  const colon = header.lastIndexOf(':')
  const withoutPort = colon > header.lastIndexOf(']') ? header.slice(0, colon) : header
  return withoutPort.toLowerCase()
}

function unknownPath(path: string, surface: Surface, routes: readonly Route[]): Words {
  if (path.startsWith('/v1/v1/')) {
    return `No such route: the path has /v1 twice. Set the client's base URL so that it ends with one /v1, or with none if the client adds it.`
  }
  const served = routes
    .filter(route => route.surfaces.includes(surface) && (route.access === 'key' || route.access === 'session'))
    .map(({ method, path: known }) => `${method} ${known}`)
  return words`No such route: ${quoted(printable(path), 100)}. Routes here: ${served.join(', ')}.`
}

/** Text from a request line, with characters that are safe in a message. */
function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?')
}
