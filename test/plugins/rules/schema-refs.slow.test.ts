import { expect } from 'chai'
import fc from 'fast-check'
import { parseSource } from '../../../lib/base/source-json.ts'
import type { Hooks } from '../../../lib/core/plugin.ts'
import { type CanonicalRequest, isObject, type Json, type JsonObject } from '../../../lib/plugin.ts'
import { play, testServices } from '../../../lib/testing.ts'
import schemaRefs from '../../../plugins/rules/schema-refs/index.ts'
import { chat } from '../../../plugins/slots.ts'
import { chatRequest, refusalOf, textRequest, tool } from '../../support/canonical.ts'
import { expectQuick } from '../../support/cost.ts'
import { schemaBombs } from '../../support/schema-bombs.ts'

const PARAM = 'tools.0.function.parameters'

/** The hook, which returns no promise if there is no reference. */
const { onBody } = schemaRefs.setup({}, testServices()) as Hooks
const inlineReferences = (request: CanonicalRequest) => onBody!({ get: () => request } as never) ?? undefined

/** The parameters of a tool with inlined references. Does not change `schema`. */
async function inlined(schema: JsonObject): Promise<Json | undefined> {
  const request = chatRequest({ tools: [tool({ parameters: structuredClone(schema) })] })
  await inlineReferences(request)
  return request.tools[0]!.parameters
}

function refused(schema: JsonObject) {
  return refusalOf(inlineReferences(chatRequest({ tools: [tool({ parameters: structuredClone(schema) })] })))
}

const unsupported = { code: 'json_schema_refs_unsupported', status: 400, param: PARAM }
const city = { type: 'string', description: 'A city' }

