import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { parse } from 'yaml'
import { isObject, type Json, type JsonObject } from '../../../lib/base/json.ts'
import { configSchemas } from '../../../lib/config/config-schemas.ts'
import { accepts } from '../../../lib/config/validators/config.ts'
import { acceptNulls, bodySchemas } from '../../../lib/schemas/body-schemas.ts'
import { newCompiler } from '../../../lib/schemas/compiler.ts'
import { readSchema } from '../../../lib/schemas/read.ts'
import { BODY_CHECKS } from '../../../lib/schemas/validators/bodies.ts'
import { QUERY_CHECKS } from '../../../lib/schemas/validators/queries.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const REPLACEMENTS: readonly Json[] = [null, '', 'x', -1, 0.5, 1e12, true, [], {}, [{}], { type: 'x' }]

/** The value with each of its parts in turn replaced by these, removed, or joined by an unknown member. */
function* variantsOf(value: Json, replacements = REPLACEMENTS): Generator<Json> {
  yield* replacements
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const variant of variantsOf(item, replacements)) yield value.with(index, variant)
  } else if (isObject(value)) {
    yield { ...value, unknown: 1 }
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _, ...others } = value
      yield others
      for (const variant of variantsOf(member!, replacements)) yield { ...value, [name]: variant }
    }
  }
}

/** Without its sentence, which is not used. */
const withoutMessage = (errors: readonly ErrorObject[] | null | undefined) =>
  errors?.map(({ message: _, ...error }) => error) ?? []

function goldenBodies(folder: string): readonly Json[] {
  const files = globSync(`test/golden/requests/${folder}/*.txt`, { cwd: root })
  return files.flatMap(file => {
    const [, section] = readFileSync(join(root, file), 'utf8').split(/^=== client.*\n/m)
    const text = section?.split(/^=== /m)[0]
    return text === undefined ? [] : [JSON.parse(text) as Json]
  })
}

describe('the generated validators', () => {
  const compiler = newCompiler({ errors: 'first', fillDefaults: false, checkSchemas: false })
  for (const schema of bodySchemas()) compiler.addSchema(acceptNulls(schema) as JsonObject)

  for (const [name, folder, every] of [
    ['chat-completions', 'chat', 5],
    ['completions', 'completions', 1],
    ['messages', 'messages', 5],
    ['responses', 'responses', 5],
  ] as const) {
    it(`of ${name} find what the schema finds`, () => {
      const bodies = goldenBodies(folder).filter((_, index) => index % every === 0)
      const variants = bodies.flatMap(body => [body, ...variantsOf(body)])
      const compiled = compiler.getSchema(`gateway:/bodies/${name}.json`)!
      const generated = BODY_CHECKS[name]!
      const seen = new Set<boolean>()
      for (const body of variants) {
        const ignored: [string[], string[]] = [[], []]
        const collect = (index: 0 | 1) => ({ add: (...member: string[]) => ignored[index].push(member.join(' ')) })
        const isValid = compiled.call(collect(0), body) as boolean
        seen.add(isValid)
        if (generated.call(collect(1), body) !== isValid) expect.fail(`${!isValid}: ${JSON.stringify(body)}`)
        expect(ignored[1]).deep.equal(ignored[0])
        if (!isValid) expect(withoutMessage(generated.errors)).deep.equal(withoutMessage(compiled.errors))
      }
      expect([...seen].toSorted()).deep.equal([false, true])
    })
  }

  it('of queries find what the schema finds, with the same defaults', () => {
    const queries = newCompiler({ errors: 'first', fillDefaults: true, checkSchemas: false })
    expect(Object.keys(QUERY_CHECKS)).length.greaterThan(10)
    for (const [id, generated] of Object.entries(QUERY_CHECKS)) {
      const schema = readSchema(id.replace(/^gateway:\/|\.json$/g, ''))
      const compiled = queries.compile(schema)
      const names = Object.keys(schema.properties as JsonObject)
      const values = [...REPLACEMENTS, ...[schema.required ?? []].flat().map(String), '2026-11-21T10:07:33Z', 7]
      for (const query of [{}, ...[...names, 'unknown'].flatMap(name => values.map(value => ({ [name]: value })))]) {
        const [one, other] = [structuredClone(query), structuredClone(query)]
        const isValid = compiled(one)
        expect(generated(other), `${id} ${JSON.stringify(query)}`).equal(isValid)
        if (isValid) expect(other).deep.equal(one)
        else expect(withoutMessage(generated.errors)).deep.equal(withoutMessage(compiled.errors))
      }
    }
  })

  it('of the configuration accept what the schema accepts, with the same defaults', () => {
    const all = newCompiler({ errors: 'all', fillDefaults: true, checkSchemas: false })
    for (const [path, schema] of Object.entries(configSchemas())) all.addSchema(schema, path)
    const compiled = all.getSchema('config.json')!
    const example = parse(readFileSync(join(root, 'config/example.yaml'), 'utf8')) as Json
    let accepted = 0
    for (const file of [example, { models: [{}] }, ...variantsOf(example, [null, 'x', 0, {}])]) {
      const [one, other] = [structuredClone(file), structuredClone(file)]
      const isValid = compiled(one)
      if (accepts(other) !== isValid) expect.fail(`${!isValid}: ${JSON.stringify(file)}`)
      if (!isValid) continue
      accepted++
      // Texts are compared: a comparison by member takes ten times as long.
      expect(JSON.stringify(other)).equal(JSON.stringify(one))
    }
    expect(accepted).greaterThan(10)
  })
})
