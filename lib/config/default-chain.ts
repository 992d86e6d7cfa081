import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { isObject } from '../base/json.ts'

const FILE = new URL('../../config/default-chain.yaml', import.meta.url)

interface DefaultPlugin {
  readonly name: string
  /** False: the plugin runs only if a configuration has options for it. */
  readonly enabled: boolean
}

let plugins: readonly DefaultPlugin[] | undefined

/** Names of the plugins that run by default (config/default-chain.yaml), from top to bottom. */
export function defaultChain(): readonly string[] {
  return defaultPlugins()
    .filter(({ enabled }) => enabled)
    .map(({ name }) => name)
}

/** Names of the plugins in the default chain that run only if a configuration has options for them. */
export function offByDefault(): readonly string[] {
  return defaultPlugins()
    .filter(({ enabled }) => !enabled)
    .map(({ name }) => name)
}

/** The default chain, including these of the plugins that are off by default, each at its position. */
export function chainWith(wanted: ReadonlySet<string>): readonly string[] {
  return defaultPlugins()
    .filter(({ name, enabled }) => enabled || wanted.has(name))
    .map(({ name }) => name)
}

/** Reads the file once. */
function defaultPlugins(): readonly DefaultPlugin[] {
  plugins ??= read()
  return plugins
}

function read(): readonly DefaultPlugin[] {
  const entries: unknown = parse(readFileSync(FILE, 'utf8'))
  return (Array.isArray(entries) ? entries : []).map((entry: unknown) => {
    const { use, enabled = true, ...more } = isObject(entry) ? entry : {}
    if (typeof use !== 'string' || typeof enabled !== 'boolean' || Object.keys(more).length > 0)
      throw new Error(
        `${FILE.pathname}: every entry is \`- use: NAME\`, with \`enabled: false\` if it is off by default.`,
      )
    return { name: use, enabled }
  })
}
