import { suggestion } from '../base/nearest.ts'
import type { BackendConfig, ModelConfig, SourceConfig } from '../config/config.ts'

/**
 * Why a backend is sent no new requests: `drain` or a `weight` of 0 in the file, the command, or a reload that has removed it.
 */
export type DrainReason = 'file' | 'weight' | 'operator' | 'removed'

/** Backends that an operator drains: those at this address, of one model or, without it, of every model. */
export interface Drained {
  readonly url: string
  readonly model?: string | undefined
}

/** Whether one backend is sent new requests. */
export class Drain {
  byOperator = false
  /** The configuration no longer names the backend. */
  removed = false

  /** null: it may be sent requests. */
  reason({ drain, weight }: BackendConfig): DrainReason | null {
    if (this.removed) return 'removed'
    if (this.byOperator) return 'operator'
    if (drain) return 'file'
    return weight > 0 ? null : 'weight'
  }
}

/** Whether one of these is the backend of this model at this address. */
export function isDrained(drained: readonly Drained[], model: string, address: string): boolean {
  return drained.some(one => (one.model ?? model) === model && addressOf(one.url) === address)
}

/** A base URL without credentials, query and slashes at its end. */
export function addressOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/+$/, '')
}

/** The models with a backend at an address. */
export interface FoundBackends {
  /** Without credentials. */
  readonly url: string
  readonly models: readonly string[]
}

/**
 * The backends of the configuration that an operator means: by base URL, or by what comes before its path, with or without a
 * scheme. A backend that may be discovered is one, too: those are not in the file. A sentence where there are none, or at
 * several addresses.
 */
export function findBackends(models: readonly ModelConfig[], wanted: string, model?: string): FoundBackends | string {
  if (model !== undefined && !models.some(({ id }) => id === model))
    return `there is no model '${model}'${suggestion(
      model,
      models.map(({ id }) => id),
    )}`
  const text = wanted.replace(/\/+$/, '')
  const asked = models.filter(({ id }) => model === undefined || id === model)
  const all = asked.flatMap(({ id, backends }) => backends.map(({ url }) => ({ model: id, url: addressOf(url) })))
  const discovered = asked.flatMap(({ id, discover }) =>
    discover.flatMap(({ source }) => {
      const url = discoverable(source, text)
      return url === undefined ? [] : [{ model: id, url }]
    }),
  )
  const found = [...all, ...discovered].filter(({ url }) => {
    const { origin, host } = new URL(url)
    return url === text || origin === text || host === text || url.slice(url.indexOf('//') + 2) === text
  })
  const addresses = [...new Set(found.map(({ url }) => url))]
  const [address] = addresses
  if (address === undefined) {
    const known = [...new Set(all.map(({ url }) => url))]
    if (known.length === 0) return `there is no backend ${wanted}: none is in the file, and discovery cannot find it`
    return `there is no backend ${wanted}${model === undefined ? '' : ` of model '${model}'`}: there ${
      known.length === 1 ? 'is' : 'are'
    } ${known.slice(0, 10).join(', ')}`
  }
  if (addresses.length > 1) return `several backends are at ${wanted}: name one of ${addresses.join(', ')}`
  return { url: address, models: [...new Set(found.map(found => found.model))] }
}

/** The base URL that a source would give the backend which an operator means; undefined: it can find none such. */
function discoverable({ scheme, basePath, discover, port, ...source }: SourceConfig, text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `${scheme}://${text}`)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  const path = url.pathname.replace(/\/+$/, '')
  // A file may have whole URLs.
  if (discover === 'file' && path !== '') return url.origin + path
  if (url.protocol !== `${scheme}:` || (path !== '' && path !== basePath)) return undefined
  const isOfAddresses = 'type' in source && source.type !== 'SRV'
  if (isOfAddresses && Number(url.port || DEFAULT_PORTS[scheme]) !== port) return undefined
  return url.origin + basePath
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const
