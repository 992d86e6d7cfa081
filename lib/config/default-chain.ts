import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { isObject } from '../base/json.ts'

const FILE = new URL('../../config/default-chain.yaml', import.meta.url)

/** A plugin of the default chain. */
interface DefaultPlugin {
  readonly name: string
  /** False: it runs where a configuration has options for it, and only there. */
  readonly enabled: boolean
}

let plugins: readonly DefaultPlugin[] | undefined

/** Names of the plugins that run unless a configuration says otherwise (config/default-chain.yaml), top to bottom. */
export function defaultChain(): readonly string[] {
  return places()
    .filter(({ enabled }) => enabled)
    .map(({ name }) => name)
}

/** Names of the plugins that have a place in the default chain and run only where a configuration has options for them. */
export function offByDefault(): readonly string[] {
  return places()
    .filter(({ enabled }) => !enabled)
    .map(({ name }) => name)
}

/** The default chain with these of the plugins that are off by default, each at its place. */
export function chainWith(wanted: ReadonlySet<string>): readonly string[] {
  return places()
    .filter(({ name, enabled }) => enabled || wanted.has(name))
    .map(({ name }) => name)
}

/** Read once. */
function places(): readonly DefaultPlugin[] {
  plugins ??= read()
  return plugins
}

function read(): readonly DefaultPlugin[] {
  const entries: unknown = parse(readFileSync(FILE, 'utf8'))
  return (Array.isArray(entries) ? entries : []).map((entry: unknown) => {
    const { use, enabled = true, ...more } = isObject(entry) ? entry : {}
    if (typeof use !== 'string' || typeof enabled !== 'boolean' || Object.keys(more).length > 0)
      throw new Error(`${FILE.pathname}: every entry is \`- use: NAME\`, with \`enabled: false\` where it is off.`)
    return { name: use, enabled }
  })
}
