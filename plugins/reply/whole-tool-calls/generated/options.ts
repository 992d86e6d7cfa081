/** Generated from plugins/reply/whole-tool-calls/options.json by `npm run generate`. Do not edit. */

export interface Options {
  /** Most memory for unfinished tool calls of one reply, counted as their characters plus 32 for each fragment. A reply that needs more fails with backend_http_error. */
  readonly max_held_bytes: number
}
