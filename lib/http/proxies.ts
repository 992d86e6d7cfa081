import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Whom a request comes from, and what it was addressed to; behind proxies that are trusted, as they tell. */
export interface ClientView {
  /** `https://api.example.com` */
  origin(req: Request): string
  /** null: addresses are not wanted, or the connection has none any more. */
  address(req: Request): string | null
}

type Request = Pick<IncomingMessage, 'headers'> & { readonly socket?: { readonly remoteAddress?: string | undefined } }

/** A host with an optional port, as the Host header has it. */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

export interface ProxiesOptions {
  /** Networks in CIDR notation. */
  readonly trusted: readonly string[]
  /** The gateway's own port speaks TLS. */
  readonly secure: boolean
  /** Addresses of clients are wanted. */
  readonly showAddress: boolean
}

/** Who is behind a connection. Headers of a proxy count only where the connection comes from a trusted one. */
export class Proxies implements ClientView {
  readonly #trusted = new BlockList()
  readonly #options: ProxiesOptions

  constructor(options: ProxiesOptions) {
    this.#options = options
    for (const network of options.trusted) {
      const [address = '', prefix] = network.split('/')
      this.#trusted.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4')
    }
  }

  origin({ headers, socket }: Request): string {
    const isTrusted = this.#trusts(plain(socket?.remoteAddress))
    const proto = isTrusted ? last(headers['x-forwarded-proto'])?.toLowerCase() : undefined
    const host = isTrusted ? last(headers['x-forwarded-host']) : undefined
    const scheme = proto === 'https' || proto === 'http' ? proto : this.#options.secure ? 'https' : 'http'
    return `${scheme}://${host !== undefined && HOST.test(host) ? host : (headers.host ?? 'localhost')}`
  }

  address({ headers, socket }: Request): string | null {
    if (!this.#options.showAddress) return null
    let address = plain(socket?.remoteAddress)
    const hops = (headers['x-forwarded-for']?.toString() ?? '').split(',')
    // Each proxy adds the address that it sees: what stands before one that is not trusted may be invented.
    while (this.#trusts(address) && hops.length > 0) {
      const hop = plain(hops.pop()!.trim())
      if (hop === undefined) break
      address = hop
    }
    return address ?? null
  }

  #trusts(address: string | undefined): boolean {
    return address !== undefined && this.#trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
}

/** An IPv4 address that a socket for both kinds has received stands in an IPv6 one. undefined: it is no address. */
function plain(address: string | undefined): string | undefined {
  const bare = address?.replace(/^::ffff:(?=\d+\.)/i, '')
  return bare !== undefined && isIP(bare) > 0 ? bare : undefined
}

/** What the nearest proxy has added: only that is known to be the proxy's. */
function last(header: string | readonly string[] | undefined): string | undefined {
  return header?.toString().split(',').at(-1)?.trim()
}
