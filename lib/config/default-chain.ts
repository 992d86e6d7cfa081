import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { isObject } from '../base/json.ts'

const FILE = new URL('../../config/default-chain.yaml', import.meta.url)

let names: readonly string[] | undefined

/** Names of the plugins of the default chain (config/default-chain.yaml), top to bottom. Read once. */
export function defaultChain(): readonly string[] {
  names ??= read()
  return names
}

function read(): readonly string[] {
  const entries: unknown = parse(readFileSync(FILE, 'utf8'))
  return (Array.isArray(entries) ? entries : []).map(entry => {
    if (!isObject(entry) || typeof entry.use !== 'string' || Object.keys(entry).length !== 1)
      throw new Error(`${FILE.pathname}: every entry is \`- use: NAME\`.`)
    return entry.use
  })
}
