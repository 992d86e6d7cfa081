/** The chain of plugins of a configuration: the default chain, a list, or changes to the default chain. */
import { resolve } from 'node:path'
import type { JsonObject } from '../base/json.ts'
import { chainWith, defaultChain, offByDefault } from './default-chain.ts'
import type { ConfigFile, PluginAddition, PluginChanges } from './generated/file.ts'

export interface ChainConfig {
  readonly origin: 'default' | 'list' | 'changes'
  readonly entries: readonly PluginEntry[]
}

export interface PluginEntry {
  /** The name of a built-in, an absolute path, or a package. */
  readonly use: string
  readonly enabled: boolean
  readonly options: JsonObject
  /** How changes to the default chain affect this entry; `none`: they do not. */
  readonly change: 'none' | 'off' | 'options' | 'added'
  /** The member of the file that contains the entry, for messages: `plugins.3`, `plugins.add.0`. */
  readonly path: string
}

/** `baseDir`: the directory where relative paths start. The file must have passed checks/plugins.ts. */
export function toChain(plugins: ConfigFile['plugins'], baseDir: string): ChainConfig {
  if (plugins === undefined) return { origin: 'default', entries: defaultChain().map(use => entryOf(use, {})) }
  if ('base' in plugins) return { origin: 'changes', entries: changed(plugins, baseDir) }
  const entries = plugins.map(({ use, enabled, options }, i) =>
    entryOf(absolute(use, baseDir), { enabled, options, path: `plugins.${i}` }),
  )
  return { origin: 'list', entries }
}

function entryOf(use: string, rest: Partial<PluginEntry>): PluginEntry {
  return { use, enabled: true, options: {}, change: 'none', path: 'the default chain', ...rest }
}

/** An entry of a chain to which others are still added. */
interface ChainItem {
  readonly entry: PluginEntry
  /** The name that anchors use; undefined: the plugin is switched off. */
  readonly name: string | undefined
  /** The anchor below which the entry was added; undefined: it is in the default chain, or was added above one. */
  readonly below: string | undefined
}

function changed({ off, options, add }: PluginChanges, baseDir: string): readonly PluginEntry[] {
  const switchedOn = new Set(offByDefault().filter(name => options[name] !== undefined && !off.includes(name)))
  const chain: ChainItem[] = chainWith(switchedOn).map(name => {
    if (off.includes(name)) {
      const entry = entryOf(name, { enabled: false, change: 'off', path: 'plugins.off' })
      return { entry, name: undefined, below: undefined }
    }
    const own = options[name]
    const change = switchedOn.has(name) ? 'added' : 'options'
    const rest = own && ({ options: own, change, path: `plugins.options.${name}` } as const)
    return { entry: entryOf(name, { ...rest }), name, below: undefined }
  })
  for (const [i, addition] of add.entries()) {
    const { index, below } = positionOf(addition, chain)
    const use = absolute(addition.use, baseDir)
    const entry = entryOf(use, { options: addition.options, change: 'added', path: `plugins.add.${i}` })
    chain.splice(index, 0, { entry, name: addition.use, below })
  }
  return chain.map(({ entry }) => entry)
}

/** Where an entry is added. Entries with the same anchor keep their order: each is added below the earlier ones. */
function positionOf(
  { after, before }: PluginAddition,
  chain: readonly ChainItem[],
): { readonly index: number; readonly below: string | undefined } {
  if (before !== undefined) {
    const index = chain.findIndex(({ name }) => name === before)
    return { index, below: chain[index]?.below }
  }
  let index = chain.findIndex(({ name }) => name === after) + 1
  const above = new Set([after])
  for (let next = chain[index]; next?.below !== undefined && above.has(next.below); next = chain[++index]) {
    above.add(next.name)
  }
  return { index, below: after }
}

function absolute(use: string, baseDir: string): string {
  return /^\.{1,2}\//.test(use) ? resolve(baseDir, use) : use
}
