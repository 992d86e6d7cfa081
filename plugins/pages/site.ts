/** The documentation site that `npm run docs` builds, for the plugins that serve it. Requests find only its files. */
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { PAGE_HEADERS } from '../../lib/console.ts'
import { type HeadersPhase, isObject, parseJson } from '../../lib/plugin.ts'

const FOLDER = new URL('../../site/', import.meta.url)

/** Files of other types are not served. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
}

export interface SiteFile {
  readonly url: URL
  readonly type: string
  readonly etag: string
  /** The name of the file changes with its content. */
  readonly isImmutable: boolean
}

export interface Site {
  /** Response headers of every file: those of all pages, and a policy that allows the site's own inline scripts. */
  readonly headers: Readonly<Record<string, string>>
  /** Files by path: `api/models.html`. */
  readonly files: ReadonlyMap<string, SiteFile>
  /** A page with this title and body, in the look of the site. */
  frame(title: string, body: string): string
}

/** Throws if the site was not built. `folder`: with a slash at its end. */
export function readSite(folder = FOLDER): Site {
  const { scripts, files } = manifestOf(folder)
  const frame = readFileSync(new URL('frame.html', folder), 'utf8')
  const sources = ["script-src 'self'", ...scripts.map(hash => `'${hash}'`)].join(' ')
  const policy = PAGE_HEADERS['content-security-policy']!.replace("script-src 'self'", sources)
  return {
    headers: { ...PAGE_HEADERS, 'content-security-policy': policy },
    files: new Map(Object.entries(files).flatMap(([path, hash]) => fileOf(folder, path, hash))),
    frame: (title, body) => frame.replace('<!--title-->', () => title).replace('<!--page-->', () => body),
  }
}

interface Manifest {
  /** Hashes of inline scripts, as in a policy: `sha256-…`. */
  readonly scripts: readonly string[]
  /** Hash of each file, by its path. */
  readonly files: Readonly<Record<string, string>>
}

function manifestOf(folder: URL): Manifest {
  let text: string
  try {
    text = readFileSync(new URL('site.json', folder), 'utf8')
  } catch {
    throw new Error("'docs: true' needs the documentation site, which is not built. Build it: npm run docs")
  }
  const manifest = parseJson(text)
  if (!isObject(manifest)) throw new Error(`${folder.pathname}site.json is damaged. Build it again: npm run docs`)
  return manifest as unknown as Manifest
}

function fileOf(folder: URL, path: string, hash: string): [string, SiteFile][] {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)]
  if (type === undefined) return []
  return [[path, { url: new URL(path, folder), type, etag: `"${hash}"`, isImmutable: path.startsWith('assets/') }]]
}

/** Replies with a page that says what does not exist. `content`: HTML. */
export function sendMissing(exchange: Pick<HeadersPhase, 'reply' | 'setHeader'>, site: Site, content: string): void {
  for (const [name, value] of Object.entries(site.headers)) exchange.setHeader(name, value)
  const body = `<h1>Page not found</h1>\n${content}\n<p><a href="/docs/">To the first page of the documentation</a></p>`
  exchange.reply(404, site.frame('Page not found | Sluiceway', body), TYPES.html!)
}

export async function sendFile(
  exchange: Pick<HeadersPhase, 'headers' | 'reply' | 'setHeader'>,
  { headers }: Site,
  { url, type, etag, isImmutable }: SiteFile,
): Promise<void> {
  const cache = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache'
  for (const [name, value] of Object.entries({ ...headers, 'cache-control': cache, etag }))
    exchange.setHeader(name, value)
  if (isCurrent(exchange.headers['if-none-match'], etag)) return exchange.reply(304, '')
  const handle = await open(url)
  exchange.setHeader('content-length', String((await handle.stat()).size))
  exchange.reply(200, handle.createReadStream(), type)
}

/** True if the browser has the file (RFC 9110 section 13.1.2). */
function isCurrent(header: string | undefined, etag: string): boolean {
  return header?.split(',').some(one => ['*', etag].includes(one.trim().replace(/^W\//, ''))) === true
}
