import { type AccountRequestFilter, html, isUuid } from '../../../lib/console.ts'
import { definePlugin, fail, type Services } from '../../../lib/plugin.ts'
import { ownRequest } from '../own-requests.ts'
import { type OwnPage, replyPage, withNote } from '../page.ts'
import { requireVisitor } from '../sign-in.ts'
import { viewOf } from '../view.ts'
import { visitorOf } from '../visitor.ts'
import { filterOf, selectionOf } from './filter.ts'
import { newestOf, PAGE_ROWS, requestListPage } from './list-page.ts'
import { LiveStreams } from './live.ts'
import { requestPage } from './request-page.ts'

const PATH = '/console/requests'
/** A request that lasts longer is not announced. */
const MAX_DURATION_MICROS = 600_000_000

export default definePlugin({
  name: 'console-requests',
  summary: "The console's pages of requests: a list, a stream that announces new ones, and the times of each request.",
  routes: { route: ['console-requests', 'console-requests-live', 'console-request'] },

  setup(_options, services) {
    const { config, reports, clock, models } = services
    const streams = new LiveStreams()
    const docsBase = config.docs_url?.replace(/\/$/, '') ?? '/docs/errors'
    return {
      async onHeaders(exchange) {
        const visitor = await requireVisitor(services, exchange)
        if (visitor === undefined) return
        const { route, params, headers, origin, signal } = exchange
        const show = (page: Omit<OwnPage, 'path'>, status = 200) =>
          replyPage(exchange, visitor, { ...page, path: PATH }, status)
        if (route.name === 'console-request') {
          const found = await ownRequest(services, visitor, decoded(params.request_id!))
          if (found === undefined) {
            const list = html`<p><a href="${PATH}">All requests</a></p>`
            return show({ title: 'Request', body: withNote('You have no such request.', list, 404) }, 404)
          }
          return show({
            title: `Request ${String(found.request.request_id)}`,
            body: requestPage({ ...found, docsBase, currency: config.currency }),
          })
        }

        const query = new URLSearchParams(exchange.query)
        const view = await viewOf(services, visitor, query)
        if (typeof view === 'string') return show({ title: 'Requests', body: withNote(view, html``, 404) }, 404)
        const selection = selectionOf(query)
        const owner = { account: view.account.id, ...(view.isTeam ? null : { user: visitor.user }) }
        const filter = filterOf(selection, clock.now() * 1000)
        if (route.name === 'console-requests-live') {
          if (typeof filter === 'string') fail('http_400', { problem: filter })
          const shown = headers['last-event-id']?.toString() ?? query.get('shown') ?? ''
          const newest = newestSince(services, { ...filter, ...owner }, shown)
          const readNewest = async () => {
            return (await visitorOf(services, { headers, origin })) === undefined ? undefined : newest()
          }
          const stream = streams.open(visitor.secret, readNewest, signal, shown)
          // After a 204 browsers do not connect again.
          if (stream === undefined) return exchange.reply(204, '')
          exchange.setHeader('cache-control', 'no-store')
          exchange.setHeader('x-accel-buffering', 'no')
          return exchange.reply(200, stream, 'text/event-stream')
        }
        const none = { requests: [], has_more: false, cursor: null }
        const page =
          typeof filter === 'string' ? none : await reports.accountRequests({ ...filter, ...owner }, PAGE_ROWS)
        const status = typeof filter === 'string' ? 422 : 200
        const ids = models.all.map(({ id }) => id).filter(id => view.account.models?.has(id) ?? true)
        const body = requestListPage({
          ...{ view, selection, models: ids, page },
          hasBatches: config.batches !== undefined,
          refusal: typeof filter === 'string' ? { field: 'status', text: filter } : null,
        })
        const note = typeof filter === 'string' ? filter : null
        show({ title: 'Requests', body: withNote(note, body, status), script: 'live.js' }, status)
      },
    }
  },
})

/** Reads the newest request. Later calls search from the last one on. */
function newestSince(
  { reports, clock }: Services,
  filter: AccountRequestFilter,
  shown: string,
): () => Promise<string | undefined> {
  let newest = shown
  // A request is stored when it ends: it may have started before the page was loaded.
  const since = Math.max(filter.since, clock.now() * 1000 - MAX_DURATION_MICROS)
  return async () => {
    const { requests } = await reports.accountRequests(
      isUuid(newest) ? { ...filter, from: newest } : { ...filter, since },
      1,
    )
    if (requests.length > 0) newest = newestOf(requests)
    return newest
  }
}

/** A decoded path segment; undefined: it is malformed. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
