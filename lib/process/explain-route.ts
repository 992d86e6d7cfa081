/** `sluiceway explain-route`: the cost of one request at each backend, as the running gateway sees it. */

import { ModelCatalog } from '../accounts/access.ts'
import { cacheIsolation } from '../accounts/cache-isolation.ts'
import type { Backend, BackendPool } from '../backends/pool.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { GatewayError } from '../errors/errors.ts'
import { formatOf } from '../formats/index.ts'
import { ROUTES } from '../routes/routes.ts'
import type { Routing } from '../routing/routing.ts'

/** The request to explain. */
export interface RouteQuestion {
  /** Of the API: `/v1/chat/completions`. */
  readonly path: string
  readonly body: Json
  /** Id of the account that sends it, which counts where accounts are isolated. */
  readonly account: string
  /** The request requires zero data retention. */
  readonly zdr: boolean
}

/** Throws a GatewayError with a problem of the operator's question, or of the backends. */
export function explainRoute(
  { path, body, account, zdr }: RouteQuestion,
  config: Config,
  { pool, routing }: { readonly pool: BackendPool; readonly routing: Routing },
): JsonObject {
  const route = ROUTES.find(one => one.path === path && one.canonical)
  if (route === undefined) return { problem: `${path} is no route that models of kind chat serve.` }
  if (!isObject(body)) return { problem: 'The request must be a JSON object.' }
  let usable: readonly Backend[] = []
  try {
    const request = formatOf(route.format).toCanonical(body, config.formats)
    const model = new ModelCatalog(config.models).find(request.model, null)
    if (model === undefined) return { problem: `There is no model '${request.model}'.` }
    const cacheSalt = cacheIsolation(config).saltOf(account, zdr)
    pool.pick(model, zdr, undefined, candidates => {
      usable = candidates
      return candidates[0]!
    })
    const target = { account, model, zdr, cacheSalt, alternatives: () => [] }
    const backends = routing.explain(request, target, usable).map(cost => ({ ...cost }))
    return { model: model.id, policy: model.routing.policy, backends }
  } catch (thrown) {
    // The body is not checked against the schema of its route: a member of a wrong type may be met anywhere.
    return {
      problem:
        thrown instanceof GatewayError
          ? thrown.message
          : 'The request does not fit its route: send it to the gateway, whose error names what is wrong.',
    }
  }
}

/** The question in the body of an HTTP request; undefined: it is none. */
export function questionOf(text: string): RouteQuestion | undefined {
  const question = parseJson(text)
  if (!isObject(question) || typeof question.path !== 'string') return undefined
  const { path, body = null, account, zdr } = question
  return { path, body, account: typeof account === 'string' ? account : '', zdr: zdr === true }
}

/** Answers a question in JSON with an answer in JSON. */
export function answerOf(text: string, explain: (question: RouteQuestion) => JsonObject): string {
  const question = questionOf(text)
  return JSON.stringify(question === undefined ? { problem: 'The question is not understood.' } : explain(question))
}
