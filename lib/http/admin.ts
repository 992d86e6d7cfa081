import http, { type Server } from 'node:http'

/** Returns the reasons not to route traffic to the gateway; empty: it is ready. */
export type Readiness = () => readonly string[]

/** Metrics as text: a prom-client registry, or several aggregated. */
export interface MetricsSource {
  readonly contentType: string
  metrics(): Promise<string>
}

/** The backends as JSON values, without secrets. */
export type BackendLister = () => Promise<readonly object[]>

/**
 * The operators' port: /metrics for Prometheus, /livez and /readyz for orchestrators and load balancers, /backends for
 * `sluiceway backends list`. It has no authentication.
 */
export function createAdminServer(source: MetricsSource, readiness: Readiness, backends: BackendLister): Server {
  return http.createServer((req, res) => {
    const path = (req.url ?? '/').split('?')[0]
    const text = (status: number, body: string, type = 'text/plain; charset=utf-8') => {
      res.writeHead(status, { 'content-type': type })
      res.end(req.method === 'HEAD' ? undefined : body)
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') return text(405, 'Use GET.\n')
    if (path === '/livez') return text(200, 'ok\n')
    if (path === '/readyz') {
      const reasons = readiness()
      return reasons.length === 0 ? text(200, 'ok\n') : text(503, `${reasons.join('\n')}\n`)
    }
    if (path === '/backends') {
      return void backends().then(
        list => text(200, `${JSON.stringify({ backends: list })}\n`, 'application/json'),
        () => text(500, 'The backends could not be listed.\n'),
      )
    }
    if (path !== '/metrics') return text(404, 'Here are /metrics, /livez, /readyz and /backends.\n')
    source.metrics().then(
      metrics => text(200, metrics, source.contentType),
      () => text(500, 'The metrics could not be collected.\n'),
    )
  })
}
