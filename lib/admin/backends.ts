/** Cordons of backends, which the API and the commands call drains (docs/OPERATIONS.md). */
import { findBackends } from '../backends/cordon.ts'
import { failure, type GatewayError } from '../errors/errors.ts'
import { cordonBackend, listCordons, uncordonBackend } from '../store/cordons.ts'
import { type AdminContext, audited } from './context.ts'

/** A body that `schemas/admin/drain.json` accepts. */
export interface CordonBody {
  /** Base URL of a backend, or the part of it before the path. */
  readonly url: string
  /** undefined: all models at the address. */
  readonly model?: string | undefined
}

type CordonResult = {
  /** Without credentials. */
  url: string
  model: string | null
  drained: boolean
}

/** Sends no new requests to a backend. Refuses with http_404 if there is no such backend. */
export function cordon(context: AdminContext, { url: wanted, model }: CordonBody): Promise<CordonResult> {
  const found = findBackends(context.config, wanted, model)
  if (typeof found === 'string') return Promise.reject(notFound(found))
  const { url } = found
  return audited(context, async session => {
    await cordonBackend(session, { url, model }, context.now)
    const result = { url, model: model ?? null, drained: true }
    return { change: { action: 'backend.drain', target: url, after: { model: result.model } }, result }
  })
}

/** Ends a cordon, even of a backend that is no longer in the file. Refuses with http_404 if there is no cordon. */
export function uncordon(context: AdminContext, { url: wanted, model }: CordonBody): Promise<CordonResult> {
  return audited(context, async session => {
    const found = findBackends(context.config, wanted, model)
    const cordons = await listCordons(session)
    const isKnown = cordons.some(({ url }) => url === wanted)
    if (typeof found === 'string' && !isKnown) throw notFound(found)
    const url = typeof found === 'string' ? wanted : found.url
    if (!(await uncordonBackend(session, { url, model }))) {
      const isForAll = cordons.some(cordoned => cordoned.url === url && cordoned.model === undefined)
      throw notFound(
        isForAll
          ? `${url} is drained for every model: end that without naming a model`
          : `${url} is not drained by an operator: see \`drain\` and \`weight\` in the file`,
      )
    }
    const result = { url, model: model ?? null, drained: false }
    return { change: { action: 'backend.undrain', target: url, before: { model: result.model } }, result }
  })
}

function notFound(problem: string): GatewayError {
  return failure('http_404', { problem: `${problem}.` })
}
