/** Validates replies against schemas/replies. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { readSchema, schemaNames } from '../../lib/schemas/read.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, allErrors: true })
addFormats.default(ajv)
for (const name of schemaNames('replies')) ajv.addSchema(readSchema(`replies/${name}`))

/** Violations of `schemas/replies/<name>.json` in a reply. */
export function replyProblems(name: string, reply: unknown): readonly string[] {
  const validate = ajv.getSchema(`gateway:/replies/${name}.json`)!
  validate(reply)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
