import { CONFIRMED, keyName, MAX_OWN_KEYS } from '../../../lib/console.ts'
import { definePlugin, fail } from '../../../lib/plugin.ts'
import { firstCall, gatewayOrigin } from '../first-call.ts'
import { readForm } from '../form.ts'
import { modelsOf } from '../models.ts'
import { replySeeOther } from '../page.ts'
import { isOwnForm, requireVisitor, STALE_FORM } from '../sign-in.ts'
import { keyFieldsOf } from './fields.ts'
import { GRACES, issuedPage } from './key-page.ts'
import {
  ownKey,
  PATH,
  type PageContext,
  type Question,
  reply,
  replyKey,
  replyList,
  replyQuestion,
  revokedNote,
} from './replies.ts'

const NOT_CHANGED = 'Nothing was changed.'

const REVOKES: Question = {
  asks: 'Revoke key',
  button: 'Revoke',
  text: 'The key never works again, from now on. You cannot undo this: to refuse it for a time, disable it.',
}
const ROTATES: Question = {
  asks: 'Make a new secret for key',
  button: 'Make a new secret',
  text: 'The current secret is refused from now on. You cannot undo this.',
}

const NOT_CREATED = {
  unknown: { status: 404, note: { field: 'account', text: 'You cannot create keys of that account.' } },
  models: { status: 422, note: 'That account may not use all of these models.' },
  repeated: {
    status: 409,
    note: 'This form has created its key already. Its secret was shown then. Send it again to create another.',
  },
  too_many: { status: 409, note: `You have ${MAX_OWN_KEYS} keys of that account: revoke one first.` },
} as const

export default definePlugin({
  name: 'console-keys',
  summary: "The console's pages of keys: shows, creates, changes, rotates and revokes those of the user.",
  routes: { route: ['console-keys', 'console-key-create', 'console-key', 'console-key-change'] },

  setup: (_options, services) => ({
    async onHeaders(exchange) {
      const visitor = await requireVisitor(services, exchange)
      if (visitor === undefined) return
      const context = { services, exchange, visitor }
      if (exchange.route.name === 'console-keys') return replyList(context, 200, revokedNote(exchange.query))
      if (exchange.route.name === 'console-key') return replyKey(context, 200, null)
      const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
      return exchange.route.name === 'console-key-create' ? create(context, form) : act(context, form)
    },
  }),
})

async function create(context: PageContext, form: URLSearchParams): Promise<void> {
  const { services, exchange, visitor } = context
  if (!isOwnForm(visitor, form)) return replyList(context, 403, STALE_FORM, form)
  const fields = keyFieldsOf(form, services.clock.now())
  if ('field' in fields) return replyList(context, 422, fields, form)
  const key = { ...fields, account: form.get('account') ?? '', nonce: form.get('nonce') ?? '' }
  const issued = await services.ownKeys.create(visitor.user, key)
  // Sent again, the form creates another key.
  if (issued === 'repeated') form.delete('nonce')
  if (typeof issued === 'string') return replyList(context, NOT_CREATED[issued].status, NOT_CREATED[issued].note, form)
  const model = modelsOf(services, [issued.account], 'chat').find(id => fields.models?.includes(id) ?? true)
  const origin = gatewayOrigin(services.config, exchange)
  const examples = model === undefined ? null : firstCall({ origin, secret: issued.secret, model })
  reply(context, { title: 'Your new key', body: issuedPage(issued, examples), script: 'copy.js' })
}

async function act(context: PageContext, form: URLSearchParams): Promise<void> {
  const { services, exchange, visitor } = context
  if (!isOwnForm(visitor, form)) return replyKey(context, 403, STALE_FORM)
  const { ownKeys, clock } = services
  const { user } = visitor
  const id = exchange.params.key_id!
  const finish = (isDone: boolean, note: string) =>
    isDone ? replySeeOther(exchange, `${PATH}/${id}?done=${note}`) : replyKey(context, 409, NOT_CHANGED)
  switch (form.get('action')) {
    case 'change': {
      const fields = keyFieldsOf(form, clock.now())
      if ('field' in fields) return replyKey(context, 422, fields, form)
      return finish(await ownKeys.change(user, id, fields), 'changed')
    }
    case 'disable':
      return finish(await ownKeys.change(user, id, { disabled: true }), 'disabled')
    case 'enable':
      return finish(await ownKeys.change(user, id, { disabled: false }), 'enabled')
    case 'revoke':
      return revoke(context, id, form)
    case 'rotate':
      return rotate(context, id, form)
    default:
      fail('http_400', { problem: "'action' names nothing that can be done to a key." })
  }
}

async function revoke(context: PageContext, id: string, form: URLSearchParams): Promise<void> {
  const key = await ownKey(context)
  if (key === undefined) return replyKey(context, 404, null)
  if (!form.has(CONFIRMED)) return replyQuestion(context, key, form, REVOKES)
  const { services, visitor, exchange } = context
  if (!(await services.ownKeys.revoke(visitor.user, id))) return replyKey(context, 409, NOT_CHANGED)
  replySeeOther(exchange, `${PATH}?${new URLSearchParams({ revoked: keyName(key) }).toString()}`)
}

async function rotate(context: PageContext, id: string, form: URLSearchParams): Promise<void> {
  const grace = GRACES.find(([seconds]) => String(seconds) === form.get('grace'))?.[0] ?? 0
  const key = await ownKey(context)
  if (key !== undefined && grace === 0 && !form.has(CONFIRMED)) return replyQuestion(context, key, form, ROTATES)
  const previous = form.get('previous') ?? ''
  const { ownKeys } = context.services
  const issued = await ownKeys.rotate(context.visitor.user, id, grace, previous === '' ? undefined : Number(previous))
  if (issued === undefined) return replyKey(context, 409, 'The key has a newer secret already, which was shown then.')
  reply(context, { title: 'Your new secret', body: issuedPage(issued, null), script: 'copy.js' })
}
