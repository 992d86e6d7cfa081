import {
  type BodyPhase,
  CLIENT_SURFACES,
  chat,
  defineErrors,
  definePlugin,
  nextTurn,
  quoted,
  type Services,
  type StreamPhase,
  textParts,
  words,
} from '../../../lib/plugin.ts'
import { key, target, zdr } from '../../slots.ts'
import type { Options } from './generated/options.ts'
import { GuardedReply } from './guarded-reply.ts'
import { type Judge, modelJudge, type Question, type Verdict, webhookJudge, ZdrUnsupported } from './judge.ts'
import options from './options.json' with { type: 'json' }

const errors = defineErrors({
  content_blocked: [400, 'invalid_request_error', 'The content filter does not allow this request{reason}.'],
})

/** Texts that are read before other exchanges run. */
const TEXTS_PER_TURN = 500

const MAX_REASON = 200

/** For a request that could not be judged, with `on_failure: closed`. */
const UNCHECKED = {
  status: 503,
  message: 'The content filter did not answer, so this request could not be checked: send it again.',
}

const NO_ZDR = ': it cannot check requests with zero data retention'

/** `failed`: not in time. `zdr`: the judge supports no zero data retention. */
type NoVerdict = 'failed' | 'zdr'

type Needed = typeof key | typeof chat | typeof target
type Optional = typeof zdr
type Asking = Pick<StreamPhase<Needed, never, Optional>, 'logId' | 'signal' | 'get' | 'find'>

export default definePlugin<Options, Needed, never, Optional>({
  name: 'guard',
  summary: 'Lets a webhook or a model judge requests and replies.',
  // Not on the surface `internal`: the guard would judge its own questions.
  routes: { proxied: true, canonical: true, surface: [...CLIENT_SURFACES, 'batch'] },
  options,
  needs: [key, chat, target],
  wants: [zdr],
  // What these refuse is not judged. Replies pass bottom to top, so tool calls arrive whole.
  after: [
    'tools',
    'response-format',
    'reasoning',
    'capabilities',
    'context-length',
    'images',
    'usage-limits',
    'credits',
  ],
  errors,

  setup(own, services) {
    const judge = judgeOf(own, services)
    const { log } = services
    const verdicts = services.metrics.counter({
      name: 'sluiceway_guard_verdicts_total',
      help: 'Texts that the guard has judged, by verdict: allowed, blocked, or failed if there was none in time.',
      labelNames: ['verdict'],
    })

    const ask = async (exchange: Asking, stage: Question['stage'], text: string): Promise<Verdict | NoVerdict> => {
      const { id: model } = exchange.get(target).model
      const { logId: request_id, signal: gone } = exchange
      const question = { request_id, account: exchange.get(key).account.id, model, stage, text }
      const isZdr = (exchange.find(zdr) ?? null) !== null
      try {
        const verdict = await judge(question, isZdr, AbortSignal.any([gone, AbortSignal.timeout(own.timeout_ms)]))
        verdicts.inc({ verdict: verdict.allow ? 'allowed' : 'blocked' })
        return verdict
      } catch (thrown) {
        if (gone.aborted) return 'failed'
        verdicts.inc({ verdict: 'failed' })
        log.warn({ request_id, stage, problem: (thrown as Error).message }, 'no verdict of the guard')
        return thrown instanceof ZdrUnsupported ? 'zdr' : 'failed'
      }
    }

    const isAllowed = (verdict: Verdict | NoVerdict) =>
      typeof verdict === 'string' ? own.on_failure === 'open' : verdict.allow

    const onBody = async (exchange: BodyPhase<Needed, never, Optional>): Promise<void> => {
      // No text leaves for a request that a limit refuses.
      await exchange.decided()
      const texts: string[] = []
      for (const { holder, member } of textParts(exchange.get(chat))) {
        texts.push(holder[member]!)
        if (texts.length % TEXTS_PER_TURN === 0) await nextTurn()
      }
      const verdict = await ask(exchange, 'input', texts.join('\n'))
      if (isAllowed(verdict)) return
      if (verdict === 'failed') throw errors.failure('content_blocked', { reason: '' }, UNCHECKED)
      if (verdict === 'zdr') throw errors.failure('content_blocked', { reason: NO_ZDR })
      const reason = verdict.reason === undefined ? '' : words`: ${quoted(verdict.reason, MAX_REASON)}`
      throw errors.failure('content_blocked', { reason })
    }

    const transform = (exchange: StreamPhase<Needed, never, Optional>): GuardedReply =>
      new GuardedReply({
        exchange,
        holdTokens: own.hold_tokens,
        isAllowed: async text => isAllowed(await ask(exchange, 'output', text)),
      })

    return {
      ...(own.check.includes('input') && { onBody }),
      ...(own.check.includes('output') && { transform }),
    }
  },
})

function judgeOf({ webhook, model, zdr: isZdr }: Options, services: Services): Judge {
  if ((webhook === undefined) === (model === undefined)) throw new Error("it needs either 'webhook' or 'model'.")
  if (isZdr && model !== undefined) throw new Error("'zdr' has no effect with 'model', whose backends have it.")
  if (webhook !== undefined) return webhookJudge(webhook, isZdr)
  const found = services.models.find(model!, null)
  // A server may list the model later, or no more: then there is no verdict, and the gateway runs.
  if (found === undefined && services.config.modelSources.length > 0)
    services.log.warn({ model }, 'the model of the guard is not discovered: without it there is no verdict')
  else if (found?.kind !== 'chat') throw new Error(`there is no chat model '${model}'.`)
  return modelJudge(model!, services)
}
