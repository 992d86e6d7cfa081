/**
 * How long the mark is kept by which a script knows a request that it has counted already, in milliseconds. A script runs
 * twice for one request only where a cluster is moving a slot and redirects the client, which follows at once.
 */
export const REMEMBER_MS = 5000

export function onceKey(account: string, what: string, id: string): string {
  return `sluiceway:{${account}}:once:${what}:${id}`
}
