/** The page that finds any id of the operators' pages: each kind by a lookup that is bounded. */
import { isUuid } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { sha256 } from '../../base/sha256.ts'
import { GatewayError } from '../../errors/errors.ts'
import { keyName } from '../../pages/actions.ts'
import { type FindResult, findPage, isSecretLike, pagesNamed } from '../../pages/find.ts'
import { html } from '../../pages/html.ts'
import { MAX_FIND_LENGTH } from '../../pages/shell.ts'
import { keyPath, tabPath } from './account-tabs.ts'
import { filled } from './form.ts'
import { SESSION_DAYS, sessionHref } from './links.ts'
import { FIND_PATH, linksOf, type PageReply, type PageRequest, type PageRoute } from './page.ts'
import { backendPath } from './paths.ts'
import { requestsHref } from './text.ts'

/** Maximum number of results of a kind. */
const MAX_RESULTS = 10
/** Shorter parts of names match too much. */
const MIN_PART_LENGTH = 3
const DAY_MS = 86_400_000

const TAKES = html`The search takes the name of a page; the id of a request, as any client saw it; the id of a key, or its beginning; the id or the name of an account; a model; the address of a backend; the id of a batch; a session.`

export const findRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: FIND_PATH,
    async handle(request) {
      const text = filled(request.query, 'q') ?? ''
      if (isSecret(request, text)) return { to: `${FIND_PATH}?secret=1` }
      if (text === '') return reply('', [], request.query.has('secret'))
      if (text.length > MAX_FIND_LENGTH) return reply(`${text.slice(0, 40)}…`, [])
      const results = await resultsOf(request, text)
      return results.length === 1 ? { to: results[0]!.href } : reply(text, results)
    },
  },
]

function reply(text: string, results: readonly FindResult[], isSecret = false): PageReply {
  const body = findPage({ findPath: FIND_PATH, isSecret, text, results, takes: TAKES })
  return { title: 'Find', path: FIND_PATH, body, status: text !== '' && results.length === 0 ? 404 : 200 }
}

/** Keys of the file may have secrets of any form. */
function isSecret({ config }: PageRequest, text: string): boolean {
  if (isSecretLike(text)) return true
  const digest = sha256(text)
  return config.accounts.some(({ keys }) => keys.some(key => key.sha256 === digest))
}

/** Results by an id are preferred to those by a part of a name. */
async function resultsOf(request: PageRequest, text: string): Promise<readonly FindResult[]> {
  const pages = pagesNamed(linksOf(request.visitor), text)
  const exact = await Promise.all([
    requestsWith(request, text),
    accountWith(request, text),
    keysWith(request, text),
    batchWith(request, text),
    sessionOf(request, text),
  ])
  const found = [...pages, ...exact.flat()]
  const named = await Promise.all([modelsNamed(request, text), backendsAt(request, text)])
  found.push(...named.flat())
  return found.length > 0 ? found : accountsNamed(request, text)
}

/** undefined: the operation refuses the id, or finds nothing. */
async function found(reply: Promise<JsonObject>): Promise<JsonObject | undefined> {
  try {
    return await reply
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.status < 500) return undefined
    throw thrown
  }
}

async function requestsWith({ call }: PageRequest, text: string): Promise<FindResult[]> {
  if (!isUuid(text) && !/^(req_)?[0-9a-f]{12}$/i.test(text) && !text.startsWith('client_')) return []
  const request = await found(call('request', { params: { id: text } }))
  return request === undefined ? [] : [{ kind: 'request', name: text, href: `/requests/${encodeURIComponent(text)}` }]
}

async function accountWith({ call }: PageRequest, text: string): Promise<FindResult[]> {
  const account = await found(call('account', { params: { id: text } }))
  return account === undefined ? [] : [accountResult(account)]
}

function accountResult({ id, name }: JsonObject): FindResult {
  return { kind: 'account', name: String(name), href: tabPath(id, 'Overview') }
}

async function accountsNamed({ call }: PageRequest, text: string): Promise<FindResult[]> {
  const reply = await found(call('list-accounts', { query: { name: text, limit: String(MAX_RESULTS) } }))
  const accounts = (reply?.accounts ?? []) as JsonObject[]
  const same = accounts.filter(({ name }) => String(name).toLowerCase() === text.toLowerCase())
  return (same.length > 0 ? same : accounts).map(accountResult)
}

async function keysWith({ call }: PageRequest, text: string): Promise<FindResult[]> {
  const reply = await found(call('find-keys', { query: { id: text } }))
  const keys = (reply?.keys ?? []) as JsonObject[]
  const same = keys.filter(({ id }) => id === text)
  return (same.length > 0 ? same : keys).map(({ id, label, account_id: account }) => ({
    kind: 'key',
    name: keyName({ id: String(id), label: typeof label === 'string' ? label : null }),
    href: keyPath(account, String(id)),
  }))
}

async function batchWith({ call }: PageRequest, text: string): Promise<FindResult[]> {
  if (!/^(msg)?batch_[0-9a-f]{24}$/.test(text)) return []
  const batch = await found(call('batch', { params: { id: text } }))
  return batch === undefined ? [] : [{ kind: 'batch', name: text, href: requestsHref({ batch: text }) }]
}

/** A search that has not ended is a result too: the list continues it. */
async function sessionOf({ call, now }: PageRequest, text: string): Promise<FindResult[]> {
  if (!/^[0-9a-f]{16}$/.test(text)) return []
  const from = new Date(now / 1000 - SESSION_DAYS * DAY_MS).toISOString()
  const reply = await call('requests', { query: { session: text, from, limit: '1' } })
  if ((reply.requests as JsonObject[]).length === 0 && reply.has_more !== true) return []
  return [{ kind: 'session', name: text, href: sessionHref(text) }]
}

async function modelsNamed({ call }: PageRequest, text: string): Promise<FindResult[]> {
  const models = (await call('list-models')).models as JsonObject[]
  const wanted = text.toLowerCase()
  const aliasesOf = ({ model }: JsonObject) => ((model as JsonObject).aliases ?? []) as readonly string[]
  const same = models.filter(one => one.id === text || aliasesOf(one).includes(text))
  const part = text.length < MIN_PART_LENGTH ? [] : models.filter(({ id }) => String(id).toLowerCase().includes(wanted))
  return (same.length > 0 ? same : part).slice(0, MAX_RESULTS).map(({ id }) => ({
    kind: 'model',
    name: String(id),
    href: `/models/${encodeURIComponent(String(id))}`,
  }))
}

async function backendsAt({ call }: PageRequest, text: string): Promise<FindResult[]> {
  if (!/[:./]/.test(text) || text.length < MIN_PART_LENGTH) return []
  const backends = (await call('backends')).backends as JsonObject[]
  const same = backends.filter(({ url }) => url === text)
  const part = backends.filter(({ url }) => String(url).includes(text))
  return (same.length > 0 ? same : part).slice(0, MAX_RESULTS).map(({ url, model }) => ({
    kind: 'backend',
    name: `${String(url)} of ${String(model)}`,
    href: backendPath(String(model), String(url)),
  }))
}
