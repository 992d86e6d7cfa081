/** The address of Redis, parsed from `limits_store`. */
export interface RedisAddress {
  readonly mode: 'single' | 'sentinel' | 'cluster'
  /** At least one node; with Sentinel, the sentinels. */
  readonly nodes: readonly RedisNode[]
  /** Name of the master in the configuration of the sentinels; empty in other modes. */
  readonly master: string
  readonly tls: boolean
  readonly username: string | undefined
  readonly password: string | undefined
  readonly db: number
}

interface RedisNode {
  readonly host: string
  readonly port: number
}

const URL_PARTS = /^(rediss?):\/\/(?:([^/?#]*)@)?([^/?#@]+)(?:\/([0-9]*))?(?:\?([^#]*))?$/
const NODE = /^(\[[0-9a-fA-F:.]+\]|[^[\]:]+)(?::([0-9]{1,5}))?$/

/**
 * Parses `redis[s]://[user][:password@]host[:port][,host[:port]…][/db][?cluster=true | ?sentinel=MASTER]`.
 * Throws an Error with the problem but without the password.
 */
export function parseRedisUrl(url: string): RedisAddress {
  const [, scheme, userInfo, hosts, db, query] = URL_PARTS.exec(url) ?? []
  if (hosts === undefined) throw new Error('must look like redis://[:password@]host[:port][/db]')
  const options = new URLSearchParams(query)
  for (const name of options.keys()) {
    if (name !== 'cluster' && name !== 'sentinel') throw new Error(`there is no option '${name}'`)
  }
  const cluster = options.get('cluster') === 'true'
  const master = options.get('sentinel') ?? ''
  if (cluster && master !== '') throw new Error('cannot have both cluster and sentinel')
  const mode = cluster ? 'cluster' : master !== '' ? 'sentinel' : 'single'
  const nodes = hosts.split(',').map(text => nodeOf(text, mode === 'sentinel' ? 26379 : 6379))
  if (mode === 'single' && nodes.length > 1) {
    throw new Error('names several hosts: add ?cluster=true, or ?sentinel= and the name of the master')
  }
  if (cluster && Number(db ?? 0) > 0) throw new Error('a cluster has only database 0')
  const colon = userInfo?.indexOf(':') ?? -1
  const username = userInfo === undefined ? '' : colon < 0 ? userInfo : userInfo.slice(0, colon)
  return {
    mode,
    nodes,
    master,
    tls: scheme === 'rediss',
    username: username === '' ? undefined : decodeURIComponent(username),
    password: colon < 0 ? undefined : decodeURIComponent(userInfo!.slice(colon + 1)),
    db: Number(db ?? 0),
  }
}

function nodeOf(text: string, defaultPort: number): RedisNode {
  const [, host, port] = NODE.exec(text) ?? []
  if (host === undefined) throw new Error(`'${text}' is no host and port`)
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) throw new Error(`'${text}' has no valid port`)
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? defaultPort : Number(port) }
}
