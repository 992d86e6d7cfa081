/** The page that finds pages and ids. One result redirects; several are a list. */
import { type Html, html } from './html.ts'
import { emptyState } from './parts.ts'
import { MAX_FIND_LENGTH, type Shell } from './shell.ts'
import { htmlTable } from './table.ts'

/** Something that the search has found. */
export interface FindResult {
  /** What it is: `key`. */
  readonly kind: string
  readonly name: string
  readonly href: string
}

/** Pages of the navigation with this name, or whose name begins with it. */
export function pagesNamed(links: Shell['links'], text: string): FindResult[] {
  const wanted = text.toLowerCase()
  const named = links.filter(([, name]) => name.toLowerCase() === wanted)
  const begun = wanted.length < 2 ? [] : links.filter(([, name]) => name.toLowerCase().startsWith(wanted))
  return (named.length > 0 ? named : begun).map(([href, name]) => ({ kind: 'page', name, href }))
}

/** True: the text has the form of a secret: of a key of this gateway, of another service, or of a header. */
export function isSecretLike(text: string): boolean {
  return /^(bearer\s|sk-)|_[\w-]{43}$/i.test(text)
}

interface FindPage {
  readonly findPath: string
  /** A secret was entered, and is not in the address. */
  readonly isSecret: boolean
  /** What was searched; empty: nothing. */
  readonly text: string
  readonly results: readonly FindResult[]
  /** What the search takes. */
  readonly takes: Html | string
}

/** The body of the page: the search again, its results, or what it takes. */
export function findPage({ findPath, isSecret, text, results, takes }: FindPage): Html {
  const rows = results.map(({ kind, name, href }) => [kind, html`<a href="${href}">${name}</a>`])
  return html`${isSecret && html`<p class="note bad" role="alert">${SECRET_NOTE}</p>`}
<form action="${findPath}" class="fields" role="search">
<p class="field"><label for="q">Page or id</label><input id="q" name="q" type="search" value="${text}" size="40" maxlength="${MAX_FIND_LENGTH}" autocomplete="off" required></p>
<button class="main">Find</button></form>
${rows.length > 0 && htmlTable(`Results for ${text}`, ['Kind', 'Name'], rows)}
${rows.length === 0 && text !== '' && emptyState(`Nothing is found for ${text}`, html`Records are kept for a time, and are in the store a second after the end of a request.`)}
<p class="soft">${takes}</p>`
}

/** The body of the page at an address that no page has. `home`: path of the first page. */
export function missingPage(home: string, findPath: string): Html {
  const text = html`The address may be mistyped, or what it showed may be gone. The <a href="${home}">overview</a> leads to all pages. You can also <a href="${findPath}">find</a> a page by its name, and a request, a key or a batch by its id.`
  return emptyState('There is no page at this address', text)
}

const SECRET_NOTE =
  'What you entered looks like the secret of a key. It was neither searched nor kept: enter the id of the key, such as key_3f2a91c04b7d.'
