/**
 * Styles, scripts and the icon of the pages: files of browser/, and uPlot. All styles are one file, `style.css`. The
 * first page reads the files into memory. Requests find only names in that table, never paths.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** The users of the pages. Each audience has the files of browser/shared and of the folder with its name. */
export type Audience = 'console' | 'operators'

interface Asset {
  readonly type: string
  readonly text: string
}

interface Assets {
  /** Hash of all files. It is part of their URLs, so that browsers can cache them for ever. */
  readonly version: string
  readonly files: ReadonlyMap<string, Asset>
}

/** `headers`: response headers without the content type. */
interface AssetResponse extends Asset {
  readonly headers: Readonly<Record<string, string>>
}

const FOLDER = new URL('./browser/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const loaded = new Map<Audience, Assets>()

export function assetsOf(audience: Audience): Assets {
  const known = loaded.get(audience)
  if (known !== undefined) return known
  const assets = load(audience)
  loaded.set(audience, assets)
  return assets
}

/** The file at `<version>/<name>`. Browsers do not cache a file for a page of another process with another version. */
export function assetAt(audience: Audience, version: string, name: string): AssetResponse | undefined {
  const assets = assetsOf(audience)
  const asset = assets.files.get(name)
  if (asset === undefined) return undefined
  const cache = version === assets.version ? 'public, max-age=31536000, immutable' : 'no-store'
  return { ...asset, headers: { 'cache-control': cache, 'x-content-type-options': 'nosniff' } }
}

function load(audience: Audience): Assets {
  const files = new Map<string, Asset>()
  // Browsers show nothing until all styles are loaded, so the styles are one file.
  const styles = [packaged('uPlot.min.css')]
  for (const folder of ['shared', audience]) {
    const directory = new URL(`${folder}/`, FOLDER)
    for (const name of readdirSync(directory).toSorted()) {
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
      if (type === undefined) continue
      const text = readFileSync(new URL(name, directory), 'utf8')
      if (type === TYPES.css) styles.push(text)
      else files.set(name, { type, text })
    }
  }
  // The module build of uPlot is not minified. One more line makes the minified script a module.
  const script = `${packaged('uPlot.iife.min.js')}\nexport default uPlot\n`
  files.set('uplot.js', { type: TYPES.js!, text: script })
  files.set('style.css', { type: TYPES.css!, text: styles.join('\n') })
  const hash = createHash('sha256')
  for (const [name, { text }] of files) hash.update(`${name}\0${text}\0`)
  return { version: hash.digest('hex').slice(0, 12), files }
}

function packaged(name: string): string {
  return readFileSync(new URL(import.meta.resolve(`uplot/dist/${name}`)), 'utf8')
}
