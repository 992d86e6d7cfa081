/** A backend that follows instructions in the prompt, and counts the usage that it has served. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, type Json, type JsonObject, parseJson } from '../../lib/base/json.ts'
import { delta, type Script, sendEvent, startStream } from './backend.ts'

/** Instructions of a prompt, as JSON. */
export interface Order {
  readonly input: number
  readonly output: number
  readonly cached: number
  /** break: the stream breaks. hang: nothing follows the first half. fail: status 500. */
  readonly end?: 'break' | 'hang' | 'fail'
  /** Milliseconds before the first token. */
  readonly wait?: number
  /** Milliseconds between the first half and the second. */
  readonly pause?: number
}

export interface Served {
  requests: number
  input: number
  output: number
  cached: number
}

/** A script, and the sum of the last usage of each request. */
export function servingBackend(): { readonly script: Script; readonly served: Served } {
  const served: Served = { requests: 0, input: 0, output: 0, cached: 0 }
  const count = ({ input, cached }: Order, output: number) => {
    served.requests++
    served.input += input
    served.output += output
    served.cached += cached
  }
  const script: Script = async (res, { body, path }) => {
    const order = orderOf(body)
    if (order.end === 'fail') {
      res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"out of luck"}}')
      return
    }
    await sleep(order.wait ?? 0)
    if (body.stream === true && path.endsWith('/chat/completions')) return stream(res, order, count)
    count(order, order.output)
    const choice = path.endsWith('/chat/completions')
      ? { index: 0, message: { role: 'assistant', content: 'word' }, finish_reason: 'stop' }
      : { index: 0, text: 'word', finish_reason: 'stop' }
    res.writeHead(200, { 'content-type': 'application/json' })
    res.end(JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [choice], usage: usageOf(order, order.output) }))
  }
  return { script, served }
}

/** One token per event, each with the usage so far, as for continuous_usage_stats. */
async function stream(res: ServerResponse, order: Order, count: (order: Order, output: number) => void): Promise<void> {
  const half = Math.ceil(order.output / 2)
  startStream(res)
  sendEvent(res, { ...delta({ role: 'assistant', content: '' }), usage: usageOf(order, 0) })
  for (let token = 1; token <= order.output; token++) {
    sendEvent(res, { ...delta({ content: `word${token} ` }), usage: usageOf(order, token) })
    if (token !== half) continue
    if (order.end !== undefined) count(order, half)
    if (order.end === 'hang') return
    await sleep(order.end === 'break' ? 20 : (order.pause ?? 0))
    if (order.end === 'break') return void res.destroy()
  }
  count(order, order.output)
  sendEvent(res, delta({}, 'stop'))
  sendEvent(res, { id: 'c', choices: [], usage: usageOf(order, order.output) })
  res.end('data: [DONE]\n\n')
}

function usageOf({ input, cached }: Order, output: number): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  }
}

function orderOf({ messages, prompt }: JsonObject): Order {
  const last: Json | undefined = Array.isArray(messages) ? messages.at(-1) : undefined
  const text = isObject(last) ? last.content : prompt
  return parseJson(String(text)) as unknown as Order
}
