import type { Config, SourceConfig } from '../config/config.ts'
import { isAllowed } from '../config/discovered-models.ts'
import { suggestion } from '../text/nearest.ts'
import { addressOf } from './backend.ts'

/** Backends that an operator has cordoned: those at this address, of one model or of all. */
export interface Cordoned {
  readonly url: string
  /** undefined: all models. */
  readonly model?: string | undefined
}

/** Whether the backend of this model at this address is among these. */
export function isCordoned(cordoned: readonly Cordoned[], model: string, address: string): boolean {
  return cordoned.some(one => (one.model ?? model) === model && addressOf(one.url) === address)
}

interface BackendMatch {
  /** Without credentials. */
  readonly url: string
  readonly models: readonly string[]
}

/** Backends at a base URL, origin or host, also discoverable ones. A sentence, if not one address matches. */
export function findBackends(
  { models, modelSources }: Pick<Config, 'models' | 'modelSources'>,
  wanted: string,
  model?: string,
): BackendMatch | string {
  const sources = modelSources.filter(source => model === undefined || isAllowed(source, model))
  if (model !== undefined && sources.length === 0 && !models.some(({ id }) => id === model))
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
  const ofSources = sources.flatMap(({ source }) => {
    const url = typeof source === 'string' ? addressOf(source) : discoverable(source, text)
    // Without a model, the drain is for all models at the address.
    return url === undefined ? [] : [{ model: model ?? '*', url }]
  })
  const found = [...all, ...discovered, ...ofSources].filter(({ url }) => {
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

/** The base URL that a source would give this backend; undefined: the source cannot find such a backend. */
function discoverable({ scheme, basePath, discover, port, ...source }: SourceConfig, text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `${scheme}://${text}`)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  const path = url.pathname.replace(/\/+$/, '')
  // A file may contain complete base URLs.
  if (discover === 'file' && path !== '') return url.origin + path
  if (url.protocol !== `${scheme}:` || (path !== '' && path !== basePath)) return undefined
  const isOfAddresses = 'type' in source && source.type !== 'SRV'
  if (isOfAddresses && Number(url.port || DEFAULT_PORTS[scheme]) !== port) return undefined
  return url.origin + basePath
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const
