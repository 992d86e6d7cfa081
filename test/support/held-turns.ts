import type { Turns } from '../../lib/base/turns.ts'

/** As if others used up the time of every tick, until the function that this returns is called: then those that wait are served. */
export function holdTurns(turns: Turns): () => void {
  const waiting: (() => void)[] = []
  Object.defineProperty(turns, 'isFree', { configurable: true, get: () => false })
  turns.next = account => new Promise(resolve => waiting.push(() => void turns.next(account).then(resolve)))
  return () => {
    Reflect.deleteProperty(turns, 'isFree')
    Reflect.deleteProperty(turns, 'next')
    for (const wait of waiting.splice(0)) wait()
  }
}
