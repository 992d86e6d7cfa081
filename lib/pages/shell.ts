/**
 * What surrounds every page for people: head, navigation, policy. Customers' pages and operators' pages each have a shell.
 * Pages work without script; one that has a script has it as a module of its own (browser/).
 */
import { type Audience, assetsOf } from './assets.ts'
import { type Html, html } from './html.ts'

/** Media type of a page. */
export const HTML = 'text/html; charset=utf-8'

/**
 * Response headers of a page. Scripts and styles come from this origin alone, and never from the page itself: what is injected
 * into one is text that does nothing.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  // Not `no-referrer`: browsers would send forms of the page with `Origin: null`, as if they came from anywhere.
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

/** What all pages of one audience have in common. */
export interface Shell {
  readonly audience: Audience
  /** In the title of the window, and the name of the navigation. */
  readonly name: string
  /** Path below which assetAt() answers: `/console/assets`. */
  readonly assetPath: string
  /** Path and name of the pages that the navigation leads to. */
  readonly links: readonly (readonly [path: string, name: string])[]
}

export interface Page {
  readonly title: string
  readonly body: Html
  /** The link of the navigation that leads to it, or to the page above it; null: there is no session, and no navigation. */
  readonly path: string | null
  /** File name of its module in browser/: `usage.js`. */
  readonly script?: string
  /** At the end of the navigation: who is signed in, and a button that signs out. */
  readonly visitor?: Html
}

/** A whole page as text. */
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
