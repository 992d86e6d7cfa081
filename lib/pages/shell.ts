/**
 * The frame of every page: head, navigation and security policy. Customers and operators each have their own shell.
 * Pages work without scripts. `enhance.js` runs on every page; a page may have one more module of browser/.
 */
import { type Audience, assetsOf } from './assets.ts'
import { type Html, html } from './html.ts'

/** Media type of a page. */
export const HTML = 'text/html; charset=utf-8'

/** Browsers load scripts and styles from this origin only, and run no inline scripts: injected HTML has no effect. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  // With `no-referrer`, browsers would send the forms of the page with `Origin: null`.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

/** A longer text is not searched. */
export const MAX_FIND_LENGTH = 300

/** What all pages of one audience share. */
export interface Shell {
  readonly audience: Audience
  /** Part of the document title, and label of the navigation. */
  readonly name: string
  /** Path below which assetAt() answers: `/console/assets`. */
  readonly assetPath: string
  /** Path of the page that finds pages and ids by `q` (find.ts). */
  readonly findPath: string
  /** Paths and names of the links in the navigation. A section contains the links from its name to the next one. */
  readonly links: readonly (readonly [path: string, name: string, section?: string])[]
}

/** The installation, as the configuration names it. */
export interface Site {
  readonly brand: string
  readonly environment?: string | undefined
}

export interface Page {
  readonly title: string
  /** The part of the page that is shown, for the document title: the name of a tab. */
  readonly part?: string
  readonly body: Html
  /** The current link of the navigation; null: there is no session and no navigation. */
  readonly path: string | null
  /** File name of the page's module in browser/: `plot.js`. */
  readonly script?: string
  /** The end of the navigation: the name of the signed-in user and a button that signs out. */
  readonly visitor?: Html
  readonly site?: Site | undefined
}

/** The whole page as text. */
export function pageOf(shell: Shell, { title, part, body, path, script, visitor, site }: Page): string {
  const assets = `${shell.assetPath}/${assetsOf(shell.audience).version}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${part !== undefined && `${part} · `}${title} · ${shell.name}</title>
<link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}/style.css">
<script type="module" src="${assets}/enhance.js"></script>
${script !== undefined && html`<script type="module" src="${assets}/${script}"></script>`}
</head>
${path === null ? html`<body class="bare">\n<header>${brandOf(shell, site)}</header>` : html`<body>\n${navigation(shell, path, visitor, site)}`}
<main id="main" tabindex="-1">
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.toString()
}

/** A sluice gate in a stream. */
const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0a5fa8"></rect><path d="M9 6v20M23 6v20M9 9h14" stroke="#fff" stroke-width="2.5" stroke-linecap="round" fill="none"></path><path d="M13 16c2-2.4 4-2.4 6 0M13 21c2-2.4 4-2.4 6 0" stroke="#9fd0ff" stroke-width="2.5" stroke-linecap="round" fill="none"></path></svg>`

/** The brand of an installation that has not set one. */
const DEFAULT_BRAND = 'service'

function brandOf({ name }: Shell, { brand, environment }: Site = { brand: DEFAULT_BRAND }): Html {
  const shown = brand === DEFAULT_BRAND ? 'Sluiceway' : brand
  return html`<span class="brand">${MARK}<span><strong>${shown}</strong><small>${name}</small></span></span>
${environment !== undefined && html`<span class="environment">${environment}</span>`}`
}

interface Section {
  readonly name: string
  readonly items: Html[]
}

function navigation(shell: Shell, current: string, visitor: Html | undefined, site: Site | undefined): Html {
  const sections: Section[] = []
  const letters = lettersOf(shell.links.map(([, name]) => name))
  for (const [at, [path, text, name]] of shell.links.entries()) {
    if (name !== undefined || sections.length === 0) sections.push({ name: name ?? '', items: [] })
    const mark = path === current && html` aria-current="page"`
    sections.at(-1)!.items.push(html`<li><a href="${path}" data-key="${letters[at]!}"${mark}>${text}</a></li>`)
  }
  const lists = sections.map(
    ({ name, items }) => html`<div>${name !== '' && html`<p>${name}</p>`}<ul>${items}</ul></div>`,
  )
  return html`<a class="skip" href="#main">Skip to the content</a>
<header>${brandOf(shell, site)}${findForm(shell)}<nav aria-label="${shell.name}">${lists}</nav>${visitor !== undefined && html`<div class="visitor">${visitor}</div>`}</header>`
}

/** The letter that opens each page after `g`: the first of its name that no page before it has; empty: none is left. */
function lettersOf(names: readonly string[]): readonly string[] {
  const used = new Set<string>()
  return names.map(name => {
    const letter = Array.from(name.toLowerCase().replace(/[^a-z]/g, '')).find(one => !used.has(one)) ?? ''
    used.add(letter)
    return letter
  })
}

/** The search of the header. Where scripts run, a button is in its place, which opens a dialog (shared/palette.js). */
function findForm({ findPath }: Shell): Html {
  return html`<form class="find" action="${findPath}" role="search"><label class="hidden" for="find-q">Page or id</label><input id="find-q" name="q" type="search" placeholder="Page or id" maxlength="${MAX_FIND_LENGTH}" autocomplete="off" required><button>Find</button></form>
<a class="button find-open" href="${findPath}">Find <kbd>Ctrl K</kbd></a>`
}
