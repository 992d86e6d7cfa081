/** What the site changes in Markdown: links between files become links between pages, and no element has a style. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { escapeHtml } from '../../lib/text/html.ts'

/** The parts of markdown-it that are used here. */
interface Token {
  type: string
  tag: string
  content: string
  attrs: [string, string][] | null
  children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}
interface MarkdownIt {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } }
}
interface State {
  readonly tokens: Token[]
  readonly env: { readonly relativePath?: string }
}

export interface SiteMap {
  /** The directory of the repository. */
  readonly root: string
  /** Path of a page on the site by its file: `docs/api/models.md` -> `api/models`; for a folder, with a slash. */
  readonly pages: Readonly<Record<string, string>>
  /** The file from which relative links of a page start, by the page's file on the site. */
  readonly sources: Readonly<Record<string, string>>
}

/** Anchors as on GitHub. markdown-it-anchor numbers those that occur again, as GitHub does. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-')
}

export function adaptMarkdown(md: MarkdownIt, map: SiteMap): void {
  md.core.ruler.push('sluiceway', ({ tokens, env }) => {
    const source = map.sources[env.relativePath ?? ''] ?? ''
    labelCells(tokens)
    for (const [at, token] of tokens.entries()) {
      // Screen readers announce a header, which must have a name.
      if (token.type === 'th_open' && tokens[at + 1]!.content === '') token.tag = tokens[at + 2]!.tag = 'td'
      const align = token.attrGet('style')
      if (align !== null) {
        const others = token.attrs!.filter(([name]) => name !== 'style')
        token.attrs = [...others, ['class', align.replace('text-align:', 'align-')]]
      }
      // Only listings between fences get the box that scrolls.
      if (token.type === 'code_block') Object.assign(token, { type: 'fence', info: 'text' })
      if (token.children === null) continue
      adaptInline(token.children, source, map)
      if (tokens[at - 1]?.type === 'td_open') breakNames(token.children)
    }
  })
}

/** Gives each cell the name of its column, for phones, on which rows are cards. */
function labelCells(tokens: readonly Token[]): void {
  let heads: string[] = []
  let column = 0
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'table_open') heads = []
    else if (token.type === 'tr_open') column = 0
    else if (token.type === 'th_open') heads.push(tokens[at + 1]!.content.replaceAll('`', ''))
    else if (token.type === 'td_open') {
      const head = heads[column++] ?? ''
      if (head !== '') token.attrSet('data-label', head)
    }
  }
}

const MAX_UNBROKEN_LENGTH = 12

/** Lets long names in cells wrap after a slash, a dot or an underscore, so that their table fits its column. */
function breakNames(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type !== 'code_inline' || token.content.length <= MAX_UNBROKEN_LENGTH) continue
    const content = escapeHtml(token.content).replace(/(?<=[\w}])[/._](?=[\w{])/g, '$&<wbr>')
    Object.assign(token, { type: 'html_inline', content: `<code v-pre>${content}</code>` })
  }
}

function adaptInline(tokens: readonly Token[], source: string, map: SiteMap): void {
  let isFile = false
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = token.attrGet('href')!
      const target = siteLink(href, source, map.pages)
      isFile = target === undefined
      if (target !== undefined) token.attrSet('href', target)
      // A file of the repository that is no page of the site.
      else Object.assign(token, { type: 'file_open', tag: 'span', attrs: [['title', join(dirname(source), href)]] })
    } else if (token.type === 'link_close' && isFile) {
      Object.assign(token, { type: 'file_close', tag: 'span' })
      isFile = false
    } else if (token.type === 'code_inline') {
      // Braces are code of Vue elsewhere.
      token.attrSet('v-pre', '')
    } else if (token.type === 'image' && token.attrGet('src')!.endsWith('.svg')) {
      const svg = readFileSync(join(map.root, dirname(source), token.attrGet('src')!), 'utf8')
      Object.assign(token, { type: 'html_inline', content: inlineSvg(svg, token.content) })
    }
  }
}

/** The link on the site; undefined: the site has no such page. */
export function siteLink(href: string, source: string, pages: SiteMap['pages']): string | undefined {
  if (/^([a-z]+:|[/#])/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const page = pages[normalize(join(dirname(source), path)).replace(/\/$/, '')]
  return page === undefined ? undefined : `/${page}${anchor === undefined ? '' : `#${anchor}`}`
}

/** The styles of a picture are for those who open its file. On the site, the theme has them. */
function inlineSvg(svg: string, description: string): string {
  const label = description.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return svg
    .replace(/<style>.*?<\/style>\s*/s, '')
    .replace(/<!--.*?-->\s*/gs, '')
    .replace('<svg ', `<svg class="picture" role="img" aria-label="${label}" v-pre `)
    .trim()
}
