/** Reads schemas, and resolves their references to other files. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { isObject, type JsonObject } from '../../lib/base/json.ts'

const DIRECTORY = new URL('../../schemas/', import.meta.url)

/** A schema with its location, to which its references are relative. */
export interface Located {
  readonly schema: JsonObject
  /** Path below schemas/: `config/model.json`. */
  readonly file: string
  /** JSON pointer in the file; '': the whole file. */
  readonly pointer: string
}

export function schemaAt(file: string, pointer = ''): Located {
  const names = pointer.split('/').slice(1)
  let schema: unknown = JSON.parse(readFileSync(new URL(file, DIRECTORY), 'utf8'))
  for (const name of names) schema = isObject(schema) ? schema[name] : undefined
  if (!isObject(schema)) throw new Error(`schemas/${file} has no schema at '${pointer}'.`)
  return { schema, file, pointer }
}

/** The schema that a `$ref` in this file refers to. */
export function follow(ref: string, file: string): Located {
  const [path = '', pointer = ''] = ref.split('#')
  return schemaAt(path === '' ? file : posix.join(posix.dirname(file), path), pointer)
}
