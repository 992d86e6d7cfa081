/** Every page of the console, with the filters that ask most of the store, and what each takes to be on the screen. */
import type { BrowserContext, Page } from 'playwright-core'
import { systemClock } from '../../lib/base/clock.ts'
import { cookieName, createLink, storeSessions } from '../../lib/store/console-sessions.ts'
import { createOperatorKey } from '../../lib/store/operator-keys.ts'
import { openOperatorSession } from '../../lib/store/operator-sessions.ts'
import type { Store } from '../../lib/store/store.ts'
import { quantile } from '../stats.ts'
import type { BenchGateway } from './gateway.ts'
import { ACCOUNT, RARE_MODEL, USERS } from './seed.ts'

/** Milliseconds since the navigation began. */
export interface Times {
  /** The last byte of the page has arrived: the gateway's part. */
  readonly answered: number
  /** The first text or picture is on the screen. Pages come whole, so that this is all of the text; plots follow it. */
  readonly painted: number
  /** Styles and scripts have run, plots are drawn. */
  readonly whole: number
}

export interface PageReport {
  readonly name: string
  readonly status: number
  readonly times: readonly Times[]
}

/** Paths by the name of the page. `request`: id of a request of the large account. `key`: of one of its keys. */
function operatorPages(request: string) {
  const large = `account=${ACCOUNT}`
  return [
    ['Overview', '/'],
    ['Requests', '/requests'],
    ['Requests of an account, 30 days', `/requests?${large}&since=720`],
    ['Requests, every error', '/requests?status=errors'],
    ['Requests, a status nobody got, 30 days', '/requests?status=418&since=720'],
    ['Requests, slow ones that there are not, 30 days', '/requests?slow=60000&since=720'],
    ['Requests, a rare model, 30 days', `/requests?model=${RARE_MODEL}&since=720`],
    ['Requests, an unknown backend, 30 days', '/requests?backend=nowhere&since=720'],
    ['Requests of an account, rare model, 30 days', `/requests?${large}&model=${RARE_MODEL}&since=720`],
    ['A request', `/requests/${request}`],
    ['Accounts', '/accounts'],
    ['An account', `/accounts/${ACCOUNT}`],
    ['Chain', '/chain'],
    ['Audit', '/audit'],
    ['Audit of an account', `/audit?account=${ACCOUNT}`],
    ['Audit, an action nobody did', '/audit?action=nothing'],
  ] as const
}

function customerPages(request: string, key: string) {
  return [
    ['Console', '/console'],
    ['Usage', '/console/usage'],
    ['Usage of every member', '/console/usage?who=team'],
    ['Requests, own', '/console/requests'],
    ['Requests of every member, 30 days', '/console/requests?who=team&since=30d'],
    ['Requests of every member, errors, 30 days', '/console/requests?who=team&since=30d&errors=1'],
    ['Requests, own, errors, 30 days', '/console/requests?since=30d&errors=1'],
    ['Requests, own, a status nobody got, 30 days', '/console/requests?since=30d&status=418'],
    ['Requests of every member, a rare model, 30 days', `/console/requests?who=team&since=30d&model=${RARE_MODEL}`],
    ['A request', `/console/requests/${request}`],
    ['Keys', '/console/keys'],
    ['A key', `/console/keys/${key}`],
    ['Try it', '/console/try'],
  ] as const
}

/** Signs in as both, without a page of theirs. */
export async function signIn(store: Store, context: BrowserContext, { url, adminUrl }: BenchGateway): Promise<void> {
  const now = Date.now() * 1000
  const sessions = storeSessions(query => query(store), systemClock)
  const own = await sessions.open(await createLink(store, USERS[0]!, now))
  const operator = await createOperatorKey(store, 'service', 'bench', now)
  const session = await openOperatorSession(store, operator.id, now)
  await context.addCookies([
    { name: cookieName('service'), value: own!.secret, url },
    { name: 'service_operator_session', value: session, url: adminUrl },
  ])
}

/** Loads every page `rounds` times, in turns, so that what disturbs hits all of them. */
export async function measurePages(
  store: Store,
  context: BrowserContext,
  { url, adminUrl }: BenchGateway,
  rounds: number,
): Promise<readonly PageReport[]> {
  const { id } = await store.db
    .selectFrom('requests')
    .select('id')
    .where('account_id', '=', ACCOUNT)
    .where('user_id', '=', USERS[0]!)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const key = await store.db
    .selectFrom('keys')
    .select('id')
    .where('user_id', '=', USERS[0]!)
    .limit(1)
    .executeTakeFirstOrThrow()
  const pages = [
    ...operatorPages(id).map(([name, path]) => [`operator: ${name}`, adminUrl + path] as const),
    ...customerPages(id, key.id).map(([name, path]) => [`customer: ${name}`, url + path] as const),
  ]
  const page = await context.newPage()
  const reports = pages.map(([name]) => ({ name, status: 0, times: [] as Times[] }))
  // The first round reads from the disk, compiles, and fills the browser's cache. It is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const [at, [, address]] of pages.entries()) {
      const [status, times] = await timesOf(page, address)
      reports[at]!.status = status
      if (round > 0) reports[at]!.times.push(times)
    }
  }
  await page.close()
  return reports
}

async function timesOf(page: Page, address: string): Promise<readonly [status: number, Times]> {
  const response = await page.goto(address, { waitUntil: 'load' })
  const times = await page.evaluate<Times>(`new Promise(resolve => {
    const look = () => {
      const [painted] = performance.getEntriesByName('first-contentful-paint')
      const [plots] = performance.getEntriesByName('plots')
      if (!painted || (!plots && document.querySelector('[data-plot]'))) return
      const { responseEnd: answered, loadEventEnd } = performance.getEntriesByType('navigation')[0]
      resolve({ answered, painted: painted.startTime, whole: Math.max(loadEventEnd, plots?.startTime ?? 0) })
    }
    new PerformanceObserver(look).observe({ entryTypes: ['paint', 'mark'] })
    look()
  })`)
  return [response?.status() ?? 0, times]
}

/** Within this a page must be on the screen, in 95 of 100 cases. */
const LIMIT_MS = 200

/** A Markdown table. */
export function pageTable(reports: readonly PageReport[]): string {
  const cells = reports.map(({ name, status, times }) => {
    const of = (what: keyof Times, share: number) =>
      quantile(
        times.map(one => one[what]),
        share,
      )
    const shown = (what: keyof Times) => [0, 0.5, 0.95].map(share => of(what, share).toFixed(0)).join(' / ')
    const verdict = status >= 400 ? `${status}` : of('painted', 0.95) <= LIMIT_MS ? '' : 'slow'
    return `| ${name} | ${shown('answered')} | ${shown('painted')} | ${shown('whole')} | ${verdict} |`
  })
  return [
    `| Lowest / p50 / p95 in ms | answered | on the screen | whole | over ${LIMIT_MS} ms |`,
    '| - | -: | -: | -: | - |',
    ...cells,
  ].join('\n')
}
