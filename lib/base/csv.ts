/** Tables for spreadsheets (RFC 4180). */

export type CsvCell = string | number | null | undefined

/** Rows with their line ends; null and undefined are empty cells. */
export function csvOf(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map(cells => `${cells.map(textOf).join(',')}\r\n`).join('')
}

/** A text that a spreadsheet would run as a formula gets an apostrophe before it. */
function textOf(value: CsvCell): string {
  const text = value === null || value === undefined ? '' : String(value)
  const inert = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
