/** Text that commands print: addresses, tables, and the command that starts this gateway. */
import { isIPv6 } from 'node:net'
import { csvOf } from '../text/csv.ts'

/** Prints to stdout. Returns the exit code 0. */
export function print(text: string): number {
  process.stdout.write(text)
  return 0
}

/** Replaces 0.0.0.0 and :: by the loopback address, because clients cannot connect to them. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/** The reachable URL of an address that a server listens on, without a slash at its end. */
export function urlOf({ host, port }: { readonly host: string; readonly port: number }, scheme = 'http'): string {
  return reachable(`${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`)
}

/** Formats rows as aligned columns. Empty cells become `-`, so that `awk` can address columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map(cells => cells.map(cell => (cell === '' ? '-' : cell)))
  const widths = head.map((_, column) => Math.max(...lines.map(cells => cells[column]!.length)))
  const padded = lines.map(cells => cells.map((cell, i) => cell.padEnd(widths[i]!)).join('  '))
  return padded.map(line => `${line.trimEnd()}\n`).join('')
}

/** The rows as a table, or as CSV with the same columns. */
export function tableOrCsv(head: readonly string[], rows: readonly (readonly string[])[], asCsv = false): string {
  return asCsv ? csvOf([head.map(name => name.toLowerCase()), ...rows]) : table(head, rows)
}

/** The command that starts this gateway: in a checkout npm runs the sources; an installed package has its own. */
export const START = import.meta.url.endsWith('.ts') ? 'npm start' : 'sluiceway serve'

/** START with these options. */
export function startWith(options: string): string {
  return `${START}${START.startsWith('npm') ? ' --' : ''} ${options}`
}
