/** Text for people to paste. */

/** One word that a POSIX shell takes as it is. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A URL that can be connected to: an address for every interface is none. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/** Rows in columns as wide as their widest cell, for terminals and `awk` alike: no cell is empty. */
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
