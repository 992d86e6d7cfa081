/**
 * Collections of garbage that V8 makes by itself, in steps, at moments of ours. None of this stops the thread for long
 * (docs/adr/0095-v8-gives-pages-back-itself.md, docs/adr/0096-memory-outside-of-the-heap-counts-with-it.md).
 */
import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

const MB = 2 ** 20

/** V8 begins to collect where so much memory outside of its heap, 64 MB, has come since the last time. */
const ENOUGH_OUTSIDE_BYTES = 80 * MB

/** A collection has ended by then. */
const COLLECTED_MS = 1000

/** Memory outside of the heap counts with it, and has no limit of its own. */
let isShared = false

/**
 * Memory outside of the heap, such as bodies, is a part of what V8 waits for before it collects. Otherwise it begins with each 64 MB of
 * it, and marks 5 to 10 ms in one piece whenever more comes.
 */
export function shareLimitWithHeap(): void {
  isShared = true
  setShared(true)
}

/** Garbage of the whole heap becomes free soon. Its pages stay. */
export function beginCollection(): void {
  if (isShared) setShared(false)
  // Nothing is ever written there, so that it takes no memory.
  Buffer.allocUnsafeSlow(ENOUGH_OUTSIDE_BYTES)
  if (isShared) setShared(true)
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

function setShared(isOn: boolean): void {
  setFlagsFromString(`--${isOn ? '' : 'no-'}external-memory-accounted-in-global-limit`)
}
