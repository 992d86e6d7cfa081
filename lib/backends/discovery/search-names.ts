/** The full names that the system's resolver would try for a name (resolv.conf(5)): c-ares asks for a name as it is. */
import { readFile } from 'node:fs/promises'

const RESOLV_CONF = '/etc/resolv.conf'

/** glibc takes no more. */
const MOST_DOMAINS = 6

/** In the order in which they are tried. A system without such a file has no search domains. */
export async function searchNames(name: string, file = RESOLV_CONF): Promise<readonly string[]> {
  if (name.endsWith('.')) return [name]
  const { domains, ndots } = parse(await readFile(file, 'utf8').catch(() => ''))
  const below = domains.map(domain => `${name}.${domain}`)
  return name.split('.').length - 1 >= ndots ? [name, ...below] : [...below, name]
}

function parse(text: string): { readonly domains: readonly string[]; readonly ndots: number } {
  let domains: readonly string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/)
    // The last line of the two counts.
    if (keyword === 'search' || keyword === 'domain')
      domains = values.map(domain => domain.replace(/\.$/, '')).filter(domain => domain !== '')
    if (keyword !== 'options') continue
    for (const option of values) {
      const [, dots] = /^ndots:(\d{1,2})$/.exec(option) ?? []
      if (dots !== undefined) ndots = Number(dots)
    }
  }
  return { domains: domains.slice(0, MOST_DOMAINS), ndots }
}
