/** docs/api agrees with the schemas, the route table and the table of errors. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { isObject, type Json, parseJson } from '../lib/base/json.ts'
import { ROUTES, type Route, type RouteName } from '../lib/routes/routes.ts'
import { OPERATIONS } from '../plugins/pages/openapi/operations.ts'
import { allErrors } from './support/error-codes.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = new Map(
  globSync('docs/api/*.md', { cwd: root }).map(file => [
    file.slice('docs/api/'.length),
    readFileSync(join(root, file), 'utf8'),
  ]),
)

/** Schemas of pages and documents for people and machines, which no page of the reference is about. */
const ELSEWHERE = ['queries/console-login', 'replies/landing', 'replies/openapi']

interface Found {
  readonly members: ReadonlyMap<string, Json>
  /** The files of the members' schemas, by name. */
  readonly files: ReadonlyMap<string, string>
  readonly required: ReadonlySet<string>
}

function readSchema(path: string, pointer: string): Json {
  let value = parseJson(readFileSync(join(root, 'schemas', path), 'utf8'))
  for (const name of pointer.split('/').slice(1)) value = isObject(value) ? value[name] : undefined
  if (value === undefined) throw new Error(`no schema at ${path}#${pointer}`)
  return value
}

/** Follows `$ref` of a schema in the file `path`. */
function dereference(schema: Json, path: string): { readonly schema: Json; readonly path: string } {
  if (!isObject(schema) || typeof schema.$ref !== 'string') return { schema, path }
  const { pathname, hash } = new URL(schema.$ref, `schema:/${path}`)
  return dereference(readSchema(pathname.slice(1), hash.slice(1)), pathname.slice(1))
}

/** The members that an object may have: its own, those of what it includes, and those of its cases. */
function membersOf(schema: Json, path: string): Found {
  const members = new Map<string, Json>()
  const files = new Map<string, string>()
  const required = new Set<string>()
  const visit = (part: Json | undefined, file: string, always: boolean): void => {
    if (!isObject(part)) return
    const target = dereference(part, file)
    if (target.schema !== part) visit(target.schema, target.path, always)
    for (const included of Array.isArray(part.allOf) ? part.allOf : []) visit(included, file, always)
    if (always && Array.isArray(part.required)) for (const name of part.required) required.add(String(name))
    for (const [name, member] of Object.entries(isObject(part.properties) ? part.properties : {})) {
      if (members.has(name)) continue
      const found = dereference(member!, file)
      members.set(name, found.schema)
      files.set(name, found.path)
    }
    visit(part.then, file, false)
    visit(part.else, file, false)
  }
  visit(schema, path, true)
  return { members, files, required }
}

interface Table {
  readonly page: string
  readonly path: string
  readonly pointer: string
  /** Whole rows, by the name in the first cell. */
  readonly rows: ReadonlyMap<string, string>
  readonly isReply: boolean
}

