/** Generated from plugins/models/count-tokens/options.json by `npm run generate`. Do not edit. */

export interface Options {
  /** How long backends may take to count; after that the count is an estimate. */
  readonly timeout_ms: number
}
