import { randomBytes } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { parse, stringify } from 'yaml'
import { isObject, parseJson } from '../lib/base/json.ts'
import { PROFILES } from '../lib/config/profile.ts'
import { parseConfig } from '../lib/config/read.ts'
import { builtInNames } from '../lib/process/plugin-loader.ts'
import { play, testServices } from '../lib/testing.ts'
import { toHtml } from '../plugins/pages/error-docs/html.ts'
import requestLog from '../plugins/telemetry/request-log/index.ts'
import { allErrors } from './support/error-codes.ts'
import { anchorsOf } from './support/markdown.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** First cells of the rows of every table below this heading, without their backquotes. */
function firstCells(file: string, heading: string): readonly string[] {
  const section = read(file)
    .split(/^(?=## )/m)
    .find(text => text.startsWith(`## ${heading}\n`))!
  return [...section.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  )
}

/** Those of the names that no table below this heading describes. */
function missing(names: readonly string[], file: string, heading: string): readonly string[] {
  const documented = firstCells(file, heading)
  return names.filter(name => !documented.includes(name))
}

describe('documentation', () => {
  it('has a page for every built-in plugin, and a plugin for every page', () => {
    const pages = readdirSync(join(root, 'docs/plugins')).map(file => file.replace(/\.md$/, ''))
    expect(pages.toSorted()).deep.equal(builtInNames().toSorted())
    for (const name of pages) expect(read(`docs/plugins/${name}.md`), name).match(new RegExp(`^# ${name}\n`))
  })

  it('has every room of the code', () => {
    const folders = readdirSync(join(root, 'lib'), { withFileTypes: true }).filter(entry => entry.isDirectory())
    const names = folders.map(({ name }) => `lib/${name}/`)
    expect(missing(names, 'ARCHITECTURE.md', 'Rooms')).deep.equal([])
  })

  it('begins operation with a configuration that is valid', () => {
    const [, text] = /^```yaml\n(.*?)^```$/ms.exec(read('docs/start/production.md'))!
    const file = text!.replace(/\b(cert|key)\.pem/g, 'test/fixtures/tls/$1.pem')
    const { models, docs, listen } = parseConfig(file, { baseDir: root, env: {}, fileName: 'gateway.yaml' })
    expect([models.length, docs, listen.port]).deep.equal([1, true, 8443])
  })

  it('shows parts of configurations that are valid', () => {
    const known = Object.keys((parseJson(read('schemas/config.json')) as { properties: object }).properties)
    const backends = [{ url: 'http://127.0.0.1:8000/v1' }]
    const model = { id: 'qwen3-32b', backends }
    const key = randomBytes(32).toString('base64')
    for (const page of globSync('docs/**/*.md', { cwd: root }).filter(file => !file.includes('archive')))
      for (const [, text = ''] of read(page).matchAll(/^```yaml\n(.*?)^```$/gms)) {
        const part = parse(text) as Readonly<Record<string, object>>
        const names = Object.keys(part)
        // An entry of `models`, or a file of another program.
        const shown = names.join() === 'backends' ? { models: [{ ...model, ...part }] } : part
        if (!Object.keys(shown).every(name => known.includes(name)) || shown.listen !== undefined) continue
        const { models = [model] } = shown as { models?: readonly object[] }
        const whole = { ...shown, models: models.map(one => ('discover' in one ? one : { backends, ...one })) }
        const env = Object.fromEntries([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => [name, key]))
        expect(() => parseConfig(stringify(whole), { baseDir: root, env, fileName: page }), text).not.throw()
      }
  })

  it('has screenshots that are small, and each on a page', () => {
    const pages = globSync('docs/**/*.md', { cwd: root }).map(read).join('\n')
    const pictures = globSync('docs/images/*', { cwd: root })
    expect(pictures.filter(picture => !pages.includes(`images/${basename(picture)})`))).deep.equal([])
    expect(pictures.reduce((sum, picture) => sum + statSync(join(root, picture)).size, 0)).below(600 * 1024)
  })

  it('links to files and headings that exist', () => {
    const broken: string[] = []
    for (const file of globSync('{*,docs/**/*}.md', { cwd: root })) {
      const text = read(file).replace(/^```.*?^```$/gms, '')
      for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?|mailto):/.test(link!)) continue
        // A decision in the archive may be about code that is gone.
        if (file.startsWith('docs/adr/archive/') && !/\.md(#|$)/.test(link!)) continue
        const [path = '', anchor] = link!.split('#')
        const target = path === '' ? file : join(dirname(file), path)
        const found =
          existsSync(join(root, target)) && (anchor === undefined || anchorsOf(read(target)).includes(anchor))
        if (!found) broken.push(`${file}: ${link}`)
      }
    }
    expect(broken).deep.equal([])
  })

  it('is cited by code under names that exist', () => {
    const unknown = globSync('{lib,plugins,bin,bench,test}/**/*.{ts,mjs}', { cwd: root }).flatMap(file =>
      [...read(file).matchAll(/docs\/adr\/(\d{4})/g)].flatMap(([, number]) =>
        globSync(`docs/adr/{,archive/}${number}-*.md`, { cwd: root }).length === 1 ? [] : `${file}: ${number}`,
      ),
    )
    expect(unknown).deep.equal([])
  })

  it('shows every error as the gateway words it', async () => {
    for (const [code, [, type, template]] of Object.entries(await allErrors())) {
      const page = read(`docs/errors/${code}.md`)
      const example = parseJson(/^```json\n(.*?)^```$/ms.exec(page)![1]!)
      const error = isObject(example) && isObject(example.error) ? example.error : {}
      const wording = template.split(/\{\w+\}/).map(RegExp.escape)
      expect(error, code).include({ code, type })
      expect(error.message, code).match(new RegExp(`^${wording.join('.*')}$`))
      expect(error.docs_url, code).match(new RegExp(`/docs/errors/${code}$`))
      expect(toHtml(page), code).not.match(/^#|^- |\]\(|`/m)
    }
  })

  it('has the profile of every engine', () => {
    /** Wordings, too long for a cell. */
    const isList = (field: string) => field.endsWith('_patterns')
    const shown = (value: unknown) => {
      if (typeof value !== 'object' || value === null) return `\`${value}\``
      const all = Object.values(value)
      return all.length === 0 ? 'none' : `\`${all.join(' ')}\``
    }
    const profiles = Object.values(PROFILES)
    const fields = Object.keys(PROFILES.openai) as (keyof typeof PROFILES.openai)[]
    const [lists, facts] = [fields.filter(isList), fields.filter(field => !isList(field))]
    expect(firstCells('docs/ENGINES.md', 'The profiles')).deep.equal(facts)
    expect(firstCells('docs/ENGINES.md', 'The fields').toSorted()).include.members(fields)
    for (const field of facts) {
      const cells = profiles.map(profile => shown(profile[field])).join(' | ')
      expect(read('docs/ENGINES.md')).contain(`| \`${field}\` | ${cells} |\n`)
    }
    for (const field of lists) expect(new Set(profiles.map(profile => profile[field])), field).have.property('size', 1)
  })

  it('has every metric', () => {
    const names = globSync('{lib,plugins}/**/*.ts', { cwd: root }).flatMap(file =>
      [...read(file).matchAll(/name: '(sluiceway_\w+)'/g)].map(([, name]) => name!),
    )
    const described = firstCells('docs/OPERATIONS.md', 'Metrics').filter(name => name.startsWith('sluiceway_'))
    expect(described.toSorted()).deep.equal(names.toSorted())
  })

  it("has every member of a request's line in the log", async () => {
    const lines: object[] = []
    const log = { info: (line: object) => void lines.push(line) } as never
    await play(requestLog, { services: { log } })
    expect(missing(Object.keys(lines[0]!), 'docs/OPERATIONS.md', 'Logs')).deep.equal([])
  })

  it('has every service that a plugin is given', () => {
    expect(missing(Object.keys(testServices()), 'docs/PLUGINS.md', 'Services')).deep.equal([])
  })
})
