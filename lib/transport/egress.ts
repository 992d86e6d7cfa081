import type { BackendConfig } from '../config/config.ts'

/** How connections to a server are opened: options of TLS, and a proxy. */
export type Egress = Partial<Pick<BackendConfig, 'tls' | 'proxy'>>

/** Origin and egress of a server: backends with the same key share its connections. */
export function serverKey({ url, tls, proxy }: Egress & Pick<BackendConfig, 'url'>): string {
  const { origin } = new URL(url)
  return tls === undefined && proxy === undefined ? origin : JSON.stringify([origin, tls ?? null, proxy ?? null])
}