describe('schema-refs', () => {
  describe('inlines', () => {
    it('references to $defs and definitions, and drops those', async () => {
      for (const keyword of ['$defs', 'definitions']) {
        const schema = {
          type: 'object',
          properties: { from: { $ref: `#/${keyword}/city` }, to: { $ref: `#/${keyword}/city` } },
          [keyword]: { city },
        }
        expect(await inlined(schema)).deep.equal({ type: 'object', properties: { from: city, to: city } })
      }
    })

    it('references to any other path of the document', async () => {
      const schema = {
        properties: {
          from: city,
          to: { $ref: '#/properties/from' },
          both: { items: [{ $ref: '#/properties/to' }, true] },
        },
        components: { schemas: { list: { type: 'array', items: { $ref: '#/properties/both/items/0' } } } },
        additionalProperties: { $ref: '#/components/schemas/list' },
      }
      const list = { type: 'array', items: city }
      expect(await inlined(schema)).deep.equal({
        properties: { from: city, to: city, both: { items: [city, true] } },
        components: { schemas: { list } },
        additionalProperties: list,
      })
    })

    it('references inside the targets of references', async () => {
      const schema = {
        properties: { a: { $ref: '#/$defs/list' } },
        $defs: { list: { items: { $ref: '#/$defs/pair' } }, pair: { anyOf: [{ $ref: '#/$defs/city' }] }, city },
      }
      expect(await inlined(schema)).deep.equal({ properties: { a: { items: { anyOf: [city] } } } })
    })

    it('a reference instead of the whole schema', async () => {
      const schema = {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: 'https://example.com/trip',
        $ref: '#/definitions/Trip',
        definitions: { Trip: { type: 'object', properties: { to: { $ref: '#/definitions/City' } } }, City: city },
      }
      expect(await inlined(schema)).deep.equal({
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: 'https://example.com/trip',
        type: 'object',
        properties: { to: city },
      })
    })

    it('names with tilde, slash, percent and other escapes', async () => {
      const names = ['a/b', 'a~b', 'a%b', 'a b', 'ä', '%41', '~1', '', '"', 'a\tb', '\\', '__proto__', '😀', 'a?b#c']
      for (const name of names) {
        const token = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
        const schema = JSON.parse(
          JSON.stringify({ properties: { a: { $ref: `#/%24defs/${token}` } } }).replace(
            /}$/,
            `,"$defs":{${JSON.stringify(name)}:${JSON.stringify(city)},"b":{}}}`,
          ),
        ) as JsonObject
        expect(await inlined(schema), JSON.stringify(name)).deep.equal({ properties: { a: city } })
      }
    })

    it('with numbers and names as they were written', async () => {
      const properties = '{"10":{"$ref":"#/$defs/id","default":105.0},"2":{"$ref":"#/$defs/10"}}'
      const targets = '{"id":{"type":"integer","maximum":9223372036854775807},"10":{"multipleOf":0.10}}'
      const schema = parseSource(`{"type":"object","properties":${properties},"$defs":${targets}}`) as JsonObject
      const request = chatRequest({ tools: [tool({ parameters: schema })] })
      await inlineReferences(request)
      expect(JSON.stringify(request.tools[0]!.parameters)).equal(
        '{"type":"object","properties":{"10":{"default":105.0,"type":"integer","maximum":9223372036854775807},"2":{"multipleOf":0.10}}}',
      )
      expect(JSON.stringify(schema)).include(`"properties":${properties}`)
    })

    it('the schema of structured output, on chat and on text completions', async () => {
      for (const newRequest of [chatRequest, textRequest]) {
        const schema = { properties: { a: { $ref: '#/$defs/city' } }, $defs: { city } }
        const responseFormat = { type: 'json_schema', name: 'x', schema, strict: true, description: undefined } as const
        const request = newRequest({ responseFormat: { ...responseFormat } })
        await inlineReferences(request)
        expect(request.responseFormat).deep.equal({ ...responseFormat, schema: { properties: { a: city } } })
      }
    })
  })

  describe('keeps the keywords next to a reference', () => {
    const target = { type: 'string', description: 'A city', maxLength: 20 }
    const beside = async (siblings: JsonObject, referred: Json = target) => {
      const schema = { properties: { a: { $ref: '#/$defs/t', ...siblings } }, $defs: { t: referred } }
      return ((await inlined(schema)) as { properties: { a: Json } }).properties.a
    }

    it('a description replaces the description', async () => {
      expect(await beside({ description: 'Where to' })).deep.equal({ ...target, description: 'Where to' })
      expect(await beside({ default: 'Rome', title: 'To' })).deep.equal({ ...target, default: 'Rome', title: 'To' })
    })

    it('an independent keyword is merged', async () => {
      expect(await beside({ minLength: 2 })).deep.equal({ ...target, minLength: 2 })
      expect(await beside({ type: 'string', minLength: 2 })).deep.equal({ ...target, minLength: 2 })
    })

    it('a repeated keyword is added by allOf', async () => {
      expect(await beside({ maxLength: 10, title: 'To' })).deep.equal({ maxLength: 10, title: 'To', allOf: [target] })
      expect(await beside({ type: ['string', 'null'] })).deep.equal({ type: ['string', 'null'], allOf: [target] })
      expect(await beside({ maxLength: 10, allOf: [{ minLength: 3 }] })).deep.equal({
        maxLength: 10,
        allOf: [{ minLength: 3 }, target],
      })
    })

    it('properties and additionalProperties are combined by allOf', async () => {
      const open = { type: 'object', properties: { a: city }, required: ['a'] }
      expect(await beside({ properties: { b: city } }, open)).deep.equal({ properties: { b: city }, allOf: [open] })
      expect(await beside({ additionalProperties: false }, open)).deep.equal({
        additionalProperties: false,
        allOf: [open],
      })
      expect(await beside({ required: ['b'] }, open)).deep.equal({ required: ['b'], allOf: [open] })
      expect(await beside({ description: 'x' }, open)).deep.equal({ ...open, description: 'x' })
    })

    it('a target that is true or false is combined by allOf', async () => {
      expect(await beside({ description: 'x' }, true)).deep.equal({ description: 'x', allOf: [true] })
      expect(await beside({}, false)).equal(false)
    })

    it('on references that lead to references', async () => {
      const schema = {
        properties: { a: { $ref: '#/$defs/b', description: 'a' }, e: { $ref: '#/$defs/b', minLength: 1 } },
        $defs: { b: { $ref: '#/$defs/c', title: 'b' }, c: target },
      }
      expect(await inlined(schema)).deep.equal({
        properties: {
          a: { ...target, title: 'b', description: 'a' },
          e: { minLength: 1, allOf: [{ ...target, title: 'b' }] },
        },
      })
    })
  })

  describe('does not treat as a reference', () => {
    it('a property of that name', async () => {
      const schema = { properties: { $ref: { type: 'string' }, $dynamicRef: city }, required: ['$ref'] }
      expect(await inlined(schema)).deep.equal(schema)
      const named = { properties: { $ref: { $ref: '#/$defs/$ref' } }, $defs: { $ref: city } }
      expect(await inlined(named)).deep.equal({ properties: { $ref: city } })
    })

    it('data that looks like a reference', async () => {
      const data = { $ref: 'https://example.com/x' }
      const schema = {
        properties: {
          a: { enum: [data, { deep: [data] }] },
          b: { const: { $ref: '#/nowhere' } },
          c: { default: data, examples: [data], example: { inner: data } },
          d: { $ref: '#/$defs/city' },
        },
        $defs: { city: { ...city, default: { $ref: '#/$defs/city' } } },
      }
      const { $defs, ...rest } = schema
      expect(await inlined(schema)).deep.equal({ ...rest, properties: { ...rest.properties, d: $defs.city } })
    })
  })

  describe('refuses', () => {
    const cases: Readonly<Record<string, JsonObject>> = {
      'a URL': { $ref: 'https://example.com/schema.json' },
      'a file': { $ref: '/etc/passwd' },
      'a file URL': { $ref: 'file:///etc/passwd#/x' },
      'a relative file': { $ref: 'package.json' },
      'another scheme': { $ref: 'data:application/json,{}' },
      'a URL without scheme': { $ref: '//example.com/x' },
      'an anchor': { $ref: '#city', $defs: { city: { $anchor: 'city' } } },
      'the document itself': { properties: { a: { $ref: '#' } } },
      'an empty one': { $ref: '' },
      'one that is no string': { $ref: 5 },
      'one to null': { $ref: '#/$defs/a', $defs: { a: null } },
      'one that leads nowhere': { properties: { a: { $ref: '#/$defs/b' } } },
      'one to a member of every object': { properties: { a: { $ref: '#/toString' }, b: { $ref: '#/__proto__' } } },
      'one past the end of a list': { allOf: [{ $ref: '#/anyOf/1' }], anyOf: [true] },
      'one to the length of a list': { allOf: [{ $ref: '#/anyOf/length' }], anyOf: [true] },
      'one to a text': { title: 'x', allOf: [{ $ref: '#/title' }] },
      'one to a list': { allOf: [{ $ref: '#/anyOf' }], anyOf: [true] },
      'one through another': {
        properties: { a: { $ref: '#/$defs/b/properties/c' } },
        $defs: { b: { $ref: '#/$defs/d' }, d: { properties: { c: {} } } },
      },
      'one into data': { properties: { a: { $ref: '#/default' } }, default: { $ref: '#/properties' } },
      'bad escapes': { properties: { a: { $ref: '#/$defs/%E0%A4%A' } } },
      'half a character': { properties: { a: { $ref: '#/$defs/\ud800' } }, $defs: { '\ud800': {} } },
      'one to itself': { $defs: { a: { $ref: '#/$defs/a' } }, properties: { a: { $ref: '#/$defs/a' } } },
      'two to each other': {
        $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
        properties: { a: { $ref: '#/$defs/a' } },
      },
      'a tree': {
        $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
        properties: { a: { $ref: '#/$defs/node' } },
      },
      'one to what it stands in': { properties: { a: { properties: { b: { $ref: '#/properties/a' } } } } },
      'a recursive definition that nobody uses': { $defs: { a: { not: { $ref: '#/$defs/a' } } } },
      'a remote one in an unknown keyword': { 'x-more': [{ $ref: 'http://169.254.169.254/' }] },
      'one in place of all properties': { properties: { $ref: '#/$defs/all' }, $defs: { all: { a: city } } },
      'a dynamic one': { $dynamicRef: '#node', $defs: { node: { $dynamicAnchor: 'node' } } },
      'a recursive one of 2019-09': { $recursiveRef: '#' },
      'one inside a schema with an $id of its own': {
        properties: { a: { $id: 'https://example.com/a', $defs: { b: {} }, properties: { c: { $ref: '#/$defs/b' } } } },
        $defs: { b: {} },
      },
      'one beside an $id of its own': { properties: { a: { $id: 'other', $ref: '#/$defs/b' } }, $defs: { b: {} } },
    }

    for (const [what, schema] of Object.entries(cases)) {
      it(what, async () => expect(await refused(schema)).deep.equal(unsupported))
    }

    it('and names the tool or the format', async () => {
      const schema = { properties: { a: { $ref: 'http://x' } } }
      const tools = [tool(), tool({ name: 'b', parameters: schema, origin: 'tools.4' })]
      expect((await refusalOf(inlineReferences(chatRequest({ tools }))))?.param).equal('tools.4.function.parameters')
      const format = { type: 'json_schema', name: 'x', schema, strict: true, description: undefined } as const
      const responseFormat = { ...format }
      expect((await refusalOf(inlineReferences(chatRequest({ responseFormat }))))?.param).equal(
        'response_format.json_schema.schema',
      )
      const bare = textRequest({ responseFormat: { ...format, origin: 'structured_outputs.json' } })
      expect((await refusalOf(inlineReferences(bare)))?.param).equal('structured_outputs.json')
    })

    it('recursion in these words', async () => {
      for (const what of ['a tree', 'one to what it stands in', 'a recursive definition that nobody uses']) {
        const request = chatRequest({ tools: [tool({ parameters: structuredClone(cases[what]!) })] })
        const { error } = await play(schemaRefs, { given: [[chat, request]] })
        expect(error?.message, what).match(/: a reference is recursive\.$/)
      }
    })

    it('with messages that quote neither the schema nor the machine', async () => {
      for (const schema of Object.values(cases)) {
        const request = chatRequest({ tools: [tool({ parameters: structuredClone(schema) })] })
        const { error } = await play(schemaRefs, { given: [[chat, request]] })
        expect(error?.message).match(
          /^Only local, non-recursive schema references are supported: [^/]*('#\/')?[^/]*\.$/,
        )
        expect(error?.message).not.include(process.cwd())
        expect(error?.message).not.match(/passwd|example|169/)
      }
    })
  })

  it('ignores schemas without references, and returns no promise', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } }, $defs: { unused: city } }
    const request = chatRequest({
      tools: [tool({ parameters }), tool({ parameters: true }), tool({ parameters: undefined })],
    })
    expect(inlineReferences(request)).equal(undefined)
    expect(request.tools[0]!.parameters).equal(parameters)
    expect(inlineReferences(textRequest())).equal(undefined)
  })

  it('reads all kinds of large schemas', async () => {
    const names = (value: Json) => Object.fromEntries(Array.from({ length: 1024 }, (_, i) => [`p${i}`, value]))
    const large: Readonly<Record<string, JsonObject>> = {
      names: { properties: names(true) },
      objects: { properties: names({ type: 'string' }) },
      list: { properties: { a: { enum: Array.from({ length: 1024 }, () => ({})) } } },
    }
    for (const [name, schema] of Object.entries(large)) {
      const request = chatRequest({ tools: [tool({ parameters: schema })] })
      expect(inlineReferences(request), name).equal(undefined)
      expect(request.tools[0]!.parameters, name).equal(schema)
      const refers = { ...schema, $defs: { city }, last: { $ref: '#/$defs/city' } }
      expect(await inlined(refers), name).deep.equal({ ...schema, last: city })
    }
  })

  it('answers every schema bomb soon, and yields to other exchanges between schemas', async () => {
    let bombs = 0
    for (const [name, schemas] of schemaBombs()) {
      bombs++
      let request = chatRequest({})
      let outcome: Awaited<ReturnType<typeof refusalOf>>
      const answer = async () => {
        request = chatRequest({ tools: schemas.map((parameters, i) => tool({ name: `t${i}`, parameters })) })
        outcome = await refusalOf(inlineReferences(request))
      }
      await expectQuick(answer, { longest: schemas.length > 100 ? 60 : 120, total: 150 }, name)
      if (outcome === undefined) expect(JSON.stringify(request.tools).length, name).lessThan(5_000_000)
      else expect(outcome.code, name).equal('json_schema_refs_unsupported')
    }
    expect(bombs).least(125)
  })

  it('agrees with plain substitution on every schema it accepts', async () => {
    await fc.assert(
      fc.asyncProperty(schemas, async schema => {
        const request = chatRequest({ tools: [tool({ parameters: structuredClone(schema) })] })
        const expected = substituted(schema)
        const outcome = await refusalOf(inlineReferences(request))
        if (expected === undefined) expect(outcome?.code).equal('json_schema_refs_unsupported')
        else expect(request.tools[0]!.parameters).deep.equal(expected)
      }),
      { numRuns: 500 },
    )
  })
})

