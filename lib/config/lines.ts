/** Lines of the members of `plugins` in the file, for problems that are found after the file has been read. */
import { type Document, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml'
import type { ChainConfig } from './chain.ts'

/** Not part of the configuration, because two configurations that differ only in lines are equal. */
const lines = new WeakMap<ChainConfig, ReadonlyMap<string, number>>()

export function keepPluginLines(chain: ChainConfig, document: Document, counter: LineCounter): void {
  const lineOf = new Map<string, number>()
  const note = (path: string, node: unknown, at: unknown) => {
    const offset = (at as Node | null | undefined)?.range?.[0]
    if (offset !== undefined) lineOf.set(path, counter.linePos(offset).line)
    if (isMap(node))
      for (const { key, value } of node.items) note(`${path}.${isScalar(key) ? key.value : key}`, value, key)
    else if (isSeq(node)) for (const [i, item] of node.items.entries()) note(`${path}.${i}`, item, item)
  }
  const plugins = document.get('plugins', true)
  note('plugins', plugins, plugins)
  lines.set(chain, lineOf)
}

/** The line of a member of `plugins` or of the nearest enclosing one; undefined: the chain is not from a file. */
export function pluginLine(chain: ChainConfig, path: string): number | undefined {
  const known = lines.get(chain)
  const names = path.split('.')
  for (let length = names.length; length > 0; length--) {
    const line = known?.get(names.slice(0, length).join('.'))
    if (line !== undefined) return line
  }
  return undefined
}
