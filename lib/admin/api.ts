/** The operators' API: finds the route, checks key, query and body, and answers. Its operations are in the files beside. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { publicId, uuidv7 } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { docsUrl, envelope } from '../errors/envelope.ts'
import { fail, type GatewayError, toGatewayError } from '../errors/errors.ts'
import { queryReader } from '../schemas/query.ts'
import { readSchema } from '../schemas/schemas.ts'
import type { Actor } from '../store/audit.ts'
import { findOperator } from '../store/operator-keys.ts'
import { queryRunner } from '../store/query-runner.ts'
import type { Store } from '../store/store.ts'
import { bodyCheck, readBody } from './body.ts'
import { adminOpenapi } from './openapi.ts'
import { ADMIN_ROUTES, type AdminRoute, findAdminRoute } from './routes.ts'
import { type ProcessState, statusJson } from './status.ts'
import { TextReply } from './usage.ts'

export interface AdminApiOptions {
  /** The configuration that runs. */
  config(): Config
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  state(): Promise<ProcessState>
  /** The backends of all processes. */
  backends(): Promise<readonly object[]>
  /** Called after each change, so that this process applies it at once. */
  changed(): Promise<void>
}

/** Answers the requests whose path begins with `/admin/`. */
export type AdminApi = (req: IncomingMessage, res: ServerResponse) => void

const DOCUMENT = '/admin/openapi.json'

/** How a route reads its query and checks its body. */
interface Checks {
  readonly query: (raw: string) => unknown
  readonly body: ((body: unknown) => void) | undefined
}

export function createAdminApi(options: AdminApiOptions): AdminApi {
  const { config, store, clock, log, state, backends, changed } = options
  const read = queryRunner(store, store.reader)
  const write = queryRunner(store)
  const checks = new Map(ADMIN_ROUTES.map(route => [route, checksOf(route)]))

  const isStoreUp = () =>
    read(({ db }) => db.selectFrom('key_changes').select('counter').execute()).then(
      () => true,
      () => false,
    )

  /** The operator behind the key of the request. */
  async function actorOf(req: IncomingMessage): Promise<Actor> {
    const secret = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
    if (secret === undefined)
      fail('missing_api_key', {}, { message: "An operator's key is needed: 'Authorization: Bearer <KEY>'." })
    // Nothing else can be an operator's key, and the store need not be asked.
    const isShaped = secret.startsWith(`${config().brand}_operator_`) && secret.length < 200
    const operator = isShaped ? await read(session => findOperator(session, secret)) : undefined
    if (operator === undefined) fail('invalid_api_key', {}, { message: "This is not an operator's key." })
    return { name: `operator ${operator.name} (${operator.id})`, address: req.socket.remoteAddress ?? null }
  }

  async function answer(req: IncomingMessage, target: URL): Promise<{ status: number; body: JsonObject | TextReply }> {
    const method = req.method ?? 'GET'
    const { version } = await state()
    if (target.pathname === DOCUMENT && method === 'GET') return { status: 200, body: adminOpenapi(version) }
    const actor = await actorOf(req)
    const { route, params } = findAdminRoute(method, target.pathname)
    const check = checks.get(route)!
    const query = check.query(target.search.slice(1))
    const body = check.body === undefined ? undefined : await readBody(req)
    check.body?.(body)
    const idempotencyKey = route.idempotent === true ? idempotencyOf(req) : undefined
    const run = method === 'GET' ? read : write
    const result = await run(session => {
      const desk = { store: session, config: config(), actor, now: clock.micros(), log }
      const status = async () => statusJson(config(), await state(), await isStoreUp())
      return route.handle({ desk, params, query, body, idempotencyKey, status, backends })
    })
    if (method !== 'GET') await changed()
    return { status: route.status ?? 200, body: result }
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
      // What is left of a body that was not read would be taken for the next request.
      const close = req.complete ? null : { connection: 'close' }
      const context = { requestId, docs: docsOf(config(), error.code), param: error.details.param }
      send(error.status, { error: envelope(error, context) }, { ...error.details.headers, ...close })
    }
    Promise.try(() => answer(req, targetOf(req))).then(
      ({ status, body }) => send(status, body),
      (thrown: unknown) => refuse(toGatewayError(thrown)),
    )
  }
}

function targetOf({ url = '/' }: IncomingMessage): URL {
  return URL.parse(url, 'http://admin') ?? fail('http_400', { problem: 'The path is not valid.' })
}

function checksOf({ query = 'none', body }: AdminRoute): Checks {
  return {
    query: queryReader(readSchema(`admin/${query}`), 'schema_validation_failed'),
    body: body === undefined ? undefined : bodyCheck(body),
  }
}

function idempotencyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key']?.toString()
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    fail('http_400', { problem: 'Idempotency-Key must be 1 to 255 visible characters.' })
  }
  return key
}

/** The pages are on the port of clients. */
function docsOf({ docs_url, listen }: Config, code: string): string {
  const docsBase = docs_url === undefined ? null : `${docs_url}/`
  const scheme = listen.tls === undefined ? 'http' : 'https'
  return docsUrl({ docsBase }, `${scheme}://${listen.host}:${listen.port}`, code)
}
