import { definePlugin, imageParts, referredFileOwner, Tokenizer } from '../../../lib/plugin.ts'
import { chat, key, target } from '../../slots.ts'
import { estimateTokens } from './estimate.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }
import { promptOf } from './prompt.ts'

/** Typical of current models for an ordinary image, whatever its size. */
const TOKENS_PER_IMAGE = 1000

/** Acquires no lease, because clients count dozens of texts at once (docs/api/count-tokens.md). */
export default definePlugin({
  name: 'count-tokens',
  summary: 'Counts the tokens of a Messages request, by the backend or by an estimate.',
  routes: { route: ['count-tokens'] },
  options,
  needs: [chat, key, target],
  // These plugins change the request that the model receives.
  after: ['reasoning', 'schema-refs', 'tools', 'capabilities'],

  setup({ timeout_ms }: Options, { config, models }) {
    const tokenizer = new Tokenizer(timeout_ms, models.backendsOf)
    const estimated = `x-${config.brand.toLowerCase()}-input-tokens-estimated`
    return {
      async onBody(exchange) {
        const request = exchange.get(chat)
        // Always true on Messages.
        if (request.kind !== 'chat') return
        const { surface } = exchange
        const referrer = { key: exchange.get(key), surface, zdr: exchange.get(target).zdr }
        // Uploaded files are not read, but a reference is refused as in the request itself.
        for (const { part, param } of imageParts(request.messages)) {
          if (part.fileId !== undefined) referredFileOwner(referrer, param)
        }
        const prompt = await promptOf(request)
        if (exchange.signal.aborted) return
        const counted = await tokenizer.count(prompt.request, exchange.get(target), exchange.signal)
        if (exchange.signal.aborted) return
        if (counted === undefined || prompt.images > 0) exchange.setHeader(estimated, 'true')
        const tokens = counted ?? (await estimateTokens(prompt))
        exchange.reply(200, { input_tokens: tokens + prompt.images * TOKENS_PER_IMAGE })
      },

      close: () => tokenizer.close(),
    }
  },
})
