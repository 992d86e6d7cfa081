/** The envelope of an error: the object that carries it to a client, before a format wraps it. */
import type { Json } from '../base/json.ts'
import type { ErrorBody, GatewayError } from './errors.ts'

export interface DocsHost {
  /** Ends with a slash; the code of the error is appended. null: the pages that this gateway serves itself. */
  readonly docsBase: string | null
  /** True: the gateway's own port uses TLS. */
  readonly secure: boolean
}

/** Members of the envelope that depend on the request, not on the error. */
interface EnvelopeContext {
  readonly requestId: string
  /** The page about the error: docsUrl(). */
  readonly docs: string
  /** Path of the invalid member in the client's format; undefined: none. */
  readonly param?: string | undefined
}

/** URL of the page about this code. Without a configured base it is at `origin`, which the client has addressed. */
export function docsUrl({ docsBase }: Pick<DocsHost, 'docsBase'>, origin: string, code: string): string {
  return `${docsBase ?? `${origin}/docs/errors/`}${code}`
}

export function envelope(error: GatewayError, { requestId, docs, param }: EnvelopeContext): ErrorBody {
  return {
    type: error.type,
    code: error.code,
    message: error.message,
    ...(param === undefined ? null : { param }),
    request_id: requestId,
    docs_url: docs,
    ...(error.details.extra as Record<string, Json> | undefined),
  }
}
