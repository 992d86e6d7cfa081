/** Sent while a stream is silent, so that proxies in between keep it open. A comment: no client sees an event. */
export const COMMENT_KEEP_ALIVE = ': keep-alive\n\n'

/** One server-sent event. Neither text may hold a line break; JSON never does. */
export function frame(event: string | undefined, data: string): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`
}
