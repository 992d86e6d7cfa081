import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The package.json of dist/, which is published. `source`: the folder of the checkout's package.json. */
export function publishedManifest(source) {
  const {
    private: _,
    devDependencies: __,
    scripts: ___,
    allowScripts: ____,
    exports,
    ...manifest
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const compiled = Object.entries(exports).map(([name, path]) => {
    if (!path.endsWith('.ts')) return [name, path]
    const stem = path.slice(0, -'.ts'.length)
    return [name, { types: `${stem}.d.ts`, default: `${stem}.js` }]
  })
  return { ...manifest, exports: Object.fromEntries(compiled) }
}
