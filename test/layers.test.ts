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

/** Plugins that answer requests themselves: they may import `lib/console.ts`. */
const ANSWERING = [
  'plugins/batches',
  'plugins/console',
  'plugins/endpoints',
  'plugins/images/files',
  'plugins/pages',
  'plugins/usage-reports',
]

/** What the template of a plugin and its test import. */
const TEMPLATE_MAY = new Set([
  'lib/plugin.ts',
  'lib/testing.ts',
  'plugins/_template/options.json',
  'plugins/_template/index.ts',
])

/**
 * The rooms of lib/ from the lowest up: a file imports its own room and those before it. The doors are above the rooms
 * of an exchange, because they export them. Rooms that start a gateway are above the doors.
 */
const ROOMS = [
  'lib/base',
  'lib/text',
  'lib/pages',
  'lib/errors',
  'lib/canonical',
  'lib/schemas',
  'lib/formats',
  'lib/config',
  'lib/accounts',
  'lib/routes',
  'lib/store',
  'lib/records',
  'lib/limits',
  'lib/alerts',
  'lib/customer-alerts',
  'lib/exports',
  'lib/files',
  'lib/body',
  'lib/batches',
  'lib/oidc',
  'lib/groups',
  'lib/tokens',
  'lib/http',
  'lib/core',
  'lib/transport',
  'lib/engines',
  'lib/backends',
  'lib/routing',
  'lib/dispatch',
  'lib/lifecycle',
  'lib/internal',
  'lib/plugin.ts',
  'lib/console.ts',
  'lib/test-services.ts',
  'lib/testing.ts',
  'lib/history',
  'lib/admin',
  'lib/process',
  'lib/cli',
] as const

function roomOf(file: string): number {
  return ROOMS.findIndex(room => file === room || file.startsWith(`${room}/`))
}

/** Groups of files that import each other in a circle (Tarjan's strongly connected components). */
function circlesOf(imports: readonly Import[]): readonly (readonly string[])[] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (file: string): void => {
    index.set(file, index.size)
    lowest.set(file, index.get(file)!)
    open.push(file)
    for (const { to } of targets.get(file) ?? []) {
      if (!index.has(to)) visit(to)
      if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!))
    }
    if (lowest.get(file) !== index.get(file)) return
    const circle = open.splice(open.indexOf(file))
    if (circle.length > 1) circles.push(circle.toSorted())
  }
  for (const file of targets.keys()) if (!index.has(file)) visit(file)
  return circles
}

/** Entries below a package's name that its documentation shows. */
const DOCUMENTED_ENTRIES: ReadonlySet<string> = new Set(['ajv/dist/2020.js', 'gpt-tokenizer/encoding/o200k_base'])

