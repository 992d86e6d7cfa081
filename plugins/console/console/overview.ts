/** The first page: what an account spends, what fails, what is left, and how to begin. */
import {
  emptyState,
  filterBox,
  type Html,
  html,
  htmlFacts,
  htmlStats,
  htmlTable,
  idHtml,
  isManager,
  moneyHtml,
  nameHtml,
  priced,
  priceFactors,
  totalsOf,
} from '../../../lib/console.ts'
import type { JsonObject, Services } from '../../../lib/plugin.ts'
import { countText } from '../numbers.ts'
import { momentsOf } from '../period.ts'
import { alertsLink, type Remaining, remainingOf, remainingStats } from '../remaining.ts'
import { requestTable } from '../request-table.ts'
import { type View, viewFields } from '../view.ts'
import type { Visitor } from '../visitor.ts'

/** Failures that are counted. Of these, the newest are listed. */
const MAX_FAILURES = 100
const SHOWN_FAILURES = 5
const DAY_MICROS = 86_400_000_000

interface Overview {
  readonly view: View
  readonly month: ReturnType<typeof totalsOf>
  readonly failures: readonly JsonObject[]
  readonly remaining: Remaining
}

export async function overviewOf(services: Services, { user }: Visitor, view: View): Promise<Overview> {
  const { reports, models, clock, config } = services
  const now = clock.now()
  const { from, to } = momentsOf('month', now)
  const own = view.isTeam ? {} : { user_id: user }
  const owner = { account: view.account.id, ...(view.isTeam ? {} : { user }) }
  const [usage, { requests }, remaining] = await Promise.all([
    reports.usage({ account_id: view.account.id, ...own, from: from * 1000, to: to * 1000 }),
    reports.accountRequests({ ...owner, errors: true, since: now * 1000 - DAY_MICROS }, MAX_FAILURES),
    remainingOf(services, view.account),
  ])
  return {
    view,
    month: totalsOf(priced(usage.rows, models.all, priceFactors(config, view.account.plan))),
    failures: requests,
    remaining,
  }
}

/** `base`: the URL that clients configure. */
export function overviewPage(
  { view, month, failures, remaining }: Overview,
  { currency, base, visitor }: { readonly currency: string; readonly base: string; readonly visitor: Visitor },
): Html {
  const { account, accounts, isTeam } = view
  const scope = new URLSearchParams({ account: account.id, ...(isTeam && { who: 'team' }) }).toString()
  const count = failures.length < MAX_FAILURES ? countText(failures.length) : `${MAX_FAILURES} or more`
  return html`${
    (accounts.length > 1 || isManager(account.role)) &&
    filterBox(
      html`<form action="/console"><div class="fields">${viewFields(view)}<button class="main">Show</button></div></form>`,
    )
  }
${htmlStats([
  {
    name: 'Spend',
    value: moneyHtml(month.estimated_cost_cents, currency),
    more: 'this month, at current prices',
    href: `/console/usage?period=month&${scope}`,
  },
  {
    name: 'Requests',
    value: countText(month.requests),
    more: 'this month',
    href: `/console/requests?since=30d&${scope}`,
  },
  {
    name: 'Errors',
    value: failures.length === 0 ? count : html`<span class="error">${count}</span>`,
    more: 'in the last 24 hours',
    href: `/console/requests?errors=1&${scope}`,
  },
  ...remainingStats(remaining, currency, `/console/usage?${scope}`),
])}
${alertsLink(visitor, account)}
<h2>Latest failures</h2>
${
  failures.length === 0
    ? emptyState(
        'No failed requests in the last 24 hours',
        'A request that is refused or breaks appears here, with its error.',
      )
    : requestTable(failures.slice(0, SHOWN_FAILURES), view)
}
<h2>First call</h2>
${htmlFacts([['Base URL', idHtml(base)]])}
<p><a href="/console/keys">Create a key</a> to get the lines of a first call for curl, Python and JavaScript, or <a href="/console/try">ask a model</a> here. Each <a href="/docs/errors">error</a> has a page.</p>
<h2>Accounts</h2>
${htmlTable(
  'Your accounts',
  ['Account', 'Kind', 'Your role', 'Plan'],
  accounts.map(({ id, name, kind, role, plan }) => [
    html`<a href="/console?account=${id}">${nameHtml(name)}</a>`,
    kind,
    role ?? 'key alone',
    plan ?? 'none',
  ]),
)}`
}
