/** Keep-alive comment: sent on a silent stream, so that proxies keep it open. Clients ignore comments. */
export const COMMENT_KEEP_ALIVE = ': keep-alive\n\n'

/** One server-sent event as text. Neither argument may contain a line break; JSON text has none. */
export function frame(event: string | undefined, data: string): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`
}
