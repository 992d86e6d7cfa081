import { type Chunk, definePlugin, hasTokenPrices, requestedUnits, Transformer } from '../../../lib/plugin.ts'
import { pipe, target, type UnitUse, unitUse, usage } from '../../slots.ts'
import { isDelivered } from '../delivered.ts'

/** Keeps the seconds of audio that the backend has counted. */
class Seconds extends Transformer {
  readonly #use: UnitUse

  constructor(use: UnitUse) {
    super()
    this.#use = use
  }

  override chunk(chunk: Chunk): void {
    if (chunk.seconds !== undefined) this.#use.seconds = chunk.seconds
    this.next.chunk(chunk)
  }
}

type Optional = typeof pipe | typeof usage | typeof target

export default definePlugin<Record<string, never>, never, typeof unitUse, Optional>({
  name: 'units',
  summary: 'Counts characters, images and seconds of audio, which are charged where there are no tokens.',
  routes: { proxied: true, canonical: false },
  provides: [unitUse],
  wants: [pipe],
  reads: [usage, target],

  setup: () => ({
    onBody(exchange) {
      const { route, bodyBytes } = exchange
      const asked = requestedUnits(route.kind, exchange.find(pipe)?.body ?? {}, bodyBytes)
      exchange.set(unitUse, asked === undefined ? null : { ...asked, seconds: null })
    },

    transform(exchange) {
      const use = exchange.get(unitUse)
      if (use === null) return undefined
      // Fields of a form may have arrived after onBody. A backend answers when it has all of them.
      const asked = requestedUnits(exchange.route.kind, exchange.find(pipe)?.body ?? {}, 0)
      if (use.unit !== 'seconds') use.units = asked?.units ?? use.units
      return use.unit === 'seconds' ? new Seconds(use) : undefined
    },

    onFinish(exchange) {
      const use = exchange.find(unitUse) ?? null
      if (use === null) return
      if (use.unit === 'seconds') {
        const estimated = requestedUnits(exchange.route.kind, {}, exchange.bodyBytes)
        use.units = use.seconds === null ? (estimated?.units ?? null) : Math.ceil(use.seconds)
      }
      const pricing = exchange.find(target)?.model.pricing
      const areTokensCharged = pricing !== undefined && hasTokenPrices(pricing)
      if (!isDelivered(exchange) || (exchange.find(usage)?.usagePresent === true && areTokensCharged)) use.units = null
    },
  }),
})
