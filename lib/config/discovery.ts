/** Entries of `backends` that say where to look for backends, as the gateway uses them. */
import type { BackendOptions, DiscoveryConfig, SourceConfig } from './config.ts'
import type { Backend } from './generated/file.ts'

const EVERY_SECONDS = 5
const PORTS = { http: 80, https: 443 } as const

/** undefined: the entry is a backend with a URL of its own. `path` makes a path absolute. */
export function toDiscovery(
  file: Backend,
  backend: BackendOptions,
  path: (name: string) => string,
): DiscoveryConfig | undefined {
  const { scheme = 'http', base_path: basePath = '/v1', every_seconds: everySeconds = EVERY_SECONDS } = file
  const parts = { scheme, basePath: basePath.replace(/\/+$/, ''), port: file.port ?? PORTS[scheme] }
  // checks/discovery.ts: name and path are there.
  if (file.discover === 'dns') {
    const { name = '', type = 'A', servers } = file
    return { source: { discover: 'dns', name, type, servers, ...parts }, everySeconds, backend }
  }
  if (file.discover === 'file') {
    return { source: { discover: 'file', path: path(file.path ?? ''), ...parts }, everySeconds, backend }
  }
  return undefined
}

/** In words of the file, for logs, metrics and lists: `dns A vllm.default.svc`, `file /etc/targets.yaml`. */
export function sourceName(source: SourceConfig): string {
  return source.discover === 'dns' ? `dns ${source.type} ${source.name}` : `file ${source.path}`
}
