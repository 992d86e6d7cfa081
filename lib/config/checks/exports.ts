import type { JsonObject } from '../../base/json.ts'
import { object, type Report } from './view.ts'

/** Members that each destination needs. The others have no effect there. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  stdout: [],
  file: ['path'],
  webhook: ['url', 'secret'],
  otlp: ['url'],
}

export function checkExports(file: JsonObject, report: Report): void {
  for (const name of ['records', 'audit']) {
    const target = object(object(file, 'export'), name)
    const needed = NEEDED[String(target.to)]
    if (needed === undefined) continue
    for (const member of needed) {
      if (target[member] === undefined) report(`export.${name}`, `to: ${String(target.to)} needs ${member}`)
    }
    for (const member of ['path', 'url', 'secret']) {
      if (target[member] !== undefined && !needed.includes(member))
        report(`export.${name}.${member}`, `has no effect with to: ${String(target.to)}`)
    }
  }
}
