/** How many turns of the event loop others get while this goes on, the one it begins in among them. */
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
