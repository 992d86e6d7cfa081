/** Generated from plugins/limits/quota/options.json by `npm run generate`. Do not edit. */

export interface Options {
  /** Count and log what would be refused, and refuse nothing. */
  readonly shadow: boolean
  /** While the shared limits store does not answer: each process admits its share of the limit, or everything, or nothing (503). */
  readonly on_store_failure: 'local_share' | 'fail_open' | 'fail_closed'
}
