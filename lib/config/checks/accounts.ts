import type { JsonObject } from '../../base/json.ts'
import { sha256 } from '../../base/sha256.ts'
import { suggestion } from '../../text/nearest.ts'
import type { ModelNames } from './model-names.ts'
import { checkReferences } from './models.ts'
import { checkRequestLimits, checkWindow } from './request-limits.ts'
import { object, objects, type Report, text, texts, Unique } from './view.ts'

/** `doubt`: reports probable mistakes, with which a gateway can run. */
export function checkAccounts(file: JsonObject, models: ModelNames, report: Report, doubt: Report): void {
  const plans = object(file, 'plans')
  for (const name of Object.keys(plans)) checkPlan(object(plans, name), `plans.${name}`, models, report)

  const hosts = new Set(objects(file, 'endpoints').flatMap(({ value }) => text(value, 'host')?.toLowerCase() ?? []))
  const ids = new Unique(report)
  const keys: KeyChecks = { models, ids: new Unique(report), secrets: new Unique(report), hosts, report, doubt }
  for (const { path, value: account } of objects(file, 'accounts')) {
    ids.claim(text(account, 'id')?.toLowerCase(), `${path}.id`, first => `is the id of ${first} already`)
    const plan = text(account, 'plan')
    if (plan !== undefined && !Object.hasOwn(plans, plan)) {
      report(`${path}.plan`, `there is no plan '${plan}'${suggestion(plan, Object.keys(plans))}`)
    }
    checkModels(account, path, models, report)
    checkZdr(account, path, models, doubt)
    const members = checkMembers(account, path, report)
    for (const { path: at, value: key } of objects(account, 'keys', path)) checkKey(key, at, members, keys)
  }
}

function checkPlan(plan: JsonObject, path: string, models: ModelNames, report: Report): void {
  checkWindow(object(plan, 'requests'), `${path}.requests`, report)
  checkLimits(plan, path, models, report)
  if (plan.concurrency !== undefined && object(plan, 'limits').concurrency !== undefined) {
    report(`${path}.limits.concurrency`, `is the same limit as ${path}.concurrency: give one of them`)
  }
}

/** `holder`: a plan or a key. */
function checkLimits(holder: JsonObject, path: string, models: ModelNames, report: Report): void {
  const limits = object(holder, 'limits')
  checkRequestLimits(limits, `${path}.limits`, report)
  const names = Object.keys(object(limits, 'models')).map(value => ({ path: `${path}.limits.models.${value}`, value }))
  checkReferences(names, models, report)
  const unique = new Unique(report)
  for (const { path: at, value } of names)
    unique.claim(models.idOf(value), at, first => `is the same model as ${first}: give one of them`)
}

function checkModels(account: JsonObject, path: string, models: ModelNames, report: Report): void {
  const entitled = texts(account, 'models', path).filter(({ value }) => value !== '*')
  checkReferences(entitled, models, report)
}

/** Reports an account that requires zero data retention and has no model with it: all its requests would be refused. */
function checkZdr(account: JsonObject, path: string, models: ModelNames, report: Report): void {
  if (account.zdr_required !== true || models.isEmpty) return
  const entitled = account.models === undefined ? ['*'] : texts(account, 'models').map(({ value }) => value)
  if (models.hasZdr(entitled)) return
  report(`${path}.zdr_required`, 'none of the models of this account has a backend with zdr: true')
}

/** Reports repeated users. Returns the users. */
function checkMembers(account: JsonObject, path: string, report: Report): ReadonlySet<string> {
  const unique = new Unique(report)
  const users = new Set<string>()
  for (const { path: at, value: member } of objects(account, 'members', path)) {
    const user = text(member, 'user')
    unique.claim(user, `${at}.user`, first => `is the user of ${first} already`)
    if (user !== undefined) users.add(user)
  }
  return users
}

interface KeyChecks {
  readonly models: ModelNames
  readonly ids: Unique
  readonly secrets: Unique
  /** Hosts of dedicated endpoints, in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly report: Report
  readonly doubt: Report
}

function checkKey(key: JsonObject, path: string, members: ReadonlySet<string>, checks: KeyChecks): void {
  const { models, ids, secrets, hosts, report, doubt } = checks
  checkLimits(key, path, models, report)
  ids.claim(text(key, 'id'), `${path}.id`, first => `is the id of ${first} already`)

  const secret = text(key, 'secret')
  if (key.secret !== undefined && key.sha256 !== undefined) report(path, 'has both secret and sha256: give one of them')
  if (key.secret === undefined && key.sha256 === undefined) report(path, 'needs secret or sha256')
  const digest = text(key, 'sha256')?.toLowerCase() ?? (secret === undefined ? undefined : sha256(secret))
  secrets.claim(digest, path, first => `is the same key as ${first}`)

  const user = text(key, 'user')
  if (user !== undefined && !members.has(user)) {
    const remedy = suggestion(user, members) || ': add the user to its members'
    // An account without a list of members may intend the users of its keys as its members.
    const reportUser = members.size > 0 ? report : doubt
    reportUser(`${path}.user`, `'${user}' is not a member of this account${remedy}`)
  }
  for (const { path: at, value: host } of texts(key, 'endpoints', path)) {
    if (!hosts.has(host.toLowerCase())) report(at, `there is no endpoint '${host}'${suggestion(host, hosts)}`)
  }
}
