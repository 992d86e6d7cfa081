/** Checks answers against schemas/replies, so that what is described is what is sent. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { readSchema, schemaNames } from '../../lib/schemas/schemas.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, allErrors: true })
addFormats.default(ajv)
for (const name of schemaNames('replies')) ajv.addSchema(readSchema(`replies/${name}`))

/** What is wrong with a reply by `schemas/replies/<name>.json`; empty when nothing is. */
export function replyProblems(name: string, reply: unknown): readonly string[] {
  const validate = ajv.getSchema(`gateway:/replies/${name}.json`)!
  validate(reply)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
