import { MAX_OWN_KEYS } from '../../../lib/console.ts'
import { definePlugin, fail } from '../../../lib/plugin.ts'
import { firstCall, gatewayOrigin } from '../first-call.ts'
import { readForm } from '../form.ts'
import { modelsOf } from '../models.ts'
import { replySeeOther } from '../page.ts'
import { isOwnForm, requireVisitor, STALE_FORM } from '../sign-in.ts'
import { keyFieldsOf } from './fields.ts'
import { GRACES, issuedPage } from './key-page.ts'
import { PATH, type PageContext, reply, replyKey, replyList } from './replies.ts'

/** Notes on a page after a form was sent to it, by the value of `done` in its query. */
const NOTES: ReadonlyMap<string | null, string> = new Map([
  ['changed', 'The key is changed.'],
  ['disabled', 'The key is disabled.'],
  ['enabled', 'The key is enabled.'],
  ['revoked', 'The key is revoked: it is not accepted any more.'],
])

const NOT_CREATED = {
  unknown: { status: 404, note: 'You cannot create keys of that account.' },
  models: { status: 422, note: 'That account may not use all of these models.' },
  repeated: { status: 409, note: 'This form has created its key already. Its secret was shown then, and is not kept.' },
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
      const note = NOTES.get(new URLSearchParams(exchange.query).get('done')) ?? null
      if (exchange.route.name === 'console-keys') return replyList(context, 200, note)
      if (exchange.route.name === 'console-key') return replyKey(context, 200, note)
      const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
      return exchange.route.name === 'console-key-create' ? create(context, form) : act(context, form)
    },
  }),
})

async function create(context: PageContext, form: URLSearchParams): Promise<void> {
  const { services, exchange, visitor } = context
  if (!isOwnForm(visitor, form)) return replyList(context, 403, STALE_FORM, form)
  const fields = keyFieldsOf(form, services.clock.now())
  if (typeof fields === 'string') return replyList(context, 422, fields, form)
  const key = { ...fields, account: form.get('account') ?? '', nonce: form.get('nonce') ?? '' }
  const issued = await services.ownKeys.create(visitor.user, key)
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
  const finish = (isDone: boolean, note: string, path = `${PATH}/${id}`) =>
    isDone ? replySeeOther(exchange, `${path}?done=${note}`) : replyKey(context, 409, 'Nothing was changed.')
  switch (form.get('action')) {
    case 'change': {
      const fields = keyFieldsOf(form, clock.now())
      if (typeof fields === 'string') return replyKey(context, 422, fields)
      return finish(await ownKeys.change(user, id, fields), 'changed')
    }
    case 'disable':
      return finish(await ownKeys.change(user, id, { disabled: true }), 'disabled')
    case 'enable':
      return finish(await ownKeys.change(user, id, { disabled: false }), 'enabled')
    case 'revoke':
      return finish(await ownKeys.revoke(user, id), 'revoked', PATH)
    case 'rotate':
      return rotate(context, id, form)
    default:
      fail('http_400', { problem: "'action' names nothing that can be done to a key." })
  }
}

async function rotate(context: PageContext, id: string, form: URLSearchParams): Promise<void> {
  const grace = GRACES.find(([seconds]) => String(seconds) === form.get('grace'))?.[0] ?? 0
  const previous = form.get('previous') ?? ''
  const { ownKeys } = context.services
  const issued = await ownKeys.rotate(context.visitor.user, id, grace, previous === '' ? undefined : Number(previous))
  if (issued === undefined) return replyKey(context, 409, 'The key has a newer secret already, which was shown then.')
  reply(context, { title: 'Your new secret', body: issuedPage(issued, null), script: 'copy.js' })
}
