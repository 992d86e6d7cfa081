import { publicId } from '../base/ids.ts'
import type { Surface } from '../routes/routes.ts'

/** A client's own request id that may be echoed (docs/DESIGN.md#request-ids). */
const CLIENT_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The request id that a client is shown. `id`: UUID of the exchange. `fromClient`: the client's `x-request-id`. */
export function requestIdOf(id: string, surface: Surface, fromClient: string | string[] | undefined): string {
  if (surface === 'dedicated') return publicId(id)
  if (typeof fromClient === 'string' && CLIENT_ID.test(fromClient)) return `client_${fromClient}`
  return `req_${publicId(id)}`
}
