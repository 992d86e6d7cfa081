/**
 * Shared by the streams of chat completions and text completions. Their JSON is written by hand (docs/adr/0033).
 */
import type { ReplyContext, WriteEvent } from '../../canonical/format.ts'
import type { FinishReason, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { toErrorBody } from './errors.ts'
import { toUsageText } from './usage.ts'

/** JSON text of an event up to its choices: the same for all events of a reply. */
export function eventStart({ id, created, model }: ReplyContext, prefix: string, object: string): string {
  return `{"id":"${prefix}${id}","object":"${object}","created":${created},"model":${JSON.stringify(model)},"choices":[`
}

/** JSON text of `finish_reason`. */
export function finishText(finish: FinishReason | undefined): string {
  return finish === undefined ? 'null' : `"${finish}"`
}

/** The end of a complete reply: the last value of usage on an event without choices, then `[DONE]`. */
export function writeEnd(write: WriteEvent, start: string, usage: Usage | undefined): void {
  if (usage !== undefined) write(undefined, `${start}],"usage":${toUsageText(usage)}}`)
  write(undefined, '[DONE]')
}

/** An in-band error, which clients raise. No `[DONE]` follows, so no client takes the reply for a complete one. */
export function writeError(write: WriteEvent, context: ReplyContext, error: GatewayError): void {
  write(undefined, JSON.stringify(toErrorBody(context.errorBody(error))))
}
