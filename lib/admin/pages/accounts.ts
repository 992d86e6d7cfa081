/** The page of all accounts, and the form that creates one. */
import { isUuid } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlTable } from '../../pages/table.ts'
import { filled, numberIn, wordsIn } from './form.ts'
import { type PageRoute, problemNote, type Visit } from './page.ts'
import { select } from './requests.ts'
import { moneyText, textOf } from './text.ts'
import { tokenField } from './visitor.ts'

export const accountsRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: '/accounts',
    async handle(visit) {
      const name = filled(visit.query, 'name')
      if (name !== undefined && isUuid(name)) return { to: `/accounts/${name}` }
      const query = { name, cursor: filled(visit.query, 'cursor'), limit: '100' }
      const { accounts, cursor } = await visit.call('list-accounts', { query })
      const next = new URLSearchParams(name === undefined ? {} : { name })
      if (typeof cursor === 'string') next.set('cursor', cursor)
      const body = html`${problemNote(visit)}
<form action="/accounts" class="fields"><p class="field"><label for="find">Name or id</label><input id="find" name="name" value="${name ?? ''}"></p><button>Find</button></form>
${accountTable(accounts as JsonObject[])}
${typeof cursor === 'string' && html`<p><a class="button" rel="next" href="/accounts?${next.toString()}">More</a></p>`}
<h2 id="new">Create an account</h2>
${creation(visit)}`
      return { title: 'Accounts', path: '/accounts', body }
    },
  },
  {
    method: 'POST',
    path: '/accounts',
    back: '/accounts',
    async handle({ form, call }) {
      const { id } = await call('create-account', { body: newAccount(form) })
      return { to: `/accounts/${id}` }
    },
  },
]

function newAccount(form: URLSearchParams): JsonObject {
  const models = wordsIn(form, 'models')
  const plan = filled(form, 'plan')
  const credits = numberIn(form, 'credits_cents')
  return {
    name: filled(form, 'name') ?? '',
    kind: filled(form, 'kind') ?? 'serverless',
    ...(plan === undefined ? null : { plan }),
    ...(models.length === 0 ? null : { models }),
    ...(credits === undefined ? null : { credits_cents: credits }),
    ...(form.has('zdr_required') ? { zdr_required: true } : null),
    members: wordsIn(form, 'owners').map(user => ({ user, role: 'owner' })),
  }
}

function accountTable(accounts: readonly JsonObject[]): Html {
  if (accounts.length === 0) return html`<p>There is no such account.</p>`
  const rows = accounts.map(({ id, name, kind, plan, source, disabled, credits_cents: credits, members }) => [
    html`<a href="/accounts/${String(id)}">${textOf(name)}</a>`,
    textOf(kind),
    textOf(plan),
    Array.isArray(members) ? String(members.length) : '0',
    credits === null ? 'no' : `from ${moneyText(credits)}`,
    disabled === true ? html`<span class="error">disabled</span>` : html`<span class="good">in use</span>`,
    textOf(source),
  ])
  return htmlTable(
    'Of the file and of the store',
    ['Name', 'Kind', 'Plan', 'Members#', 'Prepaid', 'State', 'Stands in'],
    rows,
  )
}

function creation(visit: Visit): Html {
  const kinds = ['serverless', 'enterprise', 'dedicated'].map(kind => [kind, kind] as const)
  return html`<form method="post" action="/accounts">${tokenField(visit.visitor)}<div class="fields">
<p class="field"><label for="name">Name</label><input id="name" name="name" required maxlength="256"></p>
${select('kind', 'Kind', 'serverless', kinds)}
${planField(visit, '')}
<p class="field"><label for="models">Models</label><input id="models" name="models" placeholder="all"></p>
<p class="field"><label for="credits">Prepaid, in cents</label><input id="credits" name="credits_cents" inputmode="numeric" placeholder="not prepaid"></p>
<p class="field"><label for="owners">Owners</label><input id="owners" name="owners" placeholder="users, with commas"></p>
<label class="check"><input type="checkbox" name="zdr_required"> Zero data retention</label>
<button class="main">Create</button></div></form>`
}

export function planField({ config }: Pick<Visit, 'config'>, chosen: string): Html {
  return select('plan', 'Plan', chosen, [['', 'none'], ...Object.keys(config.plans).map(name => [name, name] as const)])
}
