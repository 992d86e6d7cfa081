import { type Backend, BackendPool } from '../../lib/backends/pool.ts'
import type { Usage } from '../../lib/canonical/reply.ts'
import type { BackendConfig } from '../../lib/config/config.ts'
import { hashKey } from '../../lib/routing/chunk-hash.ts'
import { ModelRouting } from '../../lib/routing/model-routing.ts'
import { type Prompt, promptOf } from '../../lib/routing/prompt.ts'
import { backendConfig } from './backend-config.ts'
import { chatRequest, model as modelConfig } from './canonical.ts'
import { ManualClock } from './clock.ts'

/** A model with these backends, whose requests are routed by cost in manual time. */
export function routedModel(backends: readonly Partial<BackendConfig>[] = [{}, {}, {}]) {
  const clock = new ManualClock()
  const seen = { reasons: [] as string[], cached: [] as number[][], firstToken: [] as number[][], placed: 0 }
  const configs = backends.map((config, i) => backendConfig({ url: `http://${'abcd'[i]}/v1`, ...config }))
  const model = modelConfig({}, { backends: configs })
  const pool = new BackendPool([model], clock, { health: null })
  let lot = 0
  const tokens = { tokensPerByte: 0.25 }
  const routing = new ModelRouting(
    'm',
    clock,
    tokens,
    {
      decided: (_model, reason) => seen.reasons.push(reason),
      cached: (_model, predicted, reported) => seen.cached.push([Math.round(predicted), reported]),
      firstToken: (_routed, predicted, measured) => seen.firstToken.push([Math.round(predicted), measured]),
      placed: () => seen.placed++,
      changed: () => {},
    },
    () => (lot++ * 0.618) % 1,
  )
  const send = (prompt: Prompt, zdr = false, tried: Backend[] = []) => {
    const routed = routing.route(prompt)
    const backend = pool.pick(model, zdr, new Set(tried), routed.choose)
    const lease = backend.acquire(routed.place(backend))
    return {
      backend,
      name: new URL(backend.config.url).hostname,
      lease,
      choice: routed.choice,
      /** The first token arrives after `ms`, and the end after `ms` more. */
      answer(ms: number, usage?: Partial<Usage>) {
        clock.advance(ms)
        lease.answering(true)
        clock.advance(ms)
        const tokens = Math.round(prompt.length / 4)
        lease.release('ok', {
          promptTokens: tokens,
          completionTokens: 11,
          cachedTokens: null,
          reasoningTokens: null,
          ...usage,
        })
      },
    }
  }
  return { clock, pool, model, routing, send, seen, tokens }
}

const key = hashKey(Buffer.alloc(16, 9))

/** The prompt of a streamed chat that repeats `name` for `bytes` bytes, and `tail`. */
export function promptNamed(
  name: string,
  { bytes = 20_000, tail = '', isPrivate = false, session = undefined as string | undefined } = {},
): Prompt {
  const content = `${name} `.repeat(Math.ceil(bytes / (name.length + 1))).slice(0, bytes) + tail.repeat(1000)
  const request = chatRequest({ stream: true, messages: [{ role: 'user', content }] })
  return promptOf(request, { key, seed: 'm', session, isSystemFirst: true, isPrivate })
}
