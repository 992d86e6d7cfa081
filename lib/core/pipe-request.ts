import type { JsonObject } from '../base/json.ts'

/** A request on a route whose replies pass as bytes: there is no canonical form of it. */
export interface PipeRequest {
  readonly kind: 'pipe'
  /** As the client wrote it: an id or an alias. */
  readonly model: string
  /** As the client sent it. Copied, not read, where it is sent to a backend: long texts of a large body stay bytes. */
  body: JsonObject
  /** Members that are accepted and change nothing: backends are not sent them. */
  readonly withoutEffect: ReadonlySet<string>
}
