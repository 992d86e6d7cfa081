/** Replies of the operators' API as CSV. */
import type { Json, JsonObject } from '../base/json.ts'
import { csvOf } from '../text/csv.ts'

/** Maximum number of rows of a file. */
export const MAX_CSV_ROWS = 50_000

/** A reply that is not JSON. */
export class TextReply {
  readonly type: string
  readonly text: string
  /** The cursor of the rest; null: the text is complete. */
  readonly next: string | null

  constructor(type: string, text: string, next: string | null = null) {
    this.type = type
    this.text = text
    this.next = next
  }
}

/** A column per member. The head of an amount has the currency. `next`: cursor of the rows that are missing. */
export function csvReply(
  members: readonly string[],
  rows: readonly JsonObject[],
  currency: string,
  next: string | null = null,
): TextReply {
  const cells = rows.map(row => members.map(member => cellOf(row[member])))
  return new TextReply(
    'text/csv; charset=utf-8',
    csvOf([members.map(member => headOf(member, currency)), ...cells]),
    next,
  )
}

/** `estimated_cost_cents (USD)` */
function headOf(member: string, currency: string): string {
  return /_(micro)?cents$/.test(member) ? `${member} (${currency})` : member
}

function cellOf(value: Json | undefined): string | number | null {
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value.join(' ')
  if (typeof value === 'string' || typeof value === 'number' || value === null || value === undefined)
    return value ?? null
  return JSON.stringify(value)
}

interface Page {
  /** Member of the reply that is the list. */
  readonly list: string
  /** Members of its items. */
  readonly members: readonly string[]
  readonly currency: string
  /** True: no further page is read. */
  isOver(): boolean
  read(cursor: string | undefined): Promise<JsonObject>
}

/** All pages of a list as one file, up to a number of rows and a time. */
export async function csvOfPages({ list, members, currency, isOver, read }: Page): Promise<TextReply> {
  const rows: JsonObject[] = []
  let cursor: string | null = null
  do {
    const page: JsonObject = await read(cursor ?? undefined)
    rows.push(...(page[list] as JsonObject[]))
    cursor = typeof page.cursor === 'string' ? page.cursor : null
  } while (cursor !== null && rows.length < MAX_CSV_ROWS && !isOver())
  return csvReply(members, rows, currency, cursor)
}
