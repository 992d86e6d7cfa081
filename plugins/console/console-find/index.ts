import {
  type FindResult,
  fileOwner,
  findPage,
  isSecretLike,
  keyName,
  MAX_FIND_LENGTH,
  pagesNamed,
} from '../../../lib/console.ts'
import { definePlugin, type Services } from '../../../lib/plugin.ts'
import { ownRequest } from '../own-requests.ts'
import { FIND_PATH, linksOf, replyPage, replySeeOther } from '../page.ts'
import { batchAccounts, requireVisitor } from '../sign-in.ts'
import { type Visitor, visitorKey } from '../visitor.ts'

const BATCH_ID = /^(msg)?batch_[0-9a-f]{24}$/
/** Shorter beginnings of ids match too much. */
const MIN_PREFIX_LENGTH = 5
const MAX_KEYS = 10

const TAKES =
  'It takes the name of a page, the id of one of your requests, the id or the label of one of your keys, or the id of one of your batches.'

export default definePlugin({
  name: 'console-find',
  summary: "The console's search: opens a page by its name, and the user's own requests, keys and batches by an id.",
  routes: { route: ['console-find'] },

  setup: (_options, services) => ({
    async onHeaders(exchange) {
      const visitor = await requireVisitor(services, exchange)
      if (visitor === undefined) return
      const query = new URLSearchParams(exchange.query)
      const text = query.get('q')?.trim() ?? ''
      // Redirects, so that the address does not keep the secret.
      if (isSecretLike(text) || services.keys.find(text) !== undefined)
        return replySeeOther(exchange, `${FIND_PATH}?secret=1`)
      const isShort = text !== '' && text.length <= MAX_FIND_LENGTH
      const results = isShort ? await resultsOf(services, visitor, text) : []
      if (results.length === 1) return replySeeOther(exchange, results[0]!.href)
      const shown = text.slice(0, MAX_FIND_LENGTH)
      const isSecret = query.has('secret')
      const body = findPage({ findPath: FIND_PATH, isSecret, text: shown, results, takes: TAKES })
      const status = text !== '' && results.length === 0 ? 404 : 200
      replyPage(exchange, visitor, { title: 'Find', body, path: FIND_PATH }, status)
    },
  }),
})

async function resultsOf(services: Services, visitor: Visitor, text: string): Promise<readonly FindResult[]> {
  const results = await Promise.all([
    pagesNamed(linksOf(visitor), text),
    requestsWith(services, visitor, text),
    keysWith(services, visitor, text),
    batchesWith(services, visitor, text),
  ])
  return results.flat()
}

async function requestsWith(services: Services, visitor: Visitor, text: string): Promise<FindResult[]> {
  const found = await ownRequest(services, visitor, text)
  if (found === undefined) return []
  return [{ kind: 'request', name: text, href: `/console/requests/${encodeURIComponent(text)}` }]
}

async function keysWith({ ownKeys, keys: ring }: Services, { user }: Visitor, text: string): Promise<FindResult[]> {
  const label = text.toLowerCase()
  const own = await ownKeys.list(user)
  const same = own.filter(key => key.id === text || key.label?.toLowerCase() === label)
  const begun = text.length < MIN_PREFIX_LENGTH ? [] : own.filter(({ id }) => id.startsWith(text))
  const found = (same.length > 0 ? same : begun).slice(0, MAX_KEYS).map(key => {
    return { kind: 'key', name: keyName(key), href: `/console/keys/${key.id}` }
  })
  // Keys of the configuration have no page, only the list.
  const configured = ring.ofUser(user).filter(({ id, isStored }) => !isStored && id === text)
  return [...found, ...configured.map(({ id }) => ({ kind: 'key', name: id, href: '/console/keys' }))]
}

async function batchesWith(services: Services, visitor: Visitor, text: string): Promise<FindResult[]> {
  const { batches } = services
  if (batches === null || !BATCH_ID.test(text)) return []
  for (const account of await batchAccounts(services, visitor)) {
    const owner = fileOwner(visitorKey(visitor, account))!
    const batch = await batches.find(owner, text.startsWith('msg') ? 'anthropic' : 'openai', text)
    if (batch !== undefined)
      return [{ kind: 'batch', name: text, href: `/console/batches/${text}?account=${account.id}` }]
  }
  return []
}
