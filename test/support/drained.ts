import type { Writable } from 'node:stream'

/**
 * Waits until more can be written, or the stream has closed. Removes its listeners, so that repeated waits with a
 * timeout do not accumulate them.
 */
export function drained(stream: Writable): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.on('drain', done).on('close', done)
  })
}
