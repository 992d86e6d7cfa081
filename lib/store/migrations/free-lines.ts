/** The index of free lines has all that a search of them reads: many may wait for their next try. */
export function freeLines(): string[] {
  return [
    `drop index batch_lines_free`,
    `create index batch_lines_free on batch_lines (batch_id, model, prefix, line, not_before, holder)
      where holder is null`,
  ]
}
