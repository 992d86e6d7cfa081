import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Import {
  readonly from: string
  readonly to: string
}

/** Every relative import of these files, both ends as paths from the root. */
function importsOf(pattern: string): readonly Import[] {
  return globSync(pattern, { cwd: root }).flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, to]) => ({
      from: file,
      to: normalize(join(dirname(file), to!)),
    }))
  })
}

const show = (imports: readonly Import[]) => imports.map(({ from, to }) => `${from} -> ${to}`)

/** What the template of a plugin and its test import. */
const TEMPLATE_MAY = new Set([
  'lib/plugin.ts',
  'lib/testing.ts',
  'plugins/_template/options.json',
  'plugins/_template/index.ts',
])

describe('layers', () => {
  it('lib knows no plugin', () => {
    const wrong = importsOf('lib/**/*.ts').filter(({ to }) => to.startsWith('plugins/'))
    expect(show(wrong)).deep.equal([])
  })

  it('plugins import the public door, their own folder, what their family shares, and the slots', () => {
    const wrong = importsOf('plugins/**/*.ts').filter(({ from, to }) => {
      if (/^plugins\/_template\//.test(from)) return !TEMPLATE_MAY.has(to)
      if (to === 'lib/plugin.ts' || from === 'plugins/slots.ts') return to !== 'lib/plugin.ts'
      const own = from.split('/').slice(0, 3).join('/')
      const isShared = dirname(to) === from.split('/').slice(0, 2).join('/')
      return to !== 'plugins/slots.ts' && !to.startsWith(`${own}/`) && !isShared
    })
    expect(show(wrong)).deep.equal([])
  })

  it('formats know the canonical form and their own folder; chat and completions also what they share', () => {
    const wrong = importsOf('lib/formats/*/**/*.ts').filter(({ from, to }) => {
      const own = from.split('/').slice(0, 3).join('/')
      const isShared = to.startsWith('lib/formats/openai/') && /^lib\/formats\/(chat|completions)\//.test(from)
      return !/^lib\/(base|errors|canonical)\//.test(to) && !to.startsWith(`${own}/`) && !isShared
    })
    expect(show(wrong)).deep.equal([])
  })

  it('only the body room knows that texts of large bodies are kept as bytes, and it has one door', () => {
    const all = importsOf('{lib,plugins,simulator,bench}/**/*.ts')
    const beside = all.filter(
      ({ from, to }) => !from.startsWith('lib/body/') && to.startsWith('lib/body/') && to !== 'lib/body/index.ts',
    )
    expect(show(beside)).deep.equal([])
    const upwards = all.filter(
      ({ from, to }) => from.startsWith('lib/body/') && !/^lib\/(base|errors|canonical|body)\//.test(to),
    )
    expect(show(upwards)).deep.equal([])
    const words = /\bdetach|placeholders?\(|heldText|DetachedTexts/i
    const talking = globSync('{lib,plugins,simulator,bench}/**/*.ts', { cwd: root }).filter(
      file => !file.startsWith('lib/body/') && words.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(talking).deep.equal([])
  })

  it('only one file knows undici, and only few know the clock, the environment and JSON.parse', () => {
    const users = (what: RegExp) =>
      globSync('{lib,plugins}/**/*.ts', { cwd: root }).filter(file => what.test(readFileSync(join(root, file), 'utf8')))
    expect(users(/^import (?!type).*from 'undici/m)).deep.equal(['lib/upstream/connection.ts'])
    expect(users(/\bDate\.now\(/).filter(file => !/^lib\/(base\/clock\.ts|cli\/)/.test(file))).deep.equal([])
    expect(users(/process\.env\b/).filter(file => !file.startsWith('lib/cli/'))).deep.equal([])
    const parsers = users(/\bJSON\.parse\(/).filter(
      file => !/^lib\/(base\/json\.ts|schemas\/|body\/|sse\/|store\/|records\/|upstream\/|cli\/)/.test(file),
    )
    expect(parsers).deep.equal([])
  })
})
