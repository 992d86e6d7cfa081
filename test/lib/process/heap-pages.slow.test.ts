import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { nodeEnvironment, nodeFlags } from '../../../bin/node-flags.mjs'

const HEAP_PAGES = new URL('../../../lib/process/heap-pages.ts', import.meta.url)

/** MB that are resident after a burst, and three seconds after this step. */
async function figuresOf(step: string): Promise<{ before: number; after: number }> {
  const script = `
    import { setTimeout as sleep } from 'node:timers/promises'
    import { beginCollection, givePagesBack } from '${HEAP_PAGES.href}'
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
    process.exit()`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...nodeFlags(), '--input-type=module-typescript', '-e', script],
    { env: { ...process.env, ...nodeEnvironment() } },
  )
  return JSON.parse(stdout)
}

describe('pages of the heap', () => {
  it('are given back beside what goes on, where a collection alone keeps them', async () => {
    const [collected, released] = await Promise.all(['beginCollection()', 'givePagesBack()'].map(figuresOf))
    expect(collected!.before).greaterThan(200)
    expect(collected!.before - collected!.after, 'a collection').lessThan(30)
    expect(released!.before - released!.after, 'giving back').greaterThan(100)
  })
})
