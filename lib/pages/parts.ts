/** Components of pages, from stats to menus. parts.css and tabs.css have their styles. */
import { type Html, type HtmlValue, html } from './html.ts'

/** A number of htmlStats(). */
export interface Stat {
  readonly name: string
  readonly value: Html | string
  /** What the value means or depends on. */
  readonly more?: Html | string | undefined
  /** Path of the list behind the value. */
  readonly href?: string | undefined
}

/** Characters above which a value is smaller in a narrow card, so that it does not break. */
const MAX_STAT_LENGTH = 9
/** Characters above which a value is a text. */
const MAX_LONG_LENGTH = 20

/** Named numbers next to each other. */
export function htmlStats(stats: readonly Stat[]): Html {
  const cards = stats.map(({ name, value, more, href }) => {
    const shown = href === undefined ? value : html`<a href="${href}">${value}</a>`
    return html`<div class="card"><dt>${name}</dt><dd${sizeOf(value)}>${shown}${more !== undefined && html`<small>${more}</small>`}</dd></div>\n`
  })
  return html`<dl class="cards">${cards}</dl>`
}

/** Many facts in columns: names and values. */
export function htmlFacts(facts: readonly (readonly [name: HtmlValue, value: HtmlValue])[]): Html {
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
}

function sizeOf(value: Html | string): Html | false {
  const text = value.toString().replace(/<small>.*?<\/small>|<[^>]*>/gs, '')
  if (text.length <= MAX_STAT_LENGTH) return false
  return text.length <= MAX_LONG_LENGTH ? html` class="long"` : html` class="fact"`
}

/** A state as a word. Only states that need attention have a colour. */
export function htmlBadge(text: string, kind: 'plain' | 'good' | 'warn' | 'error' = 'plain'): Html {
  return html`<span class="${kind === 'plain' ? 'badge' : `badge ${kind}`}">${text}</span>`
}

/** What a page shows instead of an empty list. `text`: what would fill the list. */
export function emptyState(title: string, text: HtmlValue): Html {
  return html`<div class="empty"><p><strong>${title}</strong></p><p>${text}</p></div>`
}

/** What a page shows for a value that does not exist. */
export const NOTHING = '–'

/** `850 ms` or `12.3 s`; a dash for null, which is an unknown duration. */
export function durationText(ms: number | null): string {
  if (ms === null) return NOTHING
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** A time. Without script it is UTC; shared/enhance.js shows the viewer's zone and the age, with UTC as title. */
export function timeHtml(iso: unknown): Html | string {
  if (typeof iso !== 'string') return NOTHING
  const text = `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
  return html`<time datetime="${iso}" title="${text} UTC">${text}</time>`
}

/** A shorter word does not wrap. */
const MAX_WORD_LENGTH = 18

/** A word, such as the code of an error or a user, that may wrap after `_` and `@` if it is long. */
export function breakable(word: string): Html | string {
  const parts = word.split(/(?<=[_@])/)
  return word.length <= MAX_WORD_LENGTH || parts.length === 1
    ? word
    : html`${parts.map((part, at) => (at === 0 ? part : html`<wbr>${part}`))}`
}

const MAX_NAME_LENGTH = 16

/** A name in a cell. A long one wraps, so that the other columns stay visible. */
export function nameHtml(name: string): Html | string {
  return name.length > MAX_NAME_LENGTH ? html`<span class="name">${breakable(name)}</span>` : name
}

/** An id with a button that copies it, if scripts run. `href`: the id is a link. */
export function idHtml(id: string, href?: string): Html {
  if (href === undefined) return html`<code class="whole" data-id>${id}</code>`
  return html`<a href="${href}" data-id><code class="whole">${id}</code></a>`
}

const MAX_HOST_LENGTH = 20

/** The part of a backend's URL that differs between backends: `:8000`, `10.0.0.7:8000`, `vllm-0:8000`. */
function shortAddress(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || !parsed.protocol.startsWith('http')) return url
  const { hostname, port, protocol, pathname } = parsed
  const path = pathname.replace(/\/v1\/?$|\/$/, '')
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) && port !== '') return `:${port}${path}`
  const isName = /[a-z]/i.test(hostname) && !hostname.startsWith('[')
  const host = isName && hostname.length > MAX_HOST_LENGTH ? `${hostname.split('.')[0]}` : hostname
  return `${host}${port === '' ? (protocol === 'https:' ? '' : ':80') : `:${port}`}${path}`
}

/** The short address, with the whole one as title. */
export function addressHtml(url: string): Html {
  return html`<span class="whole" title="${url}">${shortAddress(url)}</span>`
}

/**
 * How much of a limit is used, for sighted users: the numbers are next to it. `live`: name under which a script changes
 * the width.
 */
export function htmlMeter(used: number, limit: number, live?: string): Html {
  return html`<svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="8"></rect><rect width="${meterWidth(used, limit)}" height="8"${live !== undefined && html` data-live="${live}"`}></rect></svg>`
}

/** Of 100. */
export function meterWidth(used: number, limit: number): string {
  return (limit <= 0 ? 0 : Math.min(100, (used / limit) * 100)).toFixed(1)
}

/** Says that the page updates itself, and pauses it (shared/live-bar.js). Without script the page does neither. */
export function liveBar(): Html {
  return html`<p class="live" id="live-bar" hidden><span class="dot"></span><span role="status">Live</span><button type="button">Pause</button></p>`
}

/** Filters of a list. On a phone, a script folds them. `folded`: the text of the summary of folded filters. */
export function filterBox(form: Html, folded?: Html | string): Html {
  const state = folded === undefined ? html` open` : html` data-folded`
  return html`<details class="filters"${state}><summary>${folded ?? 'Filters'}</summary>
${form}</details>`
}

/** Links that set one filter. `chosen`: the current one. */
export function chips(
  label: string,
  links: readonly (readonly [text: Html | string, href: string, isChosen: boolean])[],
): Html {
  const items = links.map(
    ([text, href, isChosen]) => html`<li><a href="${href}"${isChosen && html` aria-current="true"`}>${text}</a></li>`,
  )
  return html`<ul class="chips" aria-label="${label}">${items}</ul>`
}

/** Links to the parts of a page, each with a path and a heading of its own. `current`: the text of the one shown. */
export function htmlTabs(
  label: string,
  tabs: readonly (readonly [text: string, href: string])[],
  current: string,
): Html {
  const items = tabs.map(
    ([text, href]) => html`<li><a href="${href}"${text === current && html` aria-current="page"`}>${text}</a></li>`,
  )
  return html`<nav class="tabs" aria-label="${label}"><ul>${items}</ul></nav>`
}

/** Links and forms with a button, behind a button that needs no script. shared/menu.js closes it. */
export function htmlMenu(button: Html | string, items: readonly Html[]): Html {
  return html`<details class="menu" name="menu"><summary class="button">${button}</summary><div>${items}</div></details>`
}
