/** Checks on the fallbacks and the mirror of a model: the other model must serve the same requests. */

import { suggestion } from '../../text/nearest.ts'
import { backendOptions, type ModelConfig } from '../config.ts'
import type { ModelNames } from './model-names.ts'
import type { Report } from './view.ts'

export function checkFallbacks(models: readonly ModelConfig[], report: Report): void {
  const byId = new Map(models.map(model => [model.id, model]))
  for (const [i, model] of models.entries()) {
    for (const [n, id] of model.fallback.entries()) {
      const other = byId.get(id)
      const problem = other === undefined ? undefined : mismatch(model, other)
      if (problem !== undefined) report(`models.${i}.fallback.${n}`, problem)
    }
  }
}

/** Why the other model cannot serve every request for this one; undefined: it can. */
function mismatch(model: ModelConfig, other: ModelConfig): string | undefined {
  if (other.id === model.id) return 'is the model itself'
  if (other.kind !== model.kind) return `is of another kind: '${other.kind}'`
  if (other.sampling !== model.sampling) return `differs in sampling: '${other.sampling}'`
  const { reasoning } = model.capabilities
  if (other.capabilities.reasoning !== reasoning) return `differs in capabilities.reasoning: not ${reasoning}`
  const unknown = model.passthrough.find(name => !other.passthrough.includes(name))
  if (unknown !== undefined) return `lacks passthrough of this model: ${unknown}`
  const lacks = [false, true].flatMap(zdr => {
    if (zdr && !(hasZdr(model) && hasZdr(other))) return []
    const ofOther = flags(other, zdr)
    return Object.entries(flags(model, zdr)).filter(([name, able]) => able && !ofOther[name])
  })
  if (lacks.length === 0) return undefined
  const names = [...new Set(lacks.map(([name]) => name))].join(', ')
  return `lacks capabilities of this model: ${names}; set them to false in capabilities of this one, or to true in that one's`
}

function flags({ capabilities }: ModelConfig, zdr: boolean): Readonly<Record<string, boolean>> {
  const { vision, tools, chat_completions, messages } = capabilities
  const { tools: chatTools, ...chat } = { ...chat_completions, ...(zdr ? capabilities.zdr : {}) }
  return { ...chat, vision, tools, 'chat_completions.tools': chatTools, 'messages.vision': messages.vision }
}

function hasZdr(model: ModelConfig): boolean {
  return backendOptions(model).some(({ zdr }) => zdr)
}

/** `names`: also of models that may be found later. */
export function checkMirrors(models: readonly ModelConfig[], names: ModelNames, report: Report): void {
  const byId = new Map(models.map(model => [model.id, model]))
  for (const [i, { id, kind, mirror }] of models.entries()) {
    if (mirror === undefined) continue
    const path = `models.${i}.mirror`
    const to = byId.get(mirror.to)
    if (kind !== 'chat') report(path, 'only requests to a model of kind chat can be mirrored')
    else if (to === undefined) {
      if (!names.has(mirror.to))
        report(`${path}.to`, `there is no model '${mirror.to}'${suggestion(mirror.to, byId.keys())}`)
    } else if (to.id === id) report(`${path}.to`, 'is the model itself')
    else if (to.kind !== kind) report(`${path}.to`, `is of another kind: '${to.kind}'`)
  }
}
