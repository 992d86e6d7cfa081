/** CSV for spreadsheets (RFC 4180). */

type CsvCell = string | number | null | undefined

/** Without this mark, Excel reads the file in the code page of the machine instead of UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/** Rows, each ended by CRLF. null and undefined are empty cells. */
export function csvOf(rows: readonly (readonly CsvCell[])[]): string {
  return BYTE_ORDER_MARK + rows.map(cells => `${cells.map(cellText).join(',')}\r\n`).join('')
}

/** An apostrophe precedes a text that a spreadsheet would run as a formula. */
function cellText(value: CsvCell): string {
  const text = value === null || value === undefined ? '' : String(value)
  const inert = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
