/** The navigation of the site: a list of links at the side of each page, by the folder of the page. */
import { dirname } from 'node:path/posix'
import { titleOf } from './pages.ts'
import type { SitePage } from './site-page.ts'

interface Entry {
  readonly text: string
  readonly link?: string
  readonly items?: readonly Entry[]
}

/** The sections of the site, as in docs/README.md. A name that ends with a slash is a folder. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'Call it': [
    'start/first-call',
    'differences',
    'api/',
    'batches',
    'reference/',
    'clients/',
    'errors/',
    'inspection',
    'usage',
    'console',
    'webhooks',
  ],
  'Run it': [
    'start/production',
    'config',
    'config-example',
    'operations',
    'deploy',
    'engines',
    'limits',
    'routing',
    'scaling',
    'admin-api',
    'oidc',
    'runbook',
    'upgrading',
    'simulator',
    'features',
    'comparison',
  ],
  'Extend it': ['start/plugin', 'plugins', 'default-chain', 'plugins/'],
  'Change it': [
    'start/house',
    'architecture',
    'contributing',
    'internals/',
    'design',
    'glossary',
    'adr/',
    'benchmarks',
    'benchmarks-store',
    'security',
  ],
}

/** The section of pages outside of folders that no section names. */
const OTHERS = 'Run it'

/** By the beginning of a page's path. Pages of a folder see the list of their folder, and a link to each section. */
export function sidebarOf(pages: readonly SitePage[]): Readonly<Record<string, readonly Entry[]>> {
  const titles = new Map(pages.map(page => [page.path, shortTitle(page)]))
  const link = (name: string): Entry[] => {
    const text = titles.get(name.endsWith('/') ? `${name}index` : name)
    return text === undefined ? [] : [{ text, link: `/${name}` }]
  }
  const listed = new Set(Object.values(SECTIONS).flat())
  const others = pages.filter(({ path }) => dirname(path) === '.' && path !== 'index' && !listed.has(path))
  const sections = Object.entries(SECTIONS).map(([text, names]) => {
    const more = text === OTHERS ? others.map(({ path }) => path) : []
    return { text, items: [...names, ...more].flatMap(link) }
  })
  const folders = new Set(pages.map(({ path }) => dirname(path)).filter(folder => folder !== '.' && folder !== 'start'))
  const lists = [...folders].map(folder => {
    const own = pages.filter(({ path }) => dirname(path) === folder && path !== `${folder}/index`)
    const items = own.flatMap(({ path }) => link(path))
    const doors = Object.entries(SECTIONS).map(([text, [first]]) => ({ text, link: `/${first}` }))
    const rest = { text: 'Elsewhere', items: doors }
    return [`/${folder}/`, [{ text: titles.get(`${folder}/index`)!, link: `/${folder}/`, items }, rest]] as const
  })
  // The longest beginning counts.
  return Object.fromEntries([...lists.sort(([a], [b]) => b.length - a.length), ['/', sections]])
}

/** The title without markup; for an operation of the API, its method and path, which may wrap before a slash. */
function shortTitle({ path, markdown }: SitePage): string {
  const operation = path.startsWith('reference/') ? /^`([A-Z]+ \/\S+)`$/m.exec(markdown)?.[1] : undefined
  return (
    operation?.replace(/(?<=\w|\})\//g, '<wbr>/') ??
    titleOf(markdown)
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll('`', '')
  )
}
