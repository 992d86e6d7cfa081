import { BlockList, isIP } from 'node:net'

/** IPv4 ranges that are not global unicast (IANA special-purpose registry), and a metadata service: 168.63.129.16. */
const NOT_GLOBAL_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16',
]

/** Global unicast IPv6. IPv4-mapped, loopback and link-local addresses are not among it. */
const GLOBAL_6 = ['2000::/3']
/** Protocol assignments such as Teredo, addresses for documentation, and 6to4, which contains IPv4 addresses. */
const NOT_GLOBAL_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Allows addresses of the public internet, and the ranges that the operator has configured. */
export class AddressGuard {
  readonly #allow: readonly string[]
  #lists: ReturnType<typeof listsOf> | undefined

  /** `allow`: CIDR ranges or single addresses that need not be public. */
  constructor(allow: readonly string[]) {
    this.#allow = allow
  }

  allows(address: string): boolean {
    const family = isIP(address)
    if (family === 0) return false
    // Built for the first request, because building them would delay every start.
    this.#lists ??= listsOf(this.#allow)
    const { allowed, notGlobal4, global6, notGlobal6 } = this.#lists
    if (allowed.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true
    if (family === 4) return !notGlobal4.check(address)
    return global6.check(address, 'ipv6') && !notGlobal6.check(address, 'ipv6')
  }
}

function listsOf(allow: readonly string[]) {
  return {
    allowed: blockList(allow),
    notGlobal4: blockList(NOT_GLOBAL_4),
    global6: blockList(GLOBAL_6),
    notGlobal6: blockList(NOT_GLOBAL_6),
  }
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address, prefix] = range.split('/') as [string, string?]
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}
