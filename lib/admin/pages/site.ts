/** The operators' pages over HTTP. They act only through the operators' API, which checks and audits every change. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { JsonObject } from '../../base/json.ts'
import { GatewayError, toGatewayError } from '../../errors/errors.ts'
import { assetAt } from '../../pages/assets.ts'
import { isOwnOrigin } from '../../pages/fetch-metadata.ts'
import { missingPage } from '../../pages/find.ts'
import { html } from '../../pages/html.ts'
import { HTML, PAGE_HEADERS } from '../../pages/shell.ts'
import type { AdminCalls, AdminOptions } from '../call.ts'
import type { TextReply } from '../csv.ts'
import { actorOf, clientOf } from '../operators.ts'
import { pathMatcher, type RouteMatch } from '../path-matcher.ts'
import { ADMIN_ROUTES } from '../routes.ts'
import { accountRoutes } from './account.ts'
import { accountHistoryRoute } from './account-history.ts'
import { accountsRoutes } from './accounts.ts'
import { auditRoutes } from './audit.ts'
import { backendStripsRoute } from './backend-strips.ts'
import { backendsRoutes } from './backends.ts'
import { batchesRoutes } from './batches.ts'
import { type ChainView, chainRoute } from './chain.ts'
import { costsRoutes } from './costs.ts'
import { designRoutes } from './design.ts'
import { findRoutes } from './find.ts'
import { readForm, refusalOf } from './form.ts'
import { modelHistoryRoute } from './model-history.ts'
import { modelsRoutes } from './models.ts'
import { type Live, nowRoutes } from './now.ts'
import {
  ASSET_PATH,
  type CallInput,
  FIND_PATH,
  type PageReply,
  type PageRequest,
  type PageRoute,
  type Reply,
  render,
  signInPage,
} from './page.ts'
import { requestRoute } from './request.ts'
import { requestsRoutes } from './requests.ts'
import { signInRoutes } from './sign-in.ts'
import { usageRoutes } from './usage.ts'
import { isToken, TOKEN, type Visitor, visitorOf } from './visitor.ts'

/** Data of pages that the API does not have. */
interface PageData {
  readonly live: Live
  chain(): Promise<ChainView>
}

export function createOperatorPages(
  options: AdminOptions,
  calls: AdminCalls,
  { live, chain }: PageData,
): RequestListener {
  const { config, clock, log } = options
  const matchesOf = pathMatcher<PageRoute>([
    ...nowRoutes(live),
    ...requestsRoutes,
    requestRoute,
    ...usageRoutes,
    ...accountsRoutes,
    ...accountRoutes,
    accountHistoryRoute,
    ...costsRoutes,
    ...modelsRoutes,
    modelHistoryRoute,
    ...backendsRoutes,
    backendStripsRoute,
    ...batchesRoutes({ spare: () => live.dashboard.spare }),
    chainRoute(chain),
    ...auditRoutes,
    ...findRoutes,
    ...designRoutes(),
  ])
  const find = (method: string, path: string) => matchesOf(path).find(({ route }) => route.method === method)
  const signIn = signInRoutes(options, calls)

  function send(
    res: ServerResponse,
    reply: Reply,
    visitor?: Visitor,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    if ('send' in reply) return reply.send(res)
    if ('to' in reply) {
      res.writeHead(303, { location: reply.to, 'cache-control': 'no-store', ...headers, ...reply.headers })
      res.end()
      return
    }
    const { status = 200, ...page } = reply
    res.writeHead(status, { 'content-type': HTML, ...PAGE_HEADERS, ...headers })
    res.end(res.req.method === 'HEAD' ? undefined : render(page, config(), visitor))
  }

  /** Runs an action, or makes a page. If its form is refused, the page with the form is shown again. */
  async function handled({ route, params }: RouteMatch<PageRoute>, request: PageRequest): Promise<Reply> {
    try {
      return await route.handle(request)
    } catch (thrown) {
      if (!(thrown instanceof GatewayError) || thrown.status >= 500) throw thrown
      const problem = refusalOf(thrown, route.fields)
      if (route.method === 'GET') {
        if (problem.field === null) throw thrown
        const page = await route.handle({ ...request, filterProblem: problem })
        return { ...(page as PageReply), status: thrown.status }
      }
      const back = route.back === undefined ? undefined : find('GET', pathOf(route.back, params))
      if (back === undefined) throw thrown
      const again = { ...request, params: back.params, query: new URLSearchParams(), problem }
      return { ...((await back.route.handle(again)) as PageReply), status: thrown.status }
    }
  }

  async function answer(req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
    const method = req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET')
    if (url.pathname.startsWith(`${ASSET_PATH}/`))
      return sendAsset(url.pathname, res) ? undefined : send(res, notFound())
    const visitor = await visitorOf(calls.read, config(), req.headers, clock.micros())
    const form = method === 'POST' ? await readForm(req) : new URLSearchParams()
    if (method === 'POST' && !isOwnOrigin(req.headers)) return send(res, foreignForm(), visitor)
    const signedIn = await signIn(req, url, visitor, form)
    if (signedIn !== undefined) return send(res, signedIn.reply, undefined, signedIn.headers)
    if (visitor === undefined) {
      const page = signInPage(method === 'POST' ? NO_SESSION : null, config())
      return send(res, { ...page, status: url.pathname === '/' ? 200 : 401 })
    }
    const match = find(method, url.pathname)
    if (match === undefined) return send(res, notFound(), visitor)
    if (method === 'POST' && !isToken(form.get(TOKEN) ?? '', visitor)) return send(res, foreignForm(), visitor)
    const request = pageRequest(req, match, url, visitor, form)
    send(res, await handled(match, request).catch(refusedReply), visitor)
  }

  function pageRequest(
    req: IncomingMessage,
    { params }: RouteMatch<PageRoute>,
    { searchParams: query }: URL,
    visitor: Visitor,
    form: URLSearchParams,
  ): PageRequest {
    const actor = actorOf(visitor.operator, clientOf(config()).address(req))
    return {
      ...{ visitor, params, query, form, headers: req.headers },
      ...{ config: config(), now: clock.micros(), problem: null, filterProblem: null },
      call: (name, input) => callRoute(calls, actor, name, input) as Promise<JsonObject>,
      csv: async (name, input = {}) => {
        const asCsv = { ...input, query: { ...input.query, format: 'csv' } }
        return fileOf(name, (await callRoute(calls, actor, name, asCsv)) as TextReply)
      },
    }
  }

  return (req, res) => {
    const url = URL.parse(req.url ?? '/', 'http://operators')
    if (url === null) return send(res, notFound())
    answer(req, res, url).catch((thrown: unknown) => {
      const error = toGatewayError(thrown)
      if (error.code === 'internal_error') log.error({ err: error.details.cause }, 'fault')
      if (res.headersSent) return res.destroy()
      // The rest of an unread form would be parsed as the next request.
      if (!req.complete) res.setHeader('connection', 'close')
      send(res, refused(error))
    })
  }
}

