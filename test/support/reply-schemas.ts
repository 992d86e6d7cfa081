/** Checks replies against schemas/replies, so that the description matches what is sent. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { readSchema, schemaNames } from '../../lib/schemas/read.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, allErrors: true })
addFormats.default(ajv)
for (const name of schemaNames('replies')) ajv.addSchema(readSchema(`replies/${name}`))

/** Differences of a reply from `schemas/replies/<name>.json`; empty when there are none. */
export function replyProblems(name: string, reply: unknown): readonly string[] {
  const validate = ajv.getSchema(`gateway:/replies/${name}.json`)!
  validate(reply)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
