/** Generated from plugins/limits/usage-limits/options.json by `npm run generate`. Do not edit. */

export interface Options {
  /** Output that is reserved of tokens a minute where the request does not say how much there can be, and of a budget where the model does not say it either. */
  readonly assumed_output_tokens: number
  /** Count and log what would be refused, and refuse nothing. */
  readonly shadow: boolean
  /** While the shared limits store does not answer: each process admits its share of the limit, or everything, or nothing (503). */
  readonly on_store_failure: 'local_share' | 'fail_open' | 'fail_closed'
}
