import type { JsonObject } from '../../base/json.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import type { BackendConfig } from '../../config/config.ts'
import type { PipeRequest } from '../../core/pipe-request.ts'
import type { Target } from '../../core/target.ts'
import { backendBody } from './request.ts'

/** The body of a request as this backend is sent it. */
export function bodyFor(request: CanonicalRequest | PipeRequest, target: Target, config: BackendConfig): JsonObject {
  const { model, cacheSalt, priority = 0 } = target
  if (request.kind === 'pipe') return pipeBody(request, config.model)
  const body = backendBody(request, model, config)
  const { cache_salt, priority: order } = config.profile
  if (cacheSalt !== undefined && cache_salt) body.cache_salt = cacheSalt
  if (order !== null && priority !== 0) body.priority = order === 'lower_first' ? -priority : priority
  return body
}

/** null means absent, which not every engine knows. */
function pipeBody({ body, withoutEffect }: PipeRequest, model: string): JsonObject {
  const members = Object.entries(body).filter(([name, value]) => value !== null && !withoutEffect.has(name))
  return { ...Object.fromEntries(members), model }
}

/** Empties what the request holds of the conversation, its tools and schemas. */
export function release(request: CanonicalRequest | PipeRequest): void {
  if (request.kind === 'pipe') {
    request.body = {}
    return
  }
  if (request.responseFormat?.type === 'json_schema') request.responseFormat.schema = undefined
  if (request.kind === 'text') {
    request.prompt = ''
    return
  }
  request.messages = []
  for (const tool of request.tools) tool.description = tool.parameters = undefined
}
