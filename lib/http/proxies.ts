import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** The client of a request and the origin that it called; behind trusted proxies, as their headers report them. */
export interface ClientView {
  /** `https://api.example.com` */
  origin(req: Request): string
  /** null: the connection has closed, so that its address is unknown. */
  address(req: Request): string | null
}

type Request = Pick<IncomingMessage, 'headers'> & { readonly socket?: { readonly remoteAddress?: string | undefined } }

/** The syntax of a Host header: a host with an optional port. */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

interface ProxiesOptions {
  /** Networks in CIDR notation. */
  readonly trusted: readonly string[]
  /** The port of the gateway uses TLS. */
  readonly secure: boolean
  /** Host and port of a request without a Host header, such as a line of a batch. */
  readonly authority?: string
}

/** Reads the X-Forwarded headers of proxies. They are ignored unless the connection comes from a trusted network. */
export class Proxies implements ClientView {
  readonly #trusted = new BlockList()
  readonly #secure: boolean
  readonly #authority: string

  constructor({ trusted, secure, authority = 'localhost' }: ProxiesOptions) {
    this.#secure = secure
    this.#authority = authority
    for (const network of trusted) {
      const [address = '', prefix] = network.split('/')
      this.#trusted.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4')
    }
  }

  origin({ headers, socket }: Request): string {
    const isTrusted = this.#trusts(plain(socket?.remoteAddress))
    const proto = isTrusted ? last(headers['x-forwarded-proto'])?.toLowerCase() : undefined
    const host = isTrusted ? last(headers['x-forwarded-host']) : undefined
    const scheme = proto === 'https' || proto === 'http' ? proto : this.#secure ? 'https' : 'http'
    return `${scheme}://${host !== undefined && HOST.test(host) ? host : (headers.host ?? this.#authority)}`
  }

  address({ headers, socket }: Request): string | null {
    let address = plain(socket?.remoteAddress)
    const hops = (headers['x-forwarded-for']?.toString() ?? '').split(',')
    // Each proxy appends the address of its peer. Whatever precedes an untrusted address may be forged.
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

/** Removes the IPv6 prefix of an IPv4 address on a dual-stack socket. undefined: this is no IP address. */
function plain(address: string | undefined): string | undefined {
  const bare = address?.replace(/^::ffff:(?=\d+\.)/i, '')
  return bare !== undefined && isIP(bare) > 0 ? bare : undefined
}

/** The last value of a list, which the nearest proxy has added. Earlier ones may come from the client. */
function last(header: string | readonly string[] | undefined): string | undefined {
  return header?.toString().split(',').at(-1)?.trim()
}
