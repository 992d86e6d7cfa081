/** Generated from plugins/limits/credits/options.json by `npm run generate`. Do not edit. */

export interface Options {
  /** Output that is reserved for where neither the request nor the model says how much there can be. */
  readonly assumed_output_tokens: number
  /** Count and log what would be refused, and refuse nothing. What a balance does not cover is served without charge. */
  readonly shadow: boolean
  /** While balances cannot be read: nothing is admitted (503), or everything. */
  readonly on_store_failure: 'fail_closed' | 'fail_open'
}
