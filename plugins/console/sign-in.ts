/** Replies to requests without a session, or with another session than that of the page that sent the form. */
import {
  BATCH_APIS,
  emptyState,
  fileOwner,
  type Html,
  html,
  mayCreateKeys,
  missingPage,
  type OwnAccount,
  type Reached,
} from '../../lib/console.ts'
import type { Services } from '../../lib/plugin.ts'
import { OIDC_PATH } from './cookies.ts'
import { FIND_PATH, type PageExchange, replyBare, replyPage } from './page.ts'
import { isToken, TOKEN, type Visitor, visitorKey, visitorOf } from './visitor.ts'

type Exchange = PageExchange & Reached & { readonly method?: string }
type SignInServices = Pick<Services, 'config' | 'sessions' | 'oidc' | 'ownKeys' | 'ownAlerts' | 'batches'>

/** The visitor; undefined: there is no session, and a page that says so has been sent. */
export async function requireVisitor(
  services: SignInServices,
  exchange: Exchange,
  status = 401,
): Promise<Visitor | undefined> {
  const visitor = await signedIn(services, exchange)
  if (visitor === undefined) {
    const isForm = exchange.method === 'POST'
    replyBare(
      exchange,
      services.config,
      status,
      'Not signed in',
      html`<p>You are not signed in, or your session has ended.${isForm && ' Nothing was changed.'}</p>
${signInOptions(services)}
${isForm && html`<p>Then load this page again: what you have entered is still there.</p>`}`,
    )
  }
  return visitor
}

/** Replies with a page that says that there is none at this address. */
export async function replyMissing(services: SignInServices, exchange: Exchange): Promise<void> {
  const visitor = await signedIn(services, exchange)
  if (visitor !== undefined) {
    const page = { title: 'Not found', body: missingPage('/console', FIND_PATH), path: '' } as const
    return replyPage(exchange, visitor, page, 404)
  }
  const text = html`The address may be mistyped. The <a href="/console">first page of the console</a> says how to sign in.`
  replyBare(exchange, services.config, 404, 'Not found', emptyState('There is no page at this address', text))
}

/** The visitor, with what the navigation has for the user; undefined: there is no session. */
async function signedIn(services: SignInServices, exchange: Exchange): Promise<Visitor | undefined> {
  const visitor = await visitorOf(services, exchange)
  if (visitor === undefined) return undefined
  const hasAlerts = services.ownAlerts !== null
  if (services.config.batches === undefined) return { ...visitor, hasAlerts }
  return { ...visitor, hasAlerts, hasBatches: (await batchAccounts(services, visitor)).length > 0 }
}

/** The accounts in which the user may have batches, or has some from before the plan lost them. */
export async function batchAccounts(
  { config, ownKeys, batches }: Pick<Services, 'config' | 'ownKeys' | 'batches'>,
  visitor: Visitor,
): Promise<readonly OwnAccount[]> {
  if (config.batches === undefined || batches === null) return []
  const hasSome = async (account: OwnAccount) => {
    const owner = fileOwner(visitorKey(visitor, account))!
    const lists = await Promise.all(BATCH_APIS.map(api => batches.list(owner, { api, limit: 1 })))
    return lists.some(list => list.batches.length > 0)
  }
  const found: OwnAccount[] = []
  for (const account of (await ownKeys.accounts(visitor.user)).filter(mayCreateKeys))
    if (planHasBatches(config, account) || (await hasSome(account))) found.push(account)
  return found
}

/** Whether the plan of the account allows new batches. */
export function planHasBatches({ plans }: Pick<Services['config'], 'plans'>, { plan }: OwnAccount): boolean {
  return plan === undefined || plans[plan]?.batches !== null
}

/** Text about how to sign in. */
export function signInOptions({ oidc }: Pick<Services, 'oidc'>): Html {
  return html`${oidc !== null && html`<p><a class="button main" href="${OIDC_PATH}">${oidc.label}</a></p>`}
<p>The operator of this gateway creates a link for you with <code>sluiceway login USER</code>. Open it in this browser:
it opens one session, within ten minutes.</p>`
}

/** Note on a form without a token of this session. The form keeps its values. */
export const STALE_FORM =
  'This form is not of your current session, so nothing was changed. Send it again if it is yours.'

/** True if the form was sent from a page of this session. */
export function isOwnForm(visitor: Visitor, form: URLSearchParams): boolean {
  return isToken(form.get(TOKEN) ?? '', visitor.secret)
}
