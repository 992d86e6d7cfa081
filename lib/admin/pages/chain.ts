/** The page of the chain: the plugins of each route from client to backend, with their options and documentation. */
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { loadMarkdown } from '../../pages/load-markdown.ts'
import { htmlTable } from '../../pages/table.ts'
import { filled, select } from './form.ts'
import type { PageRoute } from './page.ts'

export interface ChainView {
  readonly routes: readonly ChainRoute[]
  /** How requests that no client sends run, as sentences without a full stop. */
  readonly notes: readonly string[]
  readonly plugins: ReadonlyMap<string, ChainPlugin>
}

interface ChainRoute {
  /** `gateway.chat` */
  readonly id: string
  /** `POST /v1/chat/completions (gateway)` */
  readonly title: string
  /** A backend answers the route, unless a plugin does. */
  readonly proxied: boolean
  readonly plugins: readonly string[]
}

export interface ChainPlugin {
  readonly name: string
  readonly summary: string
  /** What the configuration changes, as in `sluiceway explain`. */
  readonly change: 'none' | 'added' | 'off' | 'options'
  /** Names of the slots that the plugin fills. */
  readonly fills: readonly string[]
  /** Options with their defaults, without secrets. */
  readonly options: JsonObject
  /** Descriptions of the options, by name. */
  readonly described: Readonly<Record<string, string>>
  /** Documentation in Markdown; undefined: there is none. */
  readonly page: string | undefined
}

/** Rendered documentation: it is long and does not change. */
const rendered = new WeakMap<ChainPlugin, Html>()

const CHANGES = { none: '', added: 'added', off: 'switched off', options: 'own options' } as const

export function chainRoute(view: () => Promise<ChainView>): PageRoute {
  return {
    method: 'GET',
    path: '/chain',
    async handle({ query }) {
      const { routes, notes, plugins } = await view()
      const wanted = filled(query, 'route')
      const route = routes.find(({ id }) => id === wanted) ?? routes.find(({ proxied }) => proxied) ?? routes[0]!
      const here = route.plugins.flatMap(name => plugins.get(name) ?? [])
      const { markdownHtml } = await loadMarkdown()
      const body = html`<form action="/chain" class="fields">
${select(
  'route',
  'Route',
  route.id,
  routes.map(({ id, title }) => [id, title] as const),
)}<button>Show</button></form>
<p>Requests pass from top to bottom, replies from bottom to top. A plugin that refuses a request ends its way down.</p>
<ol class="chain">
<li class="end">Client</li>
${here.map(plugin => pluginBox(plugin, documentation(plugin, markdownHtml)))}
<li class="end">${route.proxied ? 'Backend' : 'Answered by one of these plugins'}</li>
</ol>
${route.proxied && notes.map(note => html`<p class="soft">${note}.</p>`)}`
      return { title: 'Chain', path: '/chain', body }
    },
  }
}

function pluginBox(plugin: ChainPlugin, page: Html | undefined): Html {
  const { name, summary, change, fills, options, described } = plugin
  const mark = CHANGES[change]
  const names = [...new Set([...Object.keys(options), ...Object.keys(described)])]
  const rows = names.map(option => [
    html`<code>${option}</code>`,
    html`<code>${JSON.stringify(options[option]) ?? 'not set'}</code>`,
    html`<span class="prose">${described[option] ?? ''}</span>`,
  ])
  return html`<li${change === 'off' && html` class="off"`}><details><summary><strong>${name}</strong> ${summary}${
    fills.length > 0 && html` <span class="soft">fills ${fills.join(', ')}</span>`
  }${mark !== '' && html` <span class="warn">${mark}</span>`}</summary>
${rows.length === 0 ? html`<p>It has no options.</p>` : htmlTable(`Options of ${name}`, ['Option', 'Value', 'What it does'], rows)}
${page !== undefined && html`<div class="panel" role="region" aria-label="Documentation of ${name}" tabindex="0">${page}</div>`}</details></li>`
}

function documentation(plugin: ChainPlugin, render: (markdown: string) => Html): Html | undefined {
  const known = rendered.get(plugin)
  if (known !== undefined || plugin.page === undefined) return known
  const made = render(plugin.page)
  rendered.set(plugin, made)
  return made
}
