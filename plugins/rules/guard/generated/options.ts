/** Generated from plugins/rules/guard/options.json by `npm run generate`. Do not edit. */

export interface Options {
  /** URL of a server that judges texts. Either this or `model`. */
  readonly webhook?: string
  /** The server of `webhook` keeps nothing. Without it, requests that require zero data retention are never sent there. */
  readonly zdr: boolean
  /** Id of a model of this gateway that judges texts. Either this or `webhook`. */
  readonly model?: string
  /** What is judged: `input`, the request before a backend is called; `output`, the reply before the client receives it. */
  readonly check: readonly ('input' | 'output')[]
  /** A streamed text is judged in windows of about this many tokens. The client receives a window when it is allowed. */
  readonly hold_tokens: number
  /** Time for one verdict, in milliseconds. */
  readonly timeout_ms: number
  /** What happens if there is no verdict in time: `closed` treats the text as not allowed, `open` as allowed. */
  readonly on_failure: 'closed' | 'open'
}
