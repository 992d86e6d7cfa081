import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { isObject, type JsonObject } from '../../../lib/base/json.ts'
import { configSchemas } from '../../../lib/config/config-schemas.ts'
import { configReference } from '../../../lib/config/reference.ts'

const SCHEMAS = configSchemas()

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')

describe('docs/CONFIG.md', () => {
  const text = configReference()

  it('is current', () => {
    const written = read('docs/CONFIG.md')
    expect(written === text, 'run: npm run reference').equal(true)
  })

  it('has a row for every kind of member', () => {
    expect(text).contain('| `brand` | string | `service` | ')
    expect(text).contain('| `port` | whole number, 0 to 65535 | `8080` | ')
    expect(text).contain('| [`admin`](#admin) | object or `false` |  | ')
    expect(text).contain('| `reasoning` | `false`, `true`, `always` | `false` | ')
    expect(text).contain(
      '| `clamp_max_tokens` | array of `chat`, `completions`, `messages`, `responses` | `["messages"]` | ',
    )
    expect(text).contain('| `headers` | map of strings | `{}` | ')
    expect(text).contain('| `url` | string | none: see `discover` | ')
    expect(text).contain('| [`plugins`](#plugins) | array of objects or object | the default chain | ')
    expect(text).contain('| [`defaults`](#models) | object |')
    expect(text).contain('## `models[]`\n').and.contain('## `models[] with discover`\n')
    expect(text).contain('## `plugins`\n').and.contain('## `plugins[]`\n').and.contain('## `plugins.add[]`\n')
    expect(text).contain('## `accounts[].keys[]`\n')
    expect(text).contain('## `plans.<name>.requests`\n')
  })

  it('links only to sections it has', () => {
    const anchors = new Set(
      [...text.matchAll(/^## (.*)$/gm)].map(([, title]) =>
        title!
          .toLowerCase()
          .replaceAll(' ', '-')
          .replace(/[^a-z0-9_-]/g, ''),
      ),
    )
    const links = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor!)
    expect(links).lengthOf.above(10)
    for (const link of links) expect(anchors, link).include(link)
  })
})

/** Every named member in the schemas of the configuration. */
function* members(schema: unknown): Generator<readonly [name: string, member: JsonObject]> {
  if (Array.isArray(schema)) for (const each of schema) yield* members(each)
  if (!isObject(schema)) return
  for (const [name, member] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (isObject(member)) yield [name, member]
  }
  for (const inner of Object.values(schema)) yield* members(inner)
}

describe('a member of the configuration', () => {
  const reference = read('docs/CONFIG.md')
  const example = read('config/example.yaml')
  const types = read('lib/config/generated/file.ts')

  it('is described, and occurs in the reference, in the example and in the types', () => {
    const missing: string[] = []
    for (const [name, member] of members(Object.values(SCHEMAS))) {
      // A reference has the description of what it leads to, unless it has one of its own.
      if (member.description === undefined && member.$ref === undefined) missing.push(`${name}: no description`)
      if (!new RegExp(`^\\| \\[?\`${RegExp.escape(name)}\``, 'm').test(reference))
        missing.push(`${name}: docs/CONFIG.md`)
      if (!new RegExp(`\\b${name}\\??:`).test(types) && name !== '$schema') missing.push(`${name}: types`)
      if (!new RegExp(`\\b${name}:`).test(example) && name !== '$schema') missing.push(`${name}: config/example.yaml`)
    }
    expect(missing).deep.equal([])
  })
})
