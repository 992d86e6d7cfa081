import { promises as dns } from 'node:dns'

/** All addresses of a host name, IPv4 first; empty if none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

/** Queries the DNS only: Node's dns.lookup() would occupy a thread of the pool until the name server answers. */
export function resolveBy(servers?: readonly string[]): Resolve {
  return async (host, signal) => {
    signal.throwIfAborted()
    const resolver = new dns.Resolver({ timeout: 2000, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      return answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}
