/**
 * The operators' pages: finds the route, who asks, and whether a form is one of this session. What pages do goes through the
 * operators' API, so they can do nothing that it cannot, and every change is audited.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from '../../base/json.ts'
import { GatewayError, toGatewayError } from '../../errors/errors.ts'
import { assetAt } from '../../pages/assets.ts'
import { isOwnOrigin } from '../../pages/fetch-metadata.ts'
import { html } from '../../pages/html.ts'
import { HTML, PAGE_HEADERS } from '../../pages/shell.ts'
import { type AdminCalls, type AdminOptions, adminCalls } from '../call.ts'
import { clientOf } from '../client.ts'
import { actorOf } from '../operators.ts'
import { ADMIN_ROUTES } from '../routes.ts'
import { TextReply } from '../usage.ts'
import { readForm } from './form.ts'
import {
  ASSET_PATH,
  type CallInput,
  type PageReply,
  type PageRoute,
  type Reply,
  render,
  signInPage,
  type Visit,
} from './page.ts'
import { signInRoutes } from './sign-in.ts'
import { isToken, TOKEN, type Visitor, visitorOf } from './visitor.ts'

/** Answers everything that is not the API and no other path of the operators' port. */
export type OperatorPages = (req: IncomingMessage, res: ServerResponse) => void

interface Found {
  readonly route: PageRoute
  readonly params: Readonly<Record<string, string>>
}

export function createOperatorPages(
  options: AdminOptions,
  routes: readonly PageRoute[],
  calls: AdminCalls = adminCalls(options),
): OperatorPages {
  const { config, clock, log } = options
  const find = finder(routes)
  const signIn = signInRoutes(options, calls)

  const visitOf = (req: IncomingMessage, url: URL, visitor: Visitor, form: URLSearchParams): Omit<Visit, 'params'> => ({
    visitor,
    query: url.searchParams,
    form,
    config: config(),
    now: clock.micros(),
    problem: null,
    call: (name, input) => callRoute(calls, actorOf(visitor.operator, clientOf(config()).address(req)), name, input),
  })

  /** An action whose refusal shows the page that it was sent from again. */
  async function act({ route, params }: Found, visit: Omit<Visit, 'params'>): Promise<Reply> {
    try {
      return await route.handle({ ...visit, params })
    } catch (thrown) {
      const back = route.back === undefined ? undefined : find('GET', filledIn(route.back, params))
      if (back === undefined || !(thrown instanceof GatewayError) || thrown.status >= 500) throw thrown
      const again = { ...visit, params: back.params, query: new URLSearchParams(), problem: thrown.message }
      return { ...((await back.route.handle(again)) as PageReply), status: thrown.status }
    }
  }

  async function answer(req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
    const method = req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET')
    if (url.pathname.startsWith(`${ASSET_PATH}/`)) return sendAsset(url.pathname, res)
    const visitor = await visitorOf(calls.read, config(), req.headers, clock.micros())
    const form = method === 'POST' ? await readForm(req) : new URLSearchParams()
    if (method === 'POST' && !isOwnOrigin(req.headers)) return send(res, foreignForm(), visitor)
    const entered = await signIn(req, url, visitor, form)
    if (entered !== undefined) return send(res, entered.reply, undefined, entered.headers)
    if (visitor === undefined) {
      const page = signInPage(method === 'POST' ? LATE_FORM : null, config())
      return send(res, { ...page, status: url.pathname === '/' ? 200 : 401 })
    }
    const found = find(method, url.pathname)
    if (found === undefined) return send(res, notFound(), visitor)
    if (method === 'POST' && !isToken(form.get(TOKEN) ?? '', visitor)) return send(res, foreignForm(), visitor)
    const visit = visitOf(req, url, visitor, form)
    const reply =
      method === 'POST' ? await act(found, visit) : await found.route.handle({ ...visit, params: found.params })
    send(res, reply, visitor)
  }

  return (req, res) => {
    const url = URL.parse(req.url ?? '/', 'http://operators')
    if (url === null) return send(res, notFound())
    answer(req, res, url).catch((thrown: unknown) => {
      const error = toGatewayError(thrown)
      if (error.code === 'internal_error') log.error({ err: error.details.cause }, 'fault')
      if (res.headersSent) return res.destroy()
      // What is left of a form that was not read would be taken for the next request.
      if (!req.complete) res.setHeader('connection', 'close')
      send(res, refused(error))
    })
  }
}

/** Said to a form without a session. */
const LATE_FORM = 'Nothing was changed: you are not signed in, or your session has ended.'

/** Calls a route of the operators' API. Rejects with a GatewayError. */
async function callRoute(
  calls: AdminCalls,
  actor: ReturnType<typeof actorOf>,
  name: string,
  { params = {}, query = {}, body = {}, idempotencyKey }: CallInput = {},
): Promise<JsonObject> {
  const route = ADMIN_ROUTES.find(one => one.name === name)!
  const result = await calls.call(actor, {
    route,
    params,
    query: queryText(query),
    body,
    idempotencyKey,
  })
  if (result instanceof TextReply) throw new TypeError(`${name} has answered with a text`)
  return result
}

function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, value)
  return text.toString()
}

function finder(routes: readonly PageRoute[]): (method: string, path: string) => Found | undefined {
  const patterns = routes.map(route => ({
    route,
    pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  return (method, path) => {
    for (const { route, pattern } of patterns) {
      const match = route.method === method ? pattern.exec(path) : null
      if (match !== null) return { route, params: { ...match.groups } }
    }
    return undefined
  }
}

function filledIn(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)
}

function send(
  res: ServerResponse,
  reply: Reply,
  visitor?: Visitor,
  headers: Readonly<Record<string, string>> = {},
): void {
  if ('send' in reply) return reply.send(res)
  if ('to' in reply) {
    res.writeHead(303, { location: reply.to, 'cache-control': 'no-store', ...headers })
    res.end()
    return
  }
  const { status = 200, ...page } = reply
  res.writeHead(status, { 'content-type': HTML, ...PAGE_HEADERS, ...headers })
  res.end(res.req.method === 'HEAD' ? undefined : render(page, visitor))
}

function sendAsset(path: string, res: ServerResponse): void {
  const [version = '', name = ''] = path.slice(ASSET_PATH.length + 1).split('/')
  const asset = assetAt('operators', version, name)
  if (asset === undefined) return send(res, notFound())
  res.writeHead(200, { 'content-type': asset.type, ...asset.headers })
  res.end(res.req.method === 'HEAD' ? undefined : asset.text)
}

function notFound(): PageReply {
  return {
    title: 'Not found',
    path: '',
    status: 404,
    body: html`<p>There is no such page. <a href="/">To the present state</a></p>`,
  }
}

function foreignForm(): PageReply {
  return {
    title: 'Nothing was changed',
    path: '',
    status: 403,
    body: html`<p>The form does not come from a page of your present session. <a href="/">Open the pages</a> and send it again.</p>`,
  }
}

function refused(error: GatewayError): PageReply {
  return {
    title: error.status >= 500 ? 'This did not work' : 'Not possible',
    path: '',
    status: error.status,
    body: html`<p class="note bad" role="alert">${error.message}</p><p><a href="/">To the present state</a></p>`,
  }
}
