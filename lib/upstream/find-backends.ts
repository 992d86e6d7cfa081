import { suggestion } from '../base/nearest.ts'
import type { ModelConfig } from '../config/config.ts'
import { addressOf } from './drain.ts'

/** The models with a backend at an address. */
export interface FoundBackends {
  /** Without credentials. */
  readonly url: string
  readonly models: readonly string[]
}

/**
 * The backends of the configuration that an operator means: by base URL, or by what comes before its path, with or without a
 * scheme. A sentence where there are none, or at several addresses.
 */
export function findBackends(models: readonly ModelConfig[], wanted: string, model?: string): FoundBackends | string {
  if (model !== undefined && !models.some(({ id }) => id === model))
    return `there is no model '${model}'${suggestion(
      model,
      models.map(({ id }) => id),
    )}`
  const all = models
    .filter(({ id }) => model === undefined || id === model)
    .flatMap(({ id, backends }) => backends.map(({ url }) => ({ model: id, url: addressOf(url) })))
  const text = wanted.replace(/\/+$/, '')
  const found = all.filter(({ url }) => {
    const { origin, host } = new URL(url)
    return url === text || origin === text || host === text || url.slice(url.indexOf('//') + 2) === text
  })
  const addresses = [...new Set(found.map(({ url }) => url))]
  const [address] = addresses
  if (address === undefined) {
    const known = [...new Set(all.map(({ url }) => url))]
    return `there is no backend ${wanted}${model === undefined ? '' : ` of model '${model}'`}: there ${
      known.length === 1 ? 'is' : 'are'
    } ${known.slice(0, 10).join(', ')}`
  }
  if (addresses.length > 1) return `several backends are at ${wanted}: name one of ${addresses.join(', ')}`
  return { url: address, models: [...new Set(found.map(found => found.model))] }
}
