/** Text that commands print: addresses and tables. */

/** The URL with 0.0.0.0 and :: replaced by the loopback address, because clients cannot connect to those. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/** Rows as aligned columns. Empty cells become `-`, so that `awk` can address columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map(cells => cells.map(cell => (cell === '' ? '-' : cell)))
  const widths = head.map((_, column) => Math.max(...lines.map(cells => cells[column]!.length)))
  return lines
    .map(
      cells =>
        `${cells
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
