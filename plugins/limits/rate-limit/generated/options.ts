/** Generated from plugins/limits/rate-limit/options.json by `npm run generate`. Do not edit. */

export interface Options {
  /** Requests of an account in any minute, over all routes that are sent to a backend. Absent: no limit. */
  readonly inference_per_minute?: number
  /** Count and log what would be refused, and refuse nothing. */
  readonly shadow: boolean
  /** While the shared limits store does not answer: each process admits its share of the limit, or everything, or nothing (503). */
  readonly on_store_failure: 'local_share' | 'fail_open' | 'fail_closed'
}
