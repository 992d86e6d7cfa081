/** Collections of garbage when a test wants them. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Node's `gc()`, also where it runs without `--expose-gc`. */
export const collect = runInNewContext('gc') as NodeJS.GCFunction

/** Collects the whole heap. */
export function collectGarbage(): void {
  collect()
}

/** Collects the young generation alone: what the old one refers to stays, garbage or not. */
export function collectYoungGarbage(): void {
  collect({ type: 'minor' })
}
