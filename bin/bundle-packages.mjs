// Makes the bundles of bundles.mjs, for the folder that is named, or this checkout. npm runs it after an install, and a build for
// dist/. Without esbuild, or where nothing can be written, the packages are used as they are: that is never an error.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root as checkout } from './bootstrap.mjs'
import { bundlesOf, installedVersion, packageFolder, stampOf } from './bundles.mjs'

const root = resolve(process.argv[2] ?? checkout)
try {
  await bundleAll()
} catch (error) {
  process.stderr.write(`Packages are used without bundles, and a start takes longer: ${error.message}\n`)
}

async function bundleAll() {
  const { build } = await import('esbuild')
  for (const { name, file } of bundlesOf(root)) {
    const { outputFiles } = await build({
      stdin: { contents: await entryOf(name), resolveDir: root },
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      // CommonJS modules ask for Node's own.
      banner: { js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)" },
      footer: { js: licenceOf(name) },
    })
    mkdirSync(dirname(file), { recursive: true })
    rmSync(stampOf(file), { force: true })
    replace(file, outputFiles[0].contents)
    replace(stampOf(file), installedVersion(root, name))
  }
}

/** Exports what importing the package gives, by name also where it is CommonJS. */
async function entryOf(name) {
  const main = await import(name)
  const names = Object.keys(main).filter(one => one !== 'module.exports')
  return `export { ${names.join(', ')} } from '${name}'`
}

/** The terms under which the package may be copied, as a comment. */
function licenceOf(name) {
  const folder = packageFolder(root, name)
  const files = readdirSync(folder).filter(file => /^licen[cs]e/i.test(file))
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8').replaceAll('*/', '* /'))
  return `/*! ${name} ${installedVersion(root, name)}\n\n${texts.join('\n')}*/`
}

/** A gateway that starts meanwhile finds the whole file, this one or the one before it. */
function replace(file, contents) {
  const next = `${file}.${process.pid}`
  writeFileSync(next, contents)
  renameSync(next, file)
}