// ---------------------------------------------------------------- a reference implementation

/** Names that clash with keywords on purpose. */
const NAMES = ['a', 'b', 'c/d', '$ref', 'properties', 'default']
const name = fc.constantFrom(...NAMES)
const reference = fc.constantFrom(...NAMES).map(one => ({ $ref: `#/$defs/${one.replace('/', '~1')}` }))

const { schema: anySchema } = fc.letrec<{ schema: Json }>(tie => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(true, { type: 'string' }, { enum: [{ $ref: '#/x' }] }),
    reference,
    reference.map(one => ({ ...one, description: 'd' })),
    fc.dictionary(name, tie('schema'), { maxKeys: 2 }).map(properties => ({ type: 'object', properties })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map(anyOf => ({ anyOf })),
    tie('schema').map(items => ({ items, default: { $ref: '#/y' } })),
  ),
}))

const schemas: fc.Arbitrary<JsonObject> = fc.record({
  // At least one reference: a schema without references is not changed.
  properties: fc
    .tuple(reference, fc.dictionary(name, anySchema, { maxKeys: 3 }))
    .map(([start, more]) => ({ start, ...more })),
  $defs: fc.record(Object.fromEntries(NAMES.map(one => [one, anySchema]))),
})

/** Every reference replaced by its target, by plain substitution; undefined where that does not terminate. */
function substituted(root: JsonObject): Json | undefined {
  const replace = (value: Json | undefined, inMap: boolean, hops: number): Json => {
    if (hops > 60) throw new RangeError('recursive')
    if (Array.isArray(value)) return value.map(item => replace(item, false, hops))
    if (!isObject(value)) return value!
    if (!inMap && typeof value.$ref === 'string') {
      const { $ref, ...siblings } = value
      const target = (root.$defs as JsonObject)[($ref as string).slice('#/$defs/'.length).replace('~1', '/')]
      const replaced = replace(target, false, hops + 1)
      if (Object.keys(siblings).length === 0) return replaced
      return isObject(replaced) ? { ...replaced, ...siblings } : { ...siblings, allOf: [replaced] }
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const isData = !inMap && (key === 'default' || key === 'enum')
        return [key, isData ? member! : replace(member, !inMap && (key === 'properties' || key === '$defs'), hops)]
      }),
    )
  }
  try {
    const { $defs, ...rest } = replace(root, false, 0) as JsonObject
    return rest
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined
    throw thrown
  }
}
