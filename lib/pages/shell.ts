/**
 * The frame of every page: head, navigation and security policy. Customers and operators each have their own shell.
 * Pages work without scripts. The script of a page is a module in browser/.
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

/** What all pages of one audience share. */
export interface Shell {
  readonly audience: Audience
  /** Part of the document title, and label of the navigation. */
  readonly name: string
  /** Path below which assetAt() answers: `/console/assets`. */
  readonly assetPath: string
  /** Paths and names of the links in the navigation. */
  readonly links: readonly (readonly [path: string, name: string])[]
}

export interface Page {
  readonly title: string
  readonly body: Html
  /** The current link of the navigation; null: there is no session and no navigation. */
  readonly path: string | null
  /** File name of the page's module in browser/: `plot.js`. */
  readonly script?: string
  /** The end of the navigation: the name of the signed-in user and a button that signs out. */
  readonly visitor?: Html
}

/** The whole page as text. */
export function pageOf(shell: Shell, { title, body, path, script, visitor }: Page): string {
  const assets = `${shell.assetPath}/${assetsOf(shell.audience).version}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${shell.name}</title>
<link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}/style.css">
${script !== undefined && html`<script type="module" src="${assets}/${script}"></script>`}
</head>
<body>
${path !== null && navigation(shell, path, visitor)}
<main id="main" tabindex="-1">
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.toString()
}

function navigation({ name, links }: Shell, current: string, visitor: Html | undefined): Html {
  const items = links.map(
    ([path, text]) => html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${text}</a></li>`,
  )
  return html`<a class="skip" href="#main">Skip to the content</a>
<header><nav aria-label="${name}"><ul>${items}</ul></nav>${visitor !== undefined && html`<div class="visitor">${visitor}</div>`}</header>`
}
