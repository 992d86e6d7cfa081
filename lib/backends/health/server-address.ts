import type { BackendConfig } from '../../config/config.ts'
import type { BackendAddress } from '../../transport/client.ts'

/** A server, whatever the number of models that it runs, and its health route. */
export interface ServerAddress {
  /** Equal for backends on the same server whose requests have the same key and headers. */
  readonly key: string
  /** Without a path. */
  readonly address: BackendAddress
  /** Of the health route. */
  readonly path: string
}

/** The server of this backend; undefined where its profile has no health route. */
export function serverAddressOf({ url, api_key, headers, profile }: BackendConfig): ServerAddress | undefined {
  if (profile.health_path === null) return undefined
  const { origin, pathname, search } = new URL(profile.health_path, url)
  const path = pathname + search
  // A proxy in front of several servers may choose by either of them.
  const key = JSON.stringify([origin, path, api_key ?? null, Object.entries(headers).toSorted()])
  return { key, address: { url: origin, api_key, headers }, path }
}