/** Every table that lists the members of a schema. */
const tables: readonly Table[] = [...pages].flatMap(([page, text]) =>
  [...text.matchAll(/^<!-- members: schemas\/(\S+\.json)(?:#(\S*))? -->\n\n((?:\|.*\n)+)/gm)].map(
    ([, path, pointer = '', table]) => ({
      page,
      path: path!,
      pointer,
      rows: new Map([...table!.matchAll(/^\| `([^`]+)` \|.*$/gm)].map(([row, name]) => [name!, row])),
      isReply: !table!.includes('| Default |'),
    }),
  ),
)

const NONE = new Set([2147483647, 9007199254740991, -9007199254740991])

/** What a row has to show of a member's schema. */
function facts(member: Json): readonly string[] {
  if (member === false) return ['refused']
  if (!isObject(member)) return []
  if (member['x-no-effect'] === true) return ['no effect']
  const values = [...(Array.isArray(member.enum) ? member.enum : []), member.const, member.default]
  const bounds = [member.minimum, member.maximum, member.exclusiveMinimum, member.maxItems, member.maxProperties]
  return [
    ...values.filter(value => value !== undefined).map(value => (value === null ? 'null' : `\`${value}\``)),
    ...bounds.filter(bound => bound !== undefined && !NONE.has(Number(bound))).map(String),
  ]
}

/** The part of a page below a heading. */
function section(page: string, heading: string): string {
  return (
    pages
      .get(page)!
      .split(/^(?=## )/m)
      .find(part => part.startsWith(`## ${heading}\n`)) ?? ''
  )
}

/** Words in code on a page. */
function wordsOf(page: string): readonly string[] {
  return [...pages.get(page)!.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code!.match(/\w+/g) ?? [])
}

const codesIn = (text: string) => [...text.matchAll(/\[`(\w+)`\]\(\.\.\/errors\/(\w+)\.md\)/g)].map(([, code]) => code!)

describe('API pages', () => {
  it('list exactly the members of the schemas', () => {
    expect(tables.length).greaterThan(40)
    for (const { page, path, pointer, rows } of tables) {
      const { members } = membersOf(readSchema(path, pointer), path)
      expect([...rows.keys()].toSorted(), `${page}: ${path}#${pointer}`).deep.equal([...members.keys()].toSorted())
    }
  })

  it('tell what is required, and name values, defaults and limits', () => {
    for (const { page, path, pointer, rows, isReply } of tables) {
      const { members, required } = membersOf(readSchema(path, pointer), path)
      for (const [name, row] of rows) {
        const missing = facts(members.get(name)!).filter(fact => !row.includes(fact))
        expect(missing, `${page}: ${name}: ${row}`).deep.equal([])
        if (!isReply && required.has(name)) expect(row, page).contain('| required |')
      }
      expect(isReply, `${page}: ${path}`).equal(path.startsWith('replies/'))
    }
  })

  it('mention every member of the objects inside a body, or link to the page that does', () => {
    for (const { page, path, pointer, rows, isReply } of tables) {
      if (isReply) continue
      const { members, files } = membersOf(readSchema(path, pointer), path)
      for (const [name, member] of members) {
        const links = [...rows.get(name)!.matchAll(/\]\(([\w-]+\.md)/g)].map(([, link]) => link!)
        const words = new Set([page, ...links].flatMap(wordsOf))
        const inner = [...membersOf(member, files.get(name)!).members.keys()]
        expect(
          inner.filter(each => !words.has(each)),
          `${page}: ${name}`,
        ).deep.equal([])
      }
    }
  })

  it('are about every schema of bodies, queries and replies', () => {
    const said = new Set(tables.filter(({ pointer }) => pointer === '').map(({ path }) => path.replace(/\.json$/, '')))
    // The envelope is one member, which is listed.
    for (const { path } of tables) if (path === 'replies/error.json') said.add('replies/error')
    const all = globSync('schemas/{bodies,queries,replies}/*.json', { cwd: root }).map(file => file.slice(8, -5))
    // Parts that other schemas include.
    const parts = ['replies/usage-totals']
    expect(all.filter(name => !said.has(name) && !ELSEWHERE.includes(name) && !parts.includes(name))).deep.equal([])
  })

  it('have every route, with its surfaces and its page', () => {
    const rows = [...section('README.md', 'Routes').matchAll(/^\| ([A-Z]+) \| `([^`]+)` \| ([^|]+) \| (.*) \|$/gm)]
    const shown = rows.map(([, method, path, surfaces]) => `${method} ${path} ${surfaces}`)
    const served = (ROUTES as readonly Route[]).map(
      ({ method, path, surfaces }) => `${method} ${path} ${surfaces.join(', ')}`,
    )
    expect(shown).deep.equal(served)
    for (const [, method, path, , link] of rows) {
      if (!path!.startsWith('/v1/')) continue
      const page = /\]\((\w[\w-]*\.md)/.exec(link!)?.[1]
      expect(pages.get(page!), `${method} ${path}`).contain(`\`${method} ${path}\``)
    }
  })

  it('have the errors of each route', () => {
    const byPage = new Map<string, RouteName[]>()
    for (const [, method, path, page] of section('README.md', 'Routes').matchAll(
      /^\| ([A-Z]+) \| `(\/v1\/[^`]+)` \|[^|]+\| \[[^\]]+\]\(([\w-]+\.md)/gm,
    )) {
      const { name } = ROUTES.find(route => route.method === method && route.path === path)!
      byPage.set(page!, [...(byPage.get(page!) ?? []), name])
    }
    expect(byPage.size).greaterThan(10)
    for (const [page, names] of byPage) {
      const codes = new Set(names.flatMap(name => OPERATIONS[name].errors))
      expect(codesIn(section(page, 'Errors')).toSorted(), page).deep.equal([...codes].toSorted())
    }
  })

  it('have every error code with its status and type', async () => {
    const all = await allErrors()
    const text = section('errors.md', 'Codes')
    expect(codesIn(text).toSorted()).deep.equal(Object.keys(all).toSorted())
    for (const [, code, statuses, type] of text.matchAll(/^\| \[`(\w+)`\]\(\S+\) \| ([^|]+) \| `(\w+)` \|/gm)) {
      const [status, expected] = all[code!]!
      expect(statuses!.split(' or '), code).include(String(status))
      expect(type, code).equal(expected)
    }
  })

  it('have an example for the command line and one for a program', () => {
    for (const [page] of pages) {
      if (page === 'README.md' || page === 'errors.md') continue
      expect(section(page, 'Examples'), page).match(/^```sh\n(?:.*\n)*?.*curl [\s\S]*^```js\n/m)
    }
  })
})
