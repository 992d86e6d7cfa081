/** Lines as log records in the JSON encoding of OTLP 1 (github.com/open-telemetry/opentelemetry-proto). */
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts'
import { post } from '../base/webhook.ts'

/** SeverityNumber INFO. */
const INFO = 9

/** Sends the lines of the stream to a collector. Rejects if it does not accept all of them. */
export async function sendOtlp(base: string, name: string, lines: readonly JsonObject[]): Promise<void> {
  const trimmed = base.replace(/\/+$/, '')
  const url = trimmed.endsWith('/v1/logs') ? trimmed : `${trimmed}/v1/logs`
  const text = await post(url, JSON.stringify(logsOf(name, lines)), { 'content-type': 'application/json' })
  const reply = parseJson(text)
  const partial = isObject(reply) && isObject(reply.partialSuccess) ? reply.partialSuccess : {}
  // A rejected record must not be sent again (OTLP, partial success), and the operator must know of it.
  if (Number(partial.rejectedLogRecords ?? 0) > 0) throw new RejectedLines(Number(partial.rejectedLogRecords))
}

/** The receiver has taken the batch without these lines, and wants no repetition. */
export class RejectedLines extends Error {
  readonly count: number

  constructor(count: number) {
    super(`the collector rejects ${count} lines`)
    this.count = count
  }
}

function logsOf(name: string, lines: readonly JsonObject[]): JsonObject {
  const logRecords = lines.map(line => ({
    timeUnixNano: `${Date.parse(String(line.created_at))}000000`,
    severityNumber: INFO,
    eventName: `sluiceway.${name}`,
    body: anyValue(line),
  }))
  return {
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'sluiceway' } }] },
        scopeLogs: [{ scope: { name: 'sluiceway.export' }, logRecords }],
      },
    ],
  }
}

function anyValue(value: Json): JsonObject {
  if (value === null) return {}
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  // A 64-bit integer is a string in the JSON encoding.
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return { kvlistValue: { values: members.map(([key, member]) => ({ key, value: anyValue(member as Json) })) } }
}
