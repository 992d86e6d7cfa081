import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { parse } from 'yaml'
import { compoundSchema, configSchemas } from '../../../lib/config/config-schemas.ts'

const SCHEMAS = configSchemas()

describe('config/config-schemas', () => {
  const schema = compoundSchema()

  it('has every file in one document, whose references are local', () => {
    expect(Object.keys(schema.$defs!)).include.members(
      Object.keys(SCHEMAS)
        .filter(file => file.startsWith('config/'))
        .map(file => file.slice('config/'.length, -'.json'.length)),
    )
    const references = JSON.stringify(schema).match(/"\$ref":"[^"]*"/g)!
    expect(references.length).above(40)
    for (const reference of references) expect(reference).match(/^"\$ref":"#\/\$defs\//)
  })

  it('says what the files say', () => {
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    const text = readFileSync(new URL('../../../config/example.yaml', import.meta.url), 'utf8')
    const example = parse(text)
    expect(check(example), JSON.stringify(check.errors)).equal(true)
    expect(check({ ...example, model: [] })).equal(false)
    expect(
      check({ ...example, models: [{ ...example.models[0], backends: [{ url: 'http://a', engin: 'vllm' }] }] }),
    ).equal(false)
    expect(check({ ...example, chat: { usage_chunks: 'some' } })).equal(false)
  })
})
