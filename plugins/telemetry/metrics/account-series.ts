import type { Clock, Metrics } from '../../../lib/plugin.ts'
import type { ReplyUsage } from '../../slots.ts'
import { BusiestNames } from './busiest.ts'

const KINDS = ['input', 'output', 'cache_read'] as const

/** Requests and tokens of the busiest accounts, and of the others together. */
export class AccountSeries {
  readonly #clock: Clock
  readonly #busiest: BusiestNames
  readonly #requests
  readonly #tokens

  /** `max`: number of accounts with series of their own. */
  constructor(metrics: Metrics, clock: Clock, max: number) {
    this.#clock = clock
    this.#requests = metrics.counter({
      name: 'sluiceway_account_requests_total',
      help: 'Requests of the busiest accounts, and of all others as other.',
      labelNames: ['account'],
    })
    this.#tokens = metrics.counter({
      name: 'sluiceway_account_tokens_total',
      help: 'Tokens of the busiest accounts by kind, and of all others as other.',
      labelNames: ['account', 'kind'],
    })
    // The configuration before a reload may have shown other accounts.
    this.#requests.reset()
    this.#tokens.reset()
    this.#busiest = new BusiestNames(max, account => this.#remove(account), clock.monotonic())
  }

  observe(id: string, usage: ReplyUsage | undefined): void {
    const account = this.#busiest.count(id, this.#clock.monotonic())
    this.#requests.inc({ account })
    if (usage === undefined) return
    const { inputTokens, outputTokens, cacheReadTokens } = usage
    if (inputTokens !== null) this.#tokens.inc({ account, kind: 'input' }, inputTokens)
    if (outputTokens !== null) this.#tokens.inc({ account, kind: 'output' }, outputTokens)
    if (cacheReadTokens !== null) this.#tokens.inc({ account, kind: 'cache_read' }, cacheReadTokens)
  }

  #remove(account: string): void {
    this.#requests.remove(account)
    for (const kind of KINDS) this.#tokens.remove(account, kind)
  }
}
