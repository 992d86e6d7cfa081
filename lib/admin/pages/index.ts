/** Every page of operators, by its path. Adding one is adding its routes. */
import type { AdminOptions } from '../call.ts'
import { accountRoutes } from './account.ts'
import { accountsRoutes } from './accounts.ts'
import { auditRoute } from './audit.ts'
import { type ChainView, chainRoute } from './chain.ts'
import { type Live, nowRoutes } from './now.ts'
import { requestRoute } from './request.ts'
import { requestsRoute } from './requests.ts'
import { createOperatorPages, type OperatorPages } from './site.ts'

export interface PageParts {
  readonly live: Live
  /** The chain of the configuration that runs. */
  chain(): Promise<ChainView>
}

export function operatorPages(options: AdminOptions, { live, chain }: PageParts): OperatorPages {
  return createOperatorPages(options, [
    ...nowRoutes(live),
    requestsRoute,
    requestRoute,
    ...accountsRoutes,
    ...accountRoutes,
    chainRoute(chain),
    auditRoute,
  ])
}
