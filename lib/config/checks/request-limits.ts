import type { JsonObject } from '../../base/json.ts'
import { windowMilliseconds } from '../config.ts'
import { object, objects, type Report, text, Unique } from './view.ts'

/** Checks `limits` of a plan or a key, apart from the names of models. `path`: that of the block. */
export function checkRequestLimits(limits: JsonObject, path: string, report: Report): void {
  const endUser = object(limits, 'end_user')
  const models = object(limits, 'models')
  checkBudgets(limits, path, report)
  checkBudgets(endUser, `${path}.end_user`, report)
  for (const name of Object.keys(models)) checkBudgets(object(models, name), `${path}.models.${name}`, report)
  if (endUser.from === 'header' && endUser.header === undefined)
    report(`${path}.end_user.header`, 'is required with from: header')
  if (endUser.from === 'user' && endUser.header !== undefined)
    report(`${path}.end_user.header`, 'has no meaning with from: user')
}

function checkBudgets(block: JsonObject, path: string, report: Report): void {
  const at = `${path}.budget_cents`
  checkWindow(object(block, 'budget_cents'), at, report)
  const unique = new Unique(report)
  for (const { path: one, value } of objects(block, 'budget_cents', path)) {
    checkWindow(value, one, report)
    const ms = windowMilliseconds(text(value, 'window') ?? '')
    unique.claim(ms === undefined ? undefined : String(ms), `${one}.window`, first => `is as long as ${first}`)
  }
}

/** Checks the member `window` of a block. */
export function checkWindow(block: JsonObject, path: string, report: Report): void {
  const window = text(block, 'window')
  if (window !== undefined && windowMilliseconds(window) === undefined) {
    report(`${path}.window`, 'must be a number and m, h or d, such as 1h, 1d or 7d, and at most a year')
  }
}
