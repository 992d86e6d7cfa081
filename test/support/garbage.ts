/** Garbage collections on request. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Node's `gc()`, also without `--expose-gc`. */
export const collect = runInNewContext('gc') as NodeJS.GCFunction

/** Collects the whole heap. */
export function collectGarbage(): void {
  collect()
}

/** Collects only the young generation. Objects that the old generation refers to stay, even if that is garbage. */
export function collectYoungGarbage(): void {
  collect({ type: 'minor' })
}
