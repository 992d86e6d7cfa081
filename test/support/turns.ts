/** Counts the ticks of the event loop until the work is done, the first one included. */
export async function turnsDuring(work: () => unknown): Promise<number> {
  let turns = 0
  let over = false
  const count = () => {
    turns++
    if (!over) setImmediate(count)
  }
  count()
  await work()
  over = true
  return turns
}
