import type { JsonObject } from '../base/json.ts'
import { readSchema, schemaNames } from '../schemas/read.ts'

/** Every schema of the configuration by its path below schemas/, which is also how they refer to each other. */
export function configSchemas(): Readonly<Record<string, JsonObject>> {
  const paths = ['config', ...schemaNames('config').map(name => `config/${name}`)]
  return Object.fromEntries(paths.map(path => [`${path}.json`, readSchema(path)]))
}
