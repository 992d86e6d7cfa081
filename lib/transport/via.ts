/**
 * The header `via` (RFC 9110, section 7.6.3). It shows requests that lead back to the gateway, because a backend is the
 * gateway itself or sends to it.
 */

const ENTRY = '1.1 sluiceway'

/** A request that has passed this number of gateways is refused. */
const MAX_ENTRIES = 3

/** Whether a request with this header has passed too many gateways. */
export function isLoop(via: string | undefined): boolean {
  return entriesIn(via) >= MAX_ENTRIES
}

/**
 * The header of a request to a backend. `via`: that of the client's request; undefined: none. Its other entries name
 * proxies of the client, which backends do not learn.
 */
export function viaOf(via: string | undefined): string {
  if (via === undefined) return ENTRY
  return new Array(entriesIn(via) + 1).fill(ENTRY).join(', ')
}

function entriesIn(via: string | undefined): number {
  return via === undefined ? 0 : via.split(',').filter(entry => entry.trim() === ENTRY).length
}
