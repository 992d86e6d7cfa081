import {
  definePlugin,
  type Html,
  type IssuedKey,
  MOST_OWN_KEYS,
  type OwnKey,
  type Services,
} from '../../../lib/plugin.ts'
import { isSecure } from '../cookies.ts'
import { firstCall } from '../first-call.ts'
import { readForm } from '../form.ts'
import { replyPage } from '../page.ts'
import { admit, isOwnForm } from '../strangers.ts'
import type { Visitor } from '../visitor.ts'
import { issuedPage, keysPage, type ShownKey } from './pages.ts'

export default definePlugin({
  name: 'console-keys',
  summary: "The console's page of keys: shows, creates and revokes those of the user.",
  routes: { route: ['console-keys', 'console-key-create', 'console-key-revoke'] },

  setup(_options, services) {
    const { config, ownKeys } = services
    return {
      async onHeaders(exchange) {
        const visitor = await admit(services, exchange)
        if (visitor === undefined) return
        const list = async (status: number, note: string | null) => {
          const body = await keyList(services, visitor, note)
          replyPage(exchange, visitor, { title: 'Keys', body, path: '/console/keys' }, status)
        }
        if (exchange.route.name === 'console-keys') return list(200, null)

        const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
        if (!isOwnForm(exchange, visitor, form)) return
        if (exchange.route.name === 'console-key-revoke') {
          const id = form.get('key') ?? ''
          if (!(await ownKeys.revoke(visitor.user, id)))
            return list(404, 'You have no such key, or it is revoked already.')
          return list(200, `Key ${id} is revoked. Within seconds nothing accepts it any more.`)
        }
        const issued = await ownKeys.create(visitor.user, form.get('account') ?? '')
        if (issued === 'unknown') return list(404, 'You are not a member of that account.')
        if (issued === 'too_many') return list(409, `You have ${MOST_OWN_KEYS} keys of that account: revoke one first.`)
        const origin = originOf(config, exchange.surface === 'gateway' ? exchange.headers.host : undefined)
        const lines = firstLines(
          services,
          issued,
          `${isSecure(config, exchange.headers) ? 'https' : 'http'}://${origin}`,
        )
        const body = issuedPage(issued, lines)
        replyPage(exchange, visitor, { title: 'Your new key', body, path: '/console/keys', script: 'copy.js' })
      },
    }
  },
})

/** Host and port of the gateway: those that the browser has used, where they are plain, or the configured ones. */
function originOf({ hosts, listen }: Services['config'], host: string | undefined): string {
  if (host !== undefined && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host)) return host
  return hosts.gateway?.[0] ?? `${listen.host}:${listen.port}`
}

function firstLines({ models }: Services, { account, secret }: IssuedKey, origin: string): Html | null {
  const model = models.all.find(({ id, kind }) => kind === 'chat' && (account.models?.has(id) ?? true))
  return model === undefined ? null : firstCall({ origin, secret, model: model.id })
}

async function keyList({ config, keys, ownKeys }: Services, visitor: Visitor, note: string | null): Promise<Html> {
  const stored = await ownKeys.list(visitor.user)
  const accounts = await ownKeys.accounts(visitor.user)
  const names = new Map(
    [...keys.ofUser(visitor.user).map(({ account }) => account), ...accounts].map(({ id, name }) => [id, name]),
  )
  const configured = config.accounts.flatMap(account =>
    account.keys.flatMap(({ id, kind, user }): readonly ShownKey[] =>
      user === visitor.user ? [{ id, kind, account: account.name, created: null }] : [],
    ),
  )
  const shown: readonly ShownKey[] = [
    ...configured,
    ...stored.map(({ id, kind, account_id, created_at }: OwnKey) => ({
      id,
      kind,
      account: names.get(account_id) ?? account_id,
      created: created_at,
    })),
  ]
  return keysPage(visitor, shown, accounts, note)
}
