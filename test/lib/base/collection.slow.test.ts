import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { nodeEnvironment, nodeFlags } from '../../../bin/node-flags.mjs'

const COLLECTION = new URL('../../../lib/base/collection.ts', import.meta.url)
const IMPORTS = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { beginCollection, givePagesBack, shareLimitWithHeap } from '${COLLECTION.href}'
`

/** The object that this script writes, with the Node of the command. */
async function run<T>(script: string): Promise<T> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...nodeFlags(), '--input-type=module-typescript', '-e', IMPORTS + script],
    { env: { ...process.env, ...nodeEnvironment() } },
  )
  return JSON.parse(stdout)
}

/** MB that are resident after a burst, and three seconds after this step. */
function residentAround(step: string): Promise<{ before: number; after: number }> {
  return run(`
    const resident = () => process.memoryUsage.rss() / 2 ** 20
    const fill = size => Array.from({ length: size }, (_, i) => ({ i }))
    let kept = Array.from({ length: 40 }, () => fill(100_000))
    kept = undefined
    // What goes on all the time, so that V8 does not take the process for one that is idle.
    let some
    setInterval(() => { some = fill(10_000) }, 5)
    await sleep(500)
    const before = resident()
    ${step}
    await sleep(3000)
    console.log(JSON.stringify({ before, after: resident() }))
    process.exit()`)
}

/** Collections of the whole heap while 600 MB pass outside of it, of which 30 are in use at a time. */
async function collectionsWhile(first: string, each = ''): Promise<number> {
  const { collections } = await run<{ collections: number }>(`
    import { constants, PerformanceObserver } from 'node:perf_hooks'
    let collections = 0
    new PerformanceObserver(list => {
      for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++
    }).observe({ entryTypes: ['gc'] })
    // In use for long: what may come beside it before V8 collects grows with it.
    const heap = Array.from({ length: 2_000_000 }, (_, i) => ({ i }))
    ${first}
    collections = 0
    const parts = []
    for (let i = 1; i <= 600; i++) {
      parts.push(Buffer.alloc(2 ** 20))
      if (parts.length > 30) parts.shift()
      ${each}
      await sleep(1)
    }
    console.log(JSON.stringify({ collections, heap: heap.length }))`)
  return collections
}

describe('empty pages of the heap', () => {
  it('are given back beside what goes on, where a collection alone keeps them', async () => {
    const steps = ['beginCollection()', 'givePagesBack()', 'shareLimitWithHeap(); givePagesBack()']
    const [collected, released, shared] = await Promise.all(steps.map(residentAround))
    expect(collected!.before).greaterThan(200)
    expect(collected!.before - collected!.after, 'a collection').lessThan(70)
    expect(released!.before - released!.after, 'giving back').greaterThan(100)
    expect(shared!.before - shared!.after, 'giving back with a shared limit').greaterThan(100)
  })
})

describe('memory outside of the heap', () => {
  it('makes V8 collect less often where it has no limit of its own, and is collected when that is asked for', async () => {
    const [own, shared, asked] = await Promise.all([
      collectionsWhile(''),
      collectionsWhile('shareLimitWithHeap()'),
      collectionsWhile('shareLimitWithHeap()', 'if (i % 128 === 0) beginCollection()'),
    ])
    // One for each 64 MB that are not collected with the young generation; 5 or 6, 1 or 2, and 4 here.
    expect(own).greaterThan(shared!)
    expect(shared).lessThan(4)
    expect(asked).greaterThan(shared!)
  })
})
