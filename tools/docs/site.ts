/**
 * Builds the documentation site: VitePress makes pages of docs/ in a folder of their own, finish.ts makes them fit for
 * the gateway. Nothing is built if neither the pages nor this folder has changed.
 */
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'vitepress'
import type { SiteData } from './config.ts'
import { finishSite } from './finish.ts'
import { sidebarOf } from './navigation.ts'
import { sitePages } from './pages.ts'
import type { SitePage } from './site-page.ts'

/** Builds the site into `site/` of the repository. False: it was current. */
export async function buildSite(root: string): Promise<boolean> {
  const pages = sitePages(root)
  const stamp = stampOf(root, pages)
  const site = join(root, 'site')
  if (builtStamp(site) === stamp) return false
  // In the repository, where its packages are found.
  const work = mkdtempSync(join(root, '.site-'))
  try {
    const out = join(work, 'out')
    writeSources(root, work, pages, out)
    await build(work)
    // VitePress reports a page that it could not render, and goes on.
    const missing = pages.filter(({ path }) => !readFileSync(join(out, `${path}.html`), 'utf8').includes('<h1'))
    if (missing.length > 0) throw new Error(`Pages without a text: ${missing.map(({ path }) => path).join(', ')}`)
    finishSite(out, stamp)
    rmSync(site, { recursive: true, force: true })
    renameSync(out, site)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return true
}

function writeSources(root: string, work: string, pages: readonly SitePage[], out: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(work, path)), { recursive: true })
    writeFileSync(join(work, path), text)
  }
  for (const { path, markdown, isSearched } of pages)
    write(`${path}.md`, isSearched ? markdown : `---\nsearch: false\n---\n\n${markdown}`)
  cpSync(join(root, 'docs/images'), join(work, 'images'), { recursive: true })
  cpSync(join(root, 'tools/docs/theme'), join(work, '.vitepress/theme'), { recursive: true })
  mkdirSync(join(work, 'public'))
  cpSync(join(root, 'lib/pages/browser/shared/icon.svg'), join(work, 'public/icon.svg'))
  const data: SiteData = { ...siteMap(root, pages), sidebar: sidebarOf(pages), out }
  // Node reads the configuration's TypeScript itself, if the bundler of VitePress cannot see the name of its file.
  const config = JSON.stringify(join(root, 'tools/docs/config.ts'))
  write(
    '.vitepress/config.mjs',
    `const file = ${config}\nexport default (await import(file)).siteConfig(${JSON.stringify(data)})\n`,
  )
}

function siteMap(root: string, pages: readonly SitePage[]) {
  const files = pages.filter(({ path }) => !path.startsWith('reference/'))
  const links = files.flatMap(({ source, path }) => {
    const page = path.replace(/(^|\/)index$/, '$1')
    const folder = source.endsWith('/README.md') && source !== 'deploy/README.md' ? [[dirname(source), page]] : []
    return [[source, page], ...folder]
  })
  return {
    root,
    pages: Object.fromEntries([...links, ['README.md', '']]),
    sources: Object.fromEntries(pages.map(({ path, source }) => [`${path}.md`, source])),
  }
}

/** Changes with everything that the site is built from. */
function stampOf(root: string, pages: readonly SitePage[]): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(pages))
  const files = globSync(['tools/docs/**/*.*', 'docs/images/*', 'lib/pages/browser/shared/icon.svg'], { cwd: root })
  for (const file of files.toSorted()) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  // Without the root, whose version changes with each release.
  const { '': _, ...packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  hash.update(JSON.stringify(packages))
  return hash.digest('hex').slice(0, 16)
}

function builtStamp(site: string): unknown {
  try {
    const manifest = JSON.parse(readFileSync(join(site, 'site.json'), 'utf8')) as { readonly stamp?: unknown }
    return manifest.stamp
  } catch {
    return undefined
  }
}
