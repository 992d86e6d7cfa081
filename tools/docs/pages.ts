/** The pages of the documentation site: files of the repository, and pages that are made from them. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import { referencePages } from './reference.ts'
import type { SitePage } from './site-page.ts'

/** Pages outside of docs/, with their paths on the site. CHANGELOG.md would make the site old with each release. */
const OUTSIDE: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'architecture',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'security',
  'deploy/README.md': 'deploy',
}

/** Files that are shown as they are. */
const VERBATIM: Readonly<Record<string, string>> = {
  'config/example.yaml': 'config-example',
  'config/default-chain.yaml': 'default-chain',
}

/** Titles of the lists of pages that are made for folders without a page of their own. */
const FOLDERS: Readonly<Record<string, string>> = {
  errors: 'Error codes',
  internals: 'Internals',
  plugins: 'Built-in plugins',
  'adr/archive': 'Decisions that no longer hold',
}

/** All pages. `root`: the directory of the repository. */
export function sitePages(root: string): readonly SitePage[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const written = [...globSync('docs/**/*.md', { cwd: root }).toSorted(), ...Object.keys(OUTSIDE)].map(source => ({
    path: pathOf(source),
    source,
    markdown: withoutComments(read(source)),
    isSearched: !source.startsWith('docs/adr/archive/'),
  }))
  const shown = Object.entries(VERBATIM).map(([source, path]) => {
    const markdown = `# ${source}\n\n\`\`\`yaml\n${read(source)}\`\`\`\n`
    return { path, source, markdown, isSearched: true }
  })
  const lists = Object.entries(FOLDERS).map(([folder, title]) => listPage(folder, title, written))
  return [
    ...written.map(page => (page.path === 'index' ? homePage(page) : page)),
    ...shown,
    ...lists,
    ...referencePages(read),
  ]
}

/** `docs/OPERATIONS.md` -> `operations`, `docs/api/README.md` -> `api/index`. */
function pathOf(source: string): string {
  const outside = OUTSIDE[source]
  if (outside !== undefined) return outside
  const path = source.slice('docs/'.length, -'.md'.length)
  if (basename(path) === 'README') return join(dirname(path), 'index')
  return path.includes('/') ? path : path.toLowerCase()
}

/** Comments name the schemas of tables. HTML of a page is shown as text, and so would be the comments. */
function withoutComments(markdown: string): string {
  return markdown.replace(/^<!--.*?-->\n\n?/gm, '')
}

/** The first page of the site: the table of doors becomes cards, and the text before it their headline. */
function homePage(page: SitePage): SitePage {
  const [head = '', table = '', rest = ''] = page.markdown.split(/^((?:\|.*\n)+)/m)
  const doors = table.matchAll(/^\| \*\*(.+)\*\* \| (.+) \| \[(.+)\]\((.+)\.md\)/gm)
  const features = [...doors].map(([, title, audience, linkText, path]) => {
    return { title, details: `For ${audience}`, link: `/${path}`, linkText }
  })
  const tagline = firstSentence(head)
  const front = { layout: 'home', hero: { name: 'Sluiceway', tagline }, features }
  // The site has no changelog.
  const text = rest.replace(/\[[^\]]*\]\(\.\.\/CHANGELOG\.md\), /, '')
  return { ...page, markdown: `---\n${JSON.stringify(front)}\n---\n${text}` }
}

/** The first sentence of the page of an error. */
const STATUS_AND_TYPE = /^Status (.+?)(?: with `Retry-After`)?, type (`\w+`)\.$/

function listPage(folder: string, title: string, pages: readonly SitePage[]): SitePage {
  const listed = pages.filter(({ path }) => dirname(path) === folder && basename(path) !== 'index')
  const rows = listed.map(({ source, markdown }) => {
    const first = firstSentence(markdown)
    const text = folder === 'errors' ? first.replace(STATUS_AND_TYPE, '$1 | $2') : first
    return `| [${titleOf(markdown)}](${basename(source)}) | ${text} |`
  })
  const head = folder === 'errors' ? '| Code | Status | Type |\n| - | - | - |' : '| | |\n| - | - |'
  const markdown = `# ${title}\n\n${head}\n${rows.join('\n')}\n`
  return { path: `${folder}/index`, source: `docs/${folder}/README.md`, markdown, isSearched: false }
}

/** The first page of the site has none. */
export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? 'Sluiceway'
}

/** The first sentence below the title, without links. */
function firstSentence(markdown: string): string {
  const paragraph = markdown.split('\n\n').find(text => /^[^#|<\s]/.test(text)) ?? ''
  const text = paragraph.replaceAll('\n', ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return (/^.*?\.(?= |$)/.exec(text)?.[0] ?? text).replaceAll('|', '\\|')
}
