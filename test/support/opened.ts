/** What a test opens, which is closed at its end, the last one first. */

interface Closable {
  close(): Promise<unknown>
}

/** Call in a describe. Returns a function that waits for something, and closes it at the end of the test. */
export function useOpened(): <T extends Closable>(opening: Promise<T>) => Promise<T> {
  const open: Closable[] = []
  afterEach(async () => {
    for (const each of open.splice(0).toReversed()) await each.close()
  })
  return async opening => {
    const one = await opening
    open.push(one)
    return one
  }
}
