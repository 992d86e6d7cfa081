import type { Clock, Key, Metrics } from '../../../lib/plugin.ts'
import type { ReplyUsage } from '../../slots.ts'
import { BusiestNames, OTHER } from './busiest.ts'

const LABELS = ['account', 'account_name'] as const
const KINDS = ['input', 'output', 'cache_read'] as const

/** Requests and tokens of the busiest accounts, and of the others together. */
export class AccountSeries {
  readonly #clock: Clock
  readonly #busiest: BusiestNames
  /** Names of the shown accounts, by id. */
  readonly #names = new Map<string, string>()
  readonly #requests
  readonly #tokens

  /** `max`: number of accounts with series of their own. */
  constructor(metrics: Metrics, clock: Clock, max: number) {
    this.#clock = clock
    this.#requests = metrics.counter({
      name: 'sluiceway_account_requests_total',
      help: 'Requests of the busiest accounts, and of all others as other.',
      labelNames: LABELS,
    })
    this.#tokens = metrics.counter({
      name: 'sluiceway_account_tokens_total',
      help: 'Tokens of the busiest accounts by kind, and of all others as other.',
      labelNames: [...LABELS, 'kind'],
    })
    // The configuration before a reload may have shown other accounts.
    this.#requests.reset()
    this.#tokens.reset()
    this.#busiest = new BusiestNames(max, account => this.#remove(account), clock.monotonic())
  }

  observe({ id, name }: Pick<Key['account'], 'id' | 'name'>, usage: ReplyUsage | undefined): void {
    const account = this.#busiest.count(id, this.#clock.monotonic())
    const known = this.#names.get(account)
    // A renamed account continues as new series.
    if (account !== OTHER && known !== undefined && known !== name) this.#remove(account)
    const labels = { account, account_name: account === OTHER ? OTHER : name }
    this.#names.set(account, labels.account_name)
    this.#requests.inc(labels)
    if (usage === undefined) return
    const { inputTokens, outputTokens, cacheReadTokens } = usage
    if (inputTokens !== null) this.#tokens.inc({ ...labels, kind: 'input' }, inputTokens)
    if (outputTokens !== null) this.#tokens.inc({ ...labels, kind: 'output' }, outputTokens)
    if (cacheReadTokens !== null) this.#tokens.inc({ ...labels, kind: 'cache_read' }, cacheReadTokens)
  }

  #remove(account: string): void {
    const account_name = this.#names.get(account) ?? ''
    this.#names.delete(account)
    this.#requests.remove({ account, account_name })
    for (const kind of KINDS) this.#tokens.remove({ account, account_name, kind })
  }
}
