import type { BodyWorker } from './body/worker-client.ts'
import type { Config } from './config/config.ts'
import type { Dispatcher } from './dispatch.ts'
import type { ExchangeHost } from './exchange.ts'
import type { Router } from './router.ts'

/** Everything that is built from one configuration. A reload builds another; running exchanges keep theirs. */
export interface Runtime {
  readonly config: Config
  readonly router: Router
  readonly host: ExchangeHost
  readonly bodyWorker: BodyWorker
  readonly dispatcher: Dispatcher
  /** An exchange starts. */
  enter(): void
  /** Its connection is done with it. */
  leave(): void
}
