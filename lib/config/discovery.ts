/** Entries of `backends` that discover backends, as the gateway uses them. */
import type { BackendOptions, DiscoveryConfig, SourceConfig } from './config.ts'
import type { Backend } from './generated/file.ts'

const EVERY_SECONDS = 5
const PORTS = { http: 80, https: 443 } as const

/** undefined: the entry is a backend with a URL. `path` makes a path absolute. */
export function toDiscovery(
  file: Backend,
  backend: BackendOptions,
  path: (name: string) => string,
): DiscoveryConfig | undefined {
  const { scheme = 'http', base_path: basePath = '/v1', every_seconds: everySeconds = EVERY_SECONDS } = file
  const parts = { scheme, basePath: basePath.replace(/\/+$/, ''), port: file.port ?? PORTS[scheme] }
  // checks/models.ts ensures that `name` or `path` is set.
  if (file.discover === 'dns') {
    const { name = '', type = 'A', servers } = file
    return { source: { discover: 'dns', name, type, servers, ...parts }, everySeconds, backend }
  }
  if (file.discover === 'file') {
    return { source: { discover: 'file', path: path(file.path ?? ''), ...parts }, everySeconds, backend }
  }
  return undefined
}

/** The name of a source in logs, metrics and lists: `dns A vllm.default.svc`, `file /etc/targets.yaml`. */
export function sourceName(source: SourceConfig): string {
  return source.discover === 'dns' ? `dns ${source.type} ${source.name}` : `file ${source.path}`
}
