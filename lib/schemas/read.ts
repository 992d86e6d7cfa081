import { readdirSync, readFileSync } from 'node:fs'
import type { JsonObject } from '../base/json.ts'

const DIRECTORY = new URL('../../schemas/', import.meta.url)

/** The schema in `schemas/<path>.json`, unchanged. */
export function readSchema(path: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`${path}.json`, DIRECTORY), 'utf8')) as JsonObject
}

/** Names of the schemas in `schemas/<folder>`, without extension. */
export function schemaNames(folder: string): readonly string[] {
  return readdirSync(new URL(`${folder}/`, DIRECTORY)).flatMap(file =>
    file.endsWith('.json') ? file.slice(0, -5) : [],
  )
}
