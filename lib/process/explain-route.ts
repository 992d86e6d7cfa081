/** `sluiceway explain-route`: the cost of a request at each backend, as estimated by the running gateway. */

import { ModelCatalog } from '../accounts/access.ts'
import { cacheIsolation } from '../accounts/cache-isolation.ts'
import type { Backend, BackendPool } from '../backends/pool.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts'
import { backendOptions, type Config } from '../config/config.ts'
import { GatewayError } from '../errors/errors.ts'
import { formatOf } from '../formats/index.ts'
import { ROUTES } from '../routes/routes.ts'
import type { Routing } from '../routing/routing.ts'

interface Question {
  /** Path of the API: `/v1/chat/completions`. */
  readonly path: string
  readonly body: Json
  /** Id of the account that sends the request. It matters if prefix caches are isolated by account. */
  readonly account: string
  /** The request requires zero data retention. */
  readonly zdr: boolean
}

interface Upstream {
  readonly pool: BackendPool
  readonly routing: Routing
}

const NOT_UNDERSTOOD =
  'Send {"path": "/v1/chat/completions", "body": {…}}: the path of an API, and a request as clients send it.'

/** Answers a question in JSON with JSON: the costs, or `problem`, a sentence for the operator. */
export function explainRoute(text: string, config: Config, upstream: Upstream): string {
  const question = questionOf(text)
  const answer = question === undefined ? { problem: NOT_UNDERSTOOD } : costs(question, config, upstream)
  return JSON.stringify(answer)
}

function questionOf(text: string): Question | undefined {
  const question = parseJson(text)
  if (!isObject(question) || typeof question.path !== 'string') return undefined
  const { path, body = null, account, zdr } = question
  return { path, body, account: typeof account === 'string' ? account : '', zdr: zdr === true }
}

function costs({ path, body, account, zdr }: Question, config: Config, { pool, routing }: Upstream): JsonObject {
  const route = ROUTES.find(one => one.path === path && one.canonical)
  if (route === undefined) return { problem: `${path} is no route that models of kind chat serve.` }
  if (!isObject(body)) return { problem: 'The request must be a JSON object.' }
  if (typeof body.model !== 'string') return { problem: "The request needs the name of a model in 'model'." }
  let usable: readonly Backend[] = []
  try {
    const request = formatOf(route.format).toCanonical(body, config.formats)
    const model = new ModelCatalog(config.models).find(request.model, null)
    if (model === undefined) return { problem: `There is no model '${request.model}'.` }
    if (zdr && !backendOptions(model).some(backend => backend.zdr))
      return { problem: `Model '${model.id}' has no backend with 'zdr: true'.` }
    const cacheSalt = cacheIsolation(config).saltOf(account, zdr)
    pool.pick(model, zdr, undefined, candidates => {
      usable = candidates
      return candidates[0]!
    })
    const target = { account, model, zdr, cacheSalt, alternatives: () => [] }
    const { beliefs, backends } = routing.explain(request, target, usable)
    return {
      model: model.id,
      policy: model.routing.policy,
      beliefs: { ...beliefs, samples: { ...beliefs.samples } },
      backends: backends.map(cost => ({ ...cost })),
    }
  } catch (thrown) {
    if (thrown instanceof GatewayError) return { problem: thrown.message }
    // The body is not validated against the schema of its route, so any member may have a wrong type.
    return { problem: 'The request does not fit its route: send it to the gateway, whose error names what is wrong.' }
  }
}
