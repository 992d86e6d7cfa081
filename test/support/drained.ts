import type { Writable } from 'node:stream'

/**
 * Waits until more can be written, or the stream has closed. Its listeners are gone then: a wait that gives up after some time and
 * begins again would leave one behind each time.
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
