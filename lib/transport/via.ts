/**
 * The header `via` (RFC 9110, section 7.6.3). It shows requests that lead back to the gateway, because a backend is the
 * gateway itself or sends to it.
 */

const ENTRY = '1.1 sluiceway'

/** A request that has passed this number of gateways is refused. */
const MAX_ENTRIES = 3

/** Whether a request with this header has passed too many gateways. */
export function isLoop(via: string | undefined): boolean {
  return via !== undefined && via.split(',').filter(entry => entry.trim() === ENTRY).length >= MAX_ENTRIES
}

/** The header of a request to a backend. `via`: that of the client's request; undefined: none. */
export function viaOf(via: string | undefined): string {
  return via === undefined ? ENTRY : `${via}, ${ENTRY}`
}
