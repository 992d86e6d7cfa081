/**
 * Scripts that count leave a mark for each request, so that the same request never counts twice. Only a cluster that moves
 * a slot sends a script again, and that at once: marks need not live long.
 */
export const REMEMBER_MS = 5000

export function onceKey(account: string, what: string, id: string): string {
  return `sluiceway:{${account}}:once:${what}:${id}`
}
