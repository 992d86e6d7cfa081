/** Counts the ticks of the event loop until the work is done, including the first. */
export async function ticksDuring(work: () => unknown): Promise<number> {
  let ticks = 0
  let over = false
  const count = () => {
    ticks++
    if (!over) setImmediate(count)
  }
  count()
  await work()
  over = true
  return ticks
}
