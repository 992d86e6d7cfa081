import { createServer, type RequestListener, type Server } from 'node:http'
import { compoundSchema } from '../config/config-schemas.ts'
import { readText } from './read-text.ts'

/** Returns the reasons not to route traffic to the gateway; empty: it is ready. */
export type Readiness = () => readonly string[]

/** Returns remarks for operators about a gateway that is ready. */
type Notes = () => readonly string[]

/** Metrics as text: a prom-client registry, or several aggregated. */
export interface MetricsSource {
  readonly contentType: string
  metrics(): Promise<string>
}

/** The handlers of requests for which operators need keys. */
export interface OperatorHandlers {
  /** Receives the paths below /admin/. */
  readonly api: RequestListener
  /** Receives every path that no other handler serves. */
  readonly pages: RequestListener
}

export interface AdminServerOptions {
  readonly metrics: MetricsSource
  readonly readiness: Readiness
  readonly notes: Notes
  /** Lists the backends as JSON values, without secrets. */
  readonly backends: () => Promise<readonly object[]>
  /** Answers a question about routing. Both are JSON texts. */
  readonly explain: (question: string) => Promise<string> | string
  /** The API and the pages, which ask for keys themselves; undefined: they are off. */
  readonly operators?: OperatorHandlers | undefined
}

/** Longest question about routing. */
const MAX_QUESTION_BYTES = 64 * 1024 * 1024

/**
 * The server of the operators' port. No key: /metrics for Prometheus, /livez and /readyz for orchestrators,
 * /config.schema.json for editors. /backends and /explain-route serve commands of `sluiceway`.
 */
export function createAdminServer(options: AdminServerOptions): Server {
  const { metrics, readiness, notes, backends, explain, operators } = options
  return createServer((req, res) => {
    const path = (req.url ?? '/').split('?')[0]!
    if (operators !== undefined && path.startsWith('/admin/')) return operators.api(req, res)
    if (operators !== undefined && !OPEN.has(path)) return operators.pages(req, res)
    const text = (status: number, body: string, type = 'text/plain; charset=utf-8') => {
      res.writeHead(status, { 'content-type': type })
      res.end(req.method === 'HEAD' ? undefined : body)
    }
    if (path === '/explain-route') {
      if (req.method !== 'POST') return text(405, 'Use POST.\n')
      readText(req, MAX_QUESTION_BYTES)
        .then(explain)
        .then(
          answer => text(200, answer, 'application/json'),
          () => text(500, 'The question could not be answered.\n'),
        )
      return
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') return text(405, 'Use GET.\n')
    if (path === '/livez') return text(200, 'ok\n')
    if (path === '/readyz') {
      const reasons = readiness()
      return reasons.length === 0
        ? text(200, `${['ok', ...notes()].join('\n')}\n`)
        : text(503, `${reasons.join('\n')}\n`)
    }
    if (path === '/backends') {
      return void backends().then(
        list => text(200, `${JSON.stringify({ backends: list })}\n`, 'application/json'),
        () => text(500, 'The backends could not be listed.\n'),
      )
    }
    if (path === '/config.schema.json') return text(200, JSON.stringify(compoundSchema()), 'application/schema+json')
    if (path !== '/metrics')
      return text(404, 'This port serves /metrics, /livez, /readyz, /backends and /config.schema.json.\n')
    metrics.metrics().then(
      lines => text(200, lines, metrics.contentType),
      () => text(500, 'The metrics could not be collected.\n'),
    )
  })
}

/** Paths that need no key. */
const OPEN: ReadonlySet<string> = new Set([
  '/explain-route',
  '/livez',
  '/readyz',
  '/backends',
  '/config.schema.json',
  '/metrics',
])