/** The reply to a form without a session. */
const NO_SESSION = 'Nothing was changed: you are not signed in, or your session has ended.'

async function callRoute(
  calls: AdminCalls,
  actor: ReturnType<typeof actorOf>,
  name: string,
  { params = {}, query = {}, body = {}, idempotencyKey }: CallInput = {},
): Promise<JsonObject | TextReply> {
  const route = ADMIN_ROUTES.find(one => one.name === name)!
  return calls.call(actor, { route, params, query: queryText(query), body, idempotencyKey })
}

/** A download. The name of an incomplete file says so. */
function fileOf(name: string, { type, text, next }: TextReply): Reply {
  const file = `${name.replace('list-', '')}${next === null ? '' : '-incomplete'}.csv`
  return {
    send(res) {
      const disposition = `attachment; filename="${file}"`
      res.writeHead(200, { ...PAGE_HEADERS, 'content-type': type, 'content-disposition': disposition })
      res.end(res.req.method === 'HEAD' ? undefined : text)
    },
  }
}

function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, value)
  return text.toString()
}

function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)
}

/** False: there is no such file. */
function sendAsset(path: string, res: ServerResponse): boolean {
  const [version = '', name = ''] = path.slice(ASSET_PATH.length + 1).split('/')
  const asset = assetAt('operators', version, name)
  if (asset === undefined) return false
  res.writeHead(200, { 'content-type': asset.type, ...asset.headers })
  res.end(res.req.method === 'HEAD' ? undefined : asset.text)
  return true
}

function notFound(): PageReply {
  return {
    title: 'Not found',
    path: '',
    status: 404,
    body: missingPage('/', FIND_PATH),
  }
}

function foreignForm(): PageReply {
  return {
    title: 'Nothing was changed',
    path: '',
    status: 403,
    body: html`<p>The form does not come from a page of your current session. <a href="/">Open the pages</a> and send it again.</p>`,
  }
}

/** What the operation refuses has the navigation of the session. */
function refusedReply(thrown: unknown): PageReply {
  if (thrown instanceof GatewayError && thrown.status < 500) return refused(thrown)
  throw thrown
}

function refused(error: GatewayError): PageReply {
  const title = error.status === 404 ? 'Not found' : 'Not possible'
  return {
    title: error.status >= 500 ? 'This did not work' : title,
    path: '',
    status: error.status,
    body: html`<p class="note bad" role="alert">${error.message}</p><p><a href="/">To the overview</a>, or <a href="${FIND_PATH}">find</a> a page or an id.</p>`,
  }
}
