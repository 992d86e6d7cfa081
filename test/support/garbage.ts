/** Collections of garbage when a test wants them. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as (options?: object) => void

/** Collects the whole heap. */
export function collectGarbage(): void {
  gc()
}

/** Collects the young generation alone: what the old one refers to stays, garbage or not. */
export function collectYoungGarbage(): void {
  gc({ type: 'minor' })
}
