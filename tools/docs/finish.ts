/**
 * Makes the output of VitePress fit for the gateway. Pictures in styles become files, because the policy of the site
 * allows no `data:`. `site.json` lists the files with their ETags, and the hashes of inline scripts. `frame.html` is
 * the site without a page, for pages that are made at run time.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Finishes the site in `out`. `stamp`: of its sources. */
export function finishSite(out: string, stamp: string): void {
  for (const file of ['404.html', 'hashmap.json']) rmSync(join(out, file), { force: true })
  const files = () => globSync('**/*', { cwd: out }).filter(file => statSync(join(out, file)).isFile())
  const read = (file: string) => readFileSync(join(out, file), 'utf8')
  for (const file of files().filter(name => name.endsWith('.css')))
    writeFileSync(join(out, file), picturesAsFiles(read(file), out))
  const scripts = new Set<string>()
  for (const file of files().filter(name => name.endsWith('.html'))) {
    for (const script of inlineScripts(read(file))) scripts.add(script)
  }
  const etags = files()
    .toSorted()
    .map(file => [file, digest(readFileSync(join(out, file)), 'hex').slice(0, 16)])
  writeFileSync(join(out, 'frame.html'), frameOf(read('errors/index.html')))
  const hashes = [...scripts].map(script => `sha256-${digest(script, 'base64')}`)
  writeFileSync(join(out, 'site.json'), JSON.stringify({ stamp, scripts: hashes, files: Object.fromEntries(etags) }))
}

function digest(content: string | Buffer, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(content).digest(encoding)
}

/** Writes each picture of a style sheet to a file in assets/, and returns the style sheet with their paths. */
function picturesAsFiles(css: string, out: string): string {
  return css.replace(
    /url\((["']?)data:image\/svg\+xml[;,](.*?)\1\)(?=[;}\s,!])/g,
    (_, _quote: string, data: string) => {
      const text = decodeURIComponent(data.replace(/^(?:utf-?8|charset=utf-?8),/i, '').replaceAll("\\'", "'"))
      const name = `assets/picture.${digest(text, 'hex').slice(0, 8)}.svg`
      writeFileSync(
        join(out, name),
        text.includes('xmlns') ? text : text.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'),
      )
      return `url("/docs/${name}")`
    },
  )
}

function inlineScripts(html: string): readonly string[] {
  return [...html.matchAll(/<script\b(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script!)
}

/** A page of the site without its text and its modules. `<!--title-->` and `<!--page-->` mark what is filled in. */
function frameOf(html: string): string {
  const frame = html
    .replace('<html ', '<html class="frame" ')
    .replace(/<script\b[^>]*\bsrc=[^>]*><\/script>/g, '')
    .replace(/<link rel="modulepreload"[^>]*>/g, '')
    .replace(/<title>.*?<\/title>/, '<title><!--title--></title>')
    .replace(/(<main\b[^>]*>).*(<\/main>)/s, '$1<div class="vp-doc"><!--page--></div>$2')
  for (const part of ['<!--title-->', '<!--page-->'])
    if (!frame.includes(part)) throw new Error(`no ${part} in the frame`)
  return frame
}
