/** Drains of backends (docs/OPERATIONS.md). */
import { findBackends } from '../backends/cordon.ts'
import { failure, type GatewayError } from '../errors/errors.ts'
import { drainBackend, listDrains, undrainBackend } from '../store/drains.ts'
import { audited, type Desk } from './desk.ts'

/** Only what `schemas/admin/drain.json` accepts. */
export interface DrainBody {
  /** Base URL of a backend, or what comes before its path. */
  readonly url: string
  /** undefined: every model at the address. */
  readonly model?: string | undefined
}

export type Drained = {
  /** Without credentials. */
  url: string
  model: string | null
  drained: boolean
}

/** Keeps new requests away from a backend. Refuses with http_404 where there is none. */
export function drain(desk: Desk, { url: wanted, model }: DrainBody): Promise<Drained> {
  const found = findBackends(desk.config.models, wanted, model)
  if (typeof found === 'string') return Promise.reject(notFound(found))
  const { url } = found
  return audited(desk, async session => {
    await drainBackend(session, { url, model }, desk.now)
    const result = { url, model: model ?? null, drained: true }
    return { change: { action: 'backend.drain', target: url, after: { model: result.model } }, result }
  })
}

/** Ends a drain, also of a backend that has left the file. Refuses with http_404 where there is none. */
export function undrain(desk: Desk, { url: wanted, model }: DrainBody): Promise<Drained> {
  return audited(desk, async session => {
    const found = findBackends(desk.config.models, wanted, model)
    const isKnown = (await listDrains(session)).some(({ url }) => url === wanted)
    if (typeof found === 'string' && !isKnown) throw notFound(found)
    const url = typeof found === 'string' ? wanted : found.url
    if (!(await undrainBackend(session, { url, model }))) {
      throw notFound(`${url} is not drained by an operator: see \`drain\` and \`weight\` in the file`)
    }
    const result = { url, model: model ?? null, drained: false }
    return { change: { action: 'backend.undrain', target: url, before: { model: result.model } }, result }
  })
}

function notFound(problem: string): GatewayError {
  return failure('http_404', { problem: `${problem}.` })
}
