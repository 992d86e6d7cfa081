/** Addresses that the schema cannot check: origins, the store, and the hosts to listen on. */
import { accessSync, constants } from 'node:fs'
import { isIP } from 'node:net'
import type { JsonObject } from '../../base/json.ts'
import { object, type Report, text, texts } from './view.ts'

export function checkAddresses(file: JsonObject, report: Report): void {
  for (const { path, value } of texts(object(file, 'cors'), 'origins', 'cors'))
    if (/^https?:/.test(value) && !URL.canParse(value)) report(path, 'must be a URL')
  for (const name of ['listen', 'admin']) {
    const host = text(object(file, name), 'host')
    if (host !== undefined && host !== '' && !isHost(host))
      report(`${name}.host`, 'must be an IP address or a host name, such as 0.0.0.0')
  }
  const problem = postgresProblem(text(file, 'store') ?? '')
  if (problem !== undefined) report('store', problem)
}

function isHost(host: string): boolean {
  if (isIP(host) !== 0) return true
  return /^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?$/.test(host) && !/^(\d+\.){3}\d+$/.test(host)
}

/** What pg 8 cannot use, or understands in another way; undefined: nothing. */
function postgresProblem(store: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(store)) return undefined
  const authority = /^[^/]*\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(store)![1]!
  const hosts = [authority, new URLSearchParams(store.split('?')[1]).get('host') ?? '']
  if (hosts.some(host => host.includes(',')))
    return 'names several hosts: name one, such as a proxy or an address that moves to the primary'
  // pg accepts a URL without a host, whose socket is the parameter `host`.
  const url = URL.parse(store.replace('@/', '@localhost/'))
  if (url === null || `${url.pathname}${url.hash}`.includes('@') || !isEncoded(url)) {
    const port = /:(\d+)$/.exec(authority)?.[1]
    if (Number(port) > 65_535) return 'has a port above 65535'
    return 'must look like postgres://user:password@host:5432/database, with a password in percent-encoding: / is %2F'
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = url.searchParams.get(name)
    if (path !== null && !isReadable(path)) return `there is no file ${path} that can be read, which ${name} names`
  }
  return undefined
}

/** pg encodes a `%` that is not followed by two digits. */
function isEncoded({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(`${username}${password}${pathname}`.replace(/%(?![0-9a-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