describe('layers', () => {
  it('every file of lib has a room, and at most five lie loose', () => {
    const files = globSync('lib/**/*.ts', { cwd: root })
    expect(files.filter(file => roomOf(file) < 0)).deep.equal([])
    expect(files.filter(file => dirname(file) === 'lib').length).most(5)
  })

  it('rooms import only what is below them', () => {
    const wrong = importsOf('lib/**/*.ts').filter(({ from, to }) => to.startsWith('lib/') && roomOf(to) > roomOf(from))
    expect(show(wrong)).deep.equal([])
  })

  it('no files import each other in a circle', () => {
    expect(circlesOf(importsOf('{lib,plugins,simulator}/**/*.ts'))).deep.equal([])
  })

  it('the simulator knows nothing of the gateway but the lowest room, and only the command line knows it', () => {
    const out = importsOf('simulator/**/*.ts').filter(({ to }) => !/^(simulator|lib\/base)\//.test(to))
    const into = importsOf('{lib,plugins}/**/*.ts').filter(({ from, to }) => {
      return to.startsWith('simulator/') && !from.startsWith('lib/cli/')
    })
    expect(show([...out, ...into])).deep.equal([])
  })

  it('lib knows no plugin', () => {
    const wrong = importsOf('lib/**/*.ts').filter(({ to }) => to.startsWith('plugins/'))
    expect(show(wrong)).deep.equal([])
  })

  it('plugins import the public doors, their own folder, what their family shares, and the slots', () => {
    const wrong = importsOf('plugins/**/*.ts').filter(({ from, to }) => {
      if (/^plugins\/_template\//.test(from)) return !TEMPLATE_MAY.has(to)
      // A door itself: it exports slots of the core, and has types of their values.
      if (from === 'plugins/slots.ts') return !to.startsWith('lib/')
      if (to === 'lib/plugin.ts') return false
      if (to === 'lib/console.ts') return !ANSWERING.some(folder => from.startsWith(`${folder}/`))
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
      return !/^lib\/(base|text|errors|canonical)\//.test(to) && !to.startsWith(`${own}/`) && !isShared
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
      ({ from, to }) => from.startsWith('lib/body/') && !/^lib\/(base|text|errors|canonical|body)\//.test(to),
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
    expect(users(/^import (?!type).*from 'undici/m)).deep.equal(['lib/transport/connection.ts'])
    // The proxy is loaded by the first request that needs it.
    expect(users(/^import (?!type).*from 'http-proxy-3'/m)).deep.equal(['lib/transport/pipe-call.ts'])
    expect(users(/^import (?!type).*\/pipe-client\.ts'/m)).deep.equal([])
    expect(users(/^import (?!type).*\/pipe-call\.ts'/m)).deep.equal(['lib/transport/pipe-client.ts'])
    expect(users(/\bDate\.now\(/).filter(file => !/^lib\/(base\/clock\.ts|cli\/)/.test(file))).deep.equal([])
    expect(users(/process\.env\b/).filter(file => !file.startsWith('lib/cli/'))).deep.equal([])
    // parseText() and parseJson() read foreign JSON, whose names may have escapes. The others read own data.
    expect(users(/\bJSON\.parse\(/).toSorted()).deep.equal([
      'lib/base/json.ts',
      'lib/body/lazy-text.ts',
      'lib/schemas/read.ts',
      'lib/store/sqlite/worker.ts',
    ])
  })

  /** Lines of comments in TypeScript and JavaScript. */
  const comments = (pattern: string) =>
    globSync(pattern, { cwd: root })
      .filter(file => !/\/(?:generated|validators)\//.test(file))
      .flatMap(file => {
        const lines = readFileSync(join(root, file), 'utf8').split('\n')
        return lines.flatMap((line, i) => (/^\s*(?:\/\/|\/?\*)/.test(line) ? [{ at: `${file}:${i + 1}`, line }] : []))
      })

  it('comments are at most 120 columns wide', () => {
    const all = comments('{lib,plugins,simulator,bin,tools,bench,test}/**/*.{ts,mjs}')
    expect(all.length).greaterThan(1000)
    expect(all.filter(({ line }) => line.length > 120).map(({ at }) => at)).deep.equal([])
  })

  it('no private member of Node or of a package is used, and no flag of V8 is set at run time', () => {
    const files = globSync('{lib,plugins,simulator}/**/*.ts', { cwd: root }).filter(
      file => !/\/(?:generated|validators)\//.test(file),
    )
    const wrong = files.flatMap(file => {
      const text = readFileSync(join(root, file), 'utf8')
      const members = text.match(/[\w)\]]\??\._[a-z]\w*/g) ?? []
      const runTime = text.match(/setFlagsFromString|getBuiltinModule|process\.binding/g) ?? []
      // Entries below a package's name that its documentation does not show.
      const imports = [
        ...text.matchAll(/(?:from|import\(|require\()\s*'((?:@[^/'\s]+\/)?[^./'@\s][^/'\s]*\/[^'\s]+)'/g),
      ]
        .map(([, name]) => name!)
        .filter(name => !name.startsWith('node:') && !DOCUMENTED_ENTRIES.has(name))
      return [...members, ...runTime, ...imports].map(what => `${file}: ${what}`)
    })
    expect(wrong).deep.equal([])
  })
})
