import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The package.json of a package with compiled code. `source`: the folder of the original package.json. `directory`: the
 * path of the compiled files relative to the result, `./` or `./dist/`.
 */
export function publishedManifest(source, directory) {
  const {
    private: _,
    devDependencies: __,
    scripts: ___,
    allowScripts: ____,
    files,
    bin,
    exports,
    ...manifest
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const moved = path => path.replace(/^(\.\/)?/, directory)
  const compiled = Object.entries(exports).map(([name, path]) => {
    if (!path.endsWith('.ts')) return [name, path]
    const stem = moved(path.slice(0, -'.ts'.length))
    return [name, { types: `${stem}.d.ts`, default: `${stem}.js` }]
  })
  return {
    ...manifest,
    // dist/ is a whole package. In the other package, `files` excludes the sources.
    ...(directory !== './' && { files }),
    bin: Object.fromEntries(Object.entries(bin).map(([name, path]) => [name, moved(path).slice('./'.length)])),
    exports: Object.fromEntries(compiled),
  }
}
