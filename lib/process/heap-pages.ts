/**
 * Two things that V8 does by itself, at a moment of ours, and neither stops the thread for long: it collects the whole heap in
 * steps, and it gives empty pages of it back to the system (docs/adr/0095-v8-gives-pages-back-itself.md).
 */
import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

/** V8 begins to collect where so much memory outside of its heap, 64 MB, has come since the last time. */
const ENOUGH_OUTSIDE_BYTES = 80 * 2 ** 20

/** A collection has ended by then. */
const COLLECTED_MS = 1000

/** Garbage of the whole heap becomes free soon. Its pages stay. */
export function beginCollection(): void {
  // Nothing is ever written there, so that it takes no memory.
  Buffer.allocUnsafeSlow(ENOUGH_OUTSIDE_BYTES)
}

/** Collects, and a second later again, for the pages that are empty then. Returns what ends that. */
export function givePagesBack(): () => void {
  beginCollection()
  // The mode makes every other collection dear: it is over with the first.
  const observer = new PerformanceObserver(list => {
    if (list.getEntries().some(isOfWholeHeap)) end()
  })
  let timer = setTimeout(() => {
    observer.observe({ entryTypes: ['gc'] })
    saveMemory(true)
    beginCollection()
    timer = setTimeout(() => end(), COLLECTED_MS).unref()
  }, COLLECTED_MS).unref()
  function end(): void {
    clearTimeout(timer)
    observer.disconnect()
    saveMemory(false)
  }
  return end
}

/** Of entries of collections. */
function isOfWholeHeap(entry: PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail }): boolean {
  return entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR
}

/** V8's mode for when memory is short: a collection that begins in it compacts the heap, and gives back every page that is empty then. */
function saveMemory(isOn: boolean): void {
  setFlagsFromString(isOn ? '--memory-saver-mode' : '--no-memory-saver-mode')
}
