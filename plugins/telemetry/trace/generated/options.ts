/** Generated from plugins/telemetry/trace/options.json by `npm run generate`. Do not edit. */

export interface Options {
  /** Base URL of an OTLP/HTTP collector, such as `http://collector:4318`; spans go to `/v1/traces` below it. */
  readonly endpoint: string
  /** Share of the requests that are traced: 1 is every one, 0.05 is one in twenty. Where the client's trace is trusted, the client has decided. */
  readonly sample: number
  /** What the `traceparent` of a client counts: `trust` continues its trace and keeps its decision, for clients of your own; `ignore` begins a trace for every request. */
  readonly parent: 'trust' | 'ignore'
}
