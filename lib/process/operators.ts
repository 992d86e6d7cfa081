/** The API and the pages for operators. Loaded on demand: a gateway without them needs none of these modules. */
import { createAdminApi } from '../admin/api.ts'
import { type AdminOptions, adminCalls } from '../admin/call.ts'
import { Dashboard, type DashboardOptions } from '../admin/live/dashboard.ts'
import { openLive } from '../admin/pages/now.ts'
import { createOperatorPages } from '../admin/pages/site.ts'
import type { OperatorHandlers } from '../http/admin.ts'
import { chainViewer } from './chain-view.ts'

export interface Operators extends OperatorHandlers {
  /** Closes the event streams of open pages. */
  close(): void
}

export function startOperators(
  options: AdminOptions,
  dashboardOptions: Omit<DashboardOptions, 'clock' | 'config'>,
): Operators {
  const dashboard = new Dashboard({ ...dashboardOptions, clock: options.clock, config: options.config })
  const live = openLive(dashboard)
  const calls = adminCalls(options)
  return {
    api: createAdminApi(options, calls),
    pages: createOperatorPages(options, calls, { live, chain: chainViewer(options.config) }),
    close() {
      live.viewers.close()
      dashboard.close()
    },
  }
}
