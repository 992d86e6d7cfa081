/** Entries that discover backends or models, as the gateway uses them. */
import type { BackendOptions, DiscoveryConfig, DnsSourceConfig, ModelSourceConfig, SourceConfig } from './config.ts'
import type { Backend, ModelDiscovery } from './generated/file.ts'

const EVERY_SECONDS = 5
type DnsMembers = Pick<Backend, 'name' | 'type' | 'servers' | 'scheme' | 'base_path' | 'port'>

const PORTS = { http: 80, https: 443 } as const

/** undefined: the entry is a backend with a URL. `path` makes a path absolute. */
export function toDiscovery(
  file: Backend,
  backend: BackendOptions,
  path: (name: string) => string,
): DiscoveryConfig | undefined {
  const { every_seconds: everySeconds = EVERY_SECONDS } = file
  // checks/models.ts ensures that `name` or `path` is set.
  if (file.discover === 'dns') return { source: toDnsSource(file), everySeconds, backend }
  if (file.discover === 'file') {
    return { source: { discover: 'file', path: path(file.path ?? ''), ...urlParts(file) }, everySeconds, backend }
  }
  return undefined
}

/** `backend`: how each server is reached. */
export function toModelSource(
  { discover, allow, defaults }: ModelDiscovery,
  backend: BackendOptions,
): ModelSourceConfig {
  const { url, dns, every_seconds: everySeconds } = discover
  // checks/model-sources.ts ensures that one of them is set.
  const source = url?.replace(/\/+$/, '') ?? toDnsSource(dns!)
  const { api_key, headers, tls, proxy } = backend
  return {
    key: JSON.stringify([source, api_key, headers, tls, proxy]),
    name: typeof source === 'string' ? source : sourceName(source),
    source,
    everySeconds,
    allow,
    isProbed: (defaults.kind ?? 'chat') === 'chat' && defaults.capabilities === undefined,
    backend,
  }
}

function toDnsSource(file: DnsMembers): DnsSourceConfig {
  const { name = '', type = 'A', servers } = file
  return { discover: 'dns', name, type, servers, ...urlParts(file) }
}

function urlParts({ scheme = 'http', base_path: basePath = '/v1', port = PORTS[scheme] }: DnsMembers) {
  return { scheme, basePath: basePath.replace(/\/+$/, ''), port }
}

/** The name of a source in logs, metrics and lists: `dns A vllm.default.svc`, `file /etc/targets.yaml`. */
export function sourceName(source: SourceConfig): string {
  return source.discover === 'dns' ? `dns ${source.type} ${source.name}` : `file ${source.path}`
}
