import type { JsonObject } from '../../base/json.ts'
import { object, type Report, text } from './view.ts'

/** Kinds of models by the price of their unit. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  per_million_characters: ['speech', 'moderation'],
  per_image: ['image'],
  per_minute: ['transcription'],
}

/** Refuses a price that is never charged, or half of a pair. */
export function checkPricing(model: JsonObject, path: string, report: Report): void {
  const pricing = object(model, 'pricing')
  const has = (name: string) => pricing[name] !== undefined
  for (const [one, other] of [
    ['input', 'output'],
    ['output', 'input'],
    ['cached_input', 'input'],
  ] as const) {
    if (has(one) && !has(other)) report(`${path}.pricing.${other}`, `is required, because there is '${one}'`)
  }
  const kind = text(model, 'kind') ?? 'chat'
  for (const [name, kinds] of Object.entries(KINDS)) {
    if (has(name) && !kinds.includes(kind))
      report(`${path}.pricing.${name}`, `is for models of kind ${kinds.join(' or ')}, and this one is of kind ${kind}`)
  }
}
