/** The operators' API over HTTP: authentication, routing and replies. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { publicId, uuidv7 } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { docsUrl, envelope } from '../errors/envelope.ts'
import { fail, type GatewayError, toGatewayError } from '../errors/errors.ts'
import type { Actor } from '../store/audit.ts'
import { readBody } from './body.ts'
import type { AdminCalls, AdminOptions } from './call.ts'
import { TextReply } from './csv.ts'
import { adminOpenapi } from './openapi.ts'
import { actorOf, clientOf, KnownOperators } from './operators.ts'
import { pathMatcher, type RouteMatch } from './path-matcher.ts'
import type { AdminRoute } from './route.ts'
import { ADMIN_ROUTES } from './routes.ts'

const DOCUMENT = '/admin/openapi.json'

interface Answer {
  readonly status: number
  readonly body: JsonObject | TextReply
  readonly headers?: Readonly<Record<string, string>>
}

export function createAdminApi({ config, clock, log, state }: AdminOptions, calls: AdminCalls): RequestListener {
  const operators = new KnownOperators(clock)

  /** The operator whose key the request carries. */
  async function authenticate(req: IncomingMessage, path: string): Promise<Actor> {
    const secret = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
    if (secret === undefined)
      fail('missing_api_key', {}, { message: "An operator's key is needed: 'Authorization: Bearer <KEY>'." })
    const needsStore = !matchesOf(path).some(({ route }) => route.inMemory === true)
    const operator = await operators.find(calls.read, config().brand, secret, needsStore)
    if (operator === undefined) fail('invalid_api_key', {}, { message: "This is not an operator's key." })
    return actorOf(operator, clientOf(config()).address(req))
  }

  async function answer(req: IncomingMessage, target: URL): Promise<Answer> {
    const method = req.method ?? 'GET'
    if (target.pathname === DOCUMENT) {
      if (method !== 'GET' && method !== 'HEAD')
        fail('http_405', { method, allow: 'GET' }, { headers: { allow: 'GET' } })
      return { status: 200, body: adminOpenapi((await state()).version) }
    }
    const actor = await authenticate(req, target.pathname)
    const { route, params } = routeOf(method, target.pathname)
    const body = route.body === undefined ? undefined : await readBody(req)
    const idempotencyKey = route.idempotent === true ? idempotencyKeyOf(req) : undefined
    const result = await calls.call(actor, { route, params, query: target.search.slice(1), body, idempotencyKey })
    return { status: route.status ?? 200, body: result, headers: linkOf(target, result) }
  }

  return (req, res) => {
    const requestId = `req_${publicId(uuidv7(clock.now()))}`
    const send = (status: number, body: JsonObject | TextReply, headers: Readonly<Record<string, string>> = {}) => {
      const isText = body instanceof TextReply
      res.writeHead(status, {
        'content-type': isText ? body.type : 'application/json',
        'cache-control': 'no-store',
        'x-request-id': requestId,
        ...headers,
      })
      res.end(isText ? body.text : JSON.stringify(body))
    }
    const refuse = (error: GatewayError) => {
      if (error.code === 'internal_error') log.error({ err: error.details.cause, request_id: requestId }, 'fault')
      // The rest of an unread body would be parsed as the next request.
      const close = req.complete ? null : { connection: 'close' }
      const context = { requestId, docs: docsOf(config(), error.code), param: error.details.param }
      send(error.status, { error: envelope(error, context) }, { ...error.headers, ...close })
    }
    Promise.try(() => answer(req, targetOf(req))).then(
      ({ status, body, headers }) => send(status, body, headers),
      (thrown: unknown) => refuse(toGatewayError(thrown)),
    )
  }
}

/** The header that names the rest of an incomplete file (RFC 8288). */
function linkOf(target: URL, result: JsonObject | TextReply): Readonly<Record<string, string>> {
  if (!(result instanceof TextReply) || result.next === null) return {}
  const query = new URLSearchParams(target.search)
  query.set('cursor', result.next)
  return { link: `<${target.pathname}?${query.toString()}>; rel="next"` }
}

const matchesOf = pathMatcher(ADMIN_ROUTES)

/** Refuses with http_404 or http_405 if there is none. HEAD is routed like GET: Node omits the body. */
function routeOf(method: string, path: string): RouteMatch<AdminRoute> {
  const matches = matchesOf(path)
  if (matches.length === 0)
    fail('http_404', { problem: 'No such route: /admin/openapi.json describes those there are.' })
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = matches.find(({ route }) => route.method === wanted)
  if (found !== undefined) return found
  const allow = matches.map(({ route }) => route.method).join(', ')
  fail('http_405', { method, allow }, { headers: { allow } })
}

function targetOf({ url = '/' }: IncomingMessage): URL {
  return URL.parse(url, 'http://admin') ?? fail('http_400', { problem: 'The path is not valid.' })
}

function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key']?.toString()
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    fail('http_400', { problem: 'Idempotency-Key must be 1 to 255 visible characters.' })
  }
  return key
}

/** URL of the documentation of an error. The port of clients serves it, unless `docs_url` is set. */
function docsOf({ docs_url, listen }: Config, code: string): string {
  const docsBase = docs_url === undefined ? null : `${docs_url}/`
  const scheme = listen.tls === undefined ? 'http' : 'https'
  return docsUrl({ docsBase }, `${scheme}://${listen.host}:${listen.port}`, code)
}
