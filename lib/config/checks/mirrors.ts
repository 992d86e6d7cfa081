/** Checks on mirrors: the other model takes the same requests. */
import { suggestion } from '../../text/nearest.ts'
import type { ModelConfig } from '../config.ts'
import type { Report } from './view.ts'

export function checkMirrors(models: readonly ModelConfig[], report: Report): void {
  const byId = new Map(models.map(model => [model.id, model]))
  for (const [i, { id, kind, mirror }] of models.entries()) {
    if (mirror === undefined) continue
    const path = `models.${i}.mirror`
    const to = byId.get(mirror.to)
    if (kind !== 'chat') report(path, 'only requests to a model of kind chat can be mirrored')
    else if (to === undefined)
      report(`${path}.to`, `there is no model '${mirror.to}'${suggestion(mirror.to, byId.keys())}`)
    else if (to.id === id) report(`${path}.to`, 'is the model itself')
    else if (to.kind !== kind) report(`${path}.to`, `is of another kind: '${to.kind}'`)
  }
}
