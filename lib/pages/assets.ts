/**
 * Styles, scripts and the icon of the pages, all in memory: files of browser/ as they are, and uPlot from its package. Styles are one
 * file, `style.css`. They are read when the first page is made; a request only ever finds a name that is in the table.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** Who the pages are for. Each audience has the files of browser/shared and those of the folder with its name. */
export type Audience = 'console' | 'operators'

export interface Asset {
  readonly type: string
  readonly text: string
}

export interface Assets {
  /** Of all files together: part of their URLs, so that browsers may keep them for ever. */
  readonly version: string
  readonly files: ReadonlyMap<string, Asset>
}

/** As a response; `headers` without the content type. */
export interface AssetResponse extends Asset {
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

/**
 * The file at `<version>/<name>`; undefined: there is none. Another version is that of a process with other code, whose page
 * the browser has: the file is then sent, and not kept.
 */
export function assetAt(audience: Audience, version: string, name: string): AssetResponse | undefined {
  const assets = assetsOf(audience)
  const asset = assets.files.get(name)
  if (asset === undefined) return undefined
  const cache = version === assets.version ? 'public, max-age=31536000, immutable' : 'no-store'
  return { ...asset, headers: { 'cache-control': cache, 'x-content-type-options': 'nosniff' } }
}

function load(audience: Audience): Assets {
  const files = new Map<string, Asset>()
  // Nothing is on the screen before all styles are there: so they are one file, which no other one has to name first.
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
  // Its file for modules is not minified; the one for pages becomes a module by one more line.
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
