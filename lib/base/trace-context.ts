/** Headers of W3C Trace Context (https://www.w3.org/TR/trace-context/): read from clients and passed on unchanged. */
import type { IncomingHttpHeaders } from 'node:http'

/** The trace context of a client's request. */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string
  readonly traceparent: string
  /** All headers of that name as one list. undefined: absent or invalid. */
  readonly tracestate: string | undefined
}

/** Section 3.2.2: version, trace-id, parent-id and flags. A later version may append more after another dash. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-[\x21-\x7e]*)?$/

/** Section 3.3.1.3: `key` or `tenant@system`, and a value of printable characters that does not end in a space. */
const LIST_MEMBER =
  /^(?:[a-z0-9][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

const MAX_MEMBERS = 32

/** Longer headers are dropped: a backend could refuse them. The recommendation requires at least 512 characters. */
const MAX_LENGTH = 4096

/** The trace context of a request; null if it is absent or invalid. Receivers must ignore an invalid one. */
export function traceContextOf({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | null {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return null
  const [, version, traceId, parentId, more] = TRACEPARENT.exec(traceparent) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (isZero(traceId!) || isZero(parentId!)) return null
  return { traceId: traceId!, traceparent, tracestate: isTracestate(tracestate) ? tracestate : undefined }
}

function isZero(digits: string): boolean {
  return /^0+$/.test(digits)
}

/** A list may contain empty members, but at least one member must not be empty. */
function isTracestate(value: string | string[] | undefined): value is string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return false
  const members = value
    .split(',')
    .map(member => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter(member => member !== '')
  return members.length > 0 && members.length <= MAX_MEMBERS && members.every(member => LIST_MEMBER.test(member))
}
