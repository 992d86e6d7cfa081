import { csvOf, html, type PricedRow, priced, priceFactors, totalsOf } from '../../../lib/console.ts'
import { definePlugin, type Services } from '../../../lib/plugin.ts'
import { PERSONAL_FILE, replyPage, requestedSorting, withNote } from '../page.ts'
import { daysOf, momentsOf, periodNamed } from '../period.ts'
import { remainingOf } from '../remaining.ts'
import { requireVisitor } from '../sign-in.ts'
import { type View, viewOf } from '../view.ts'
import type { Visitor } from '../visitor.ts'
import { usageColumns, usagePage } from './page.ts'

export default definePlugin({
  name: 'console-usage',
  summary: "The console's page of usage with balance and remaining quota, and its numbers as CSV.",
  routes: { route: ['console-usage', 'console-usage-csv'] },

  setup: (_options, services) => ({
    async onHeaders(exchange) {
      const visitor = await requireVisitor(services, exchange)
      if (visitor === undefined) return
      const query = new URLSearchParams(exchange.query)
      const view = await viewOf(services, visitor, query)
      if (typeof view === 'string') {
        const page = { title: 'Usage', body: withNote(view, html``, 404), path: '/console/usage' } as const
        return replyPage(exchange, visitor, page, 404)
      }
      const period = periodNamed(query.get('period'))
      const columns = usageColumns(view, period, services.config.currency)
      const sorting = requestedSorting('/console/usage', query, columns)
      const moments = momentsOf(period, services.clock.now())
      const rows = await usageOf(services, visitor, view, moments)
      if (exchange.route.name === 'console-usage-csv') {
        for (const [name, value] of Object.entries(PERSONAL_FILE)) exchange.setHeader(name, value)
        exchange.setHeader('content-disposition', `attachment; filename="usage-${daysOf(moments)[0]}.csv"`)
        return exchange.reply(
          200,
          csvOf([[...CSV_HEAD, `estimated_cost_cents (${services.config.currency})`], ...csvRows(rows)]),
          'text/csv; charset=utf-8',
        )
      }
      const remaining = await remainingOf(services, view.account)
      const body = usagePage({
        visitor,
        view,
        currency: services.config.currency,
        period,
        days: daysOf(moments),
        rows,
        remaining,
        sorting,
      })
      replyPage(exchange, visitor, { title: 'Usage', body, path: '/console/usage', script: 'plot.js' })
    },
  }),
})

async function usageOf(
  { reports, models, config }: Services,
  { user }: Visitor,
  { account, isTeam }: View,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly PricedRow[]> {
  const period = { from: from * 1000, to: to * 1000 }
  const { rows } = await reports.usage({ account_id: account.id, ...(isTeam ? null : { user_id: user }), ...period })
  return priced(rows, models.all, priceFactors(config, account.plan))
}

const CSV_HEAD = ['date', 'user', 'model', 'requests', 'input_tokens', 'cache_read_tokens', 'output_tokens']

/** One row for each day, user and model, with and without batches. */
function csvRows(rows: readonly PricedRow[]): (string | number | null)[][] {
  const groups = Map.groupBy(rows, ({ date, user_id, model }) => JSON.stringify([date, user_id, model]))
  return [...groups.values()].map(own => {
    const { date, user_id, model } = own[0]!
    const { requests, input_tokens, cache_read_tokens, output_tokens, estimated_cost_cents } = totalsOf(own)
    return [date, user_id, model, requests, input_tokens, cache_read_tokens, output_tokens, estimated_cost_cents]
  })
}
