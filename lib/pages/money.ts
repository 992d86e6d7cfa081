/** Amounts of money on pages, in units of the configured currency. */
import { type Html, html } from './html.ts'

let made: ReturnType<typeof makeFormats> | undefined

function makeFormats() {
  // Without a minus before zero.
  const options = { minimumFractionDigits: 2, signDisplay: 'negative' } as const
  return {
    short: new Intl.NumberFormat('en', { ...options, maximumFractionDigits: 2 }),
    // A millionth of a cent has eight decimals.
    exact: new Intl.NumberFormat('en', { ...options, maximumFractionDigits: 8 }),
  }
}

/** Created for the first page, because the first formatter loads language data for 20 ms. */
function formats(): ReturnType<typeof makeFormats> {
  made ??= makeFormats()
  return made
}

/** Cents as `12.34 USD`, with the exact amount as title. `shown`: the cents to round, if they are not `cents`. */
export function moneyHtml(cents: number, currency: string, shown = cents): Html {
  const { exact, short } = formats()
  return html`<span title="${exact.format(cents / 100)} ${currency}">${short.format(shown / 100)} <span class="unit">${currency}</span></span>`
}

/** `12.34 USD`, for texts without HTML. */
export function moneyText(cents: number, currency: string): string {
  return `${formats().short.format(cents / 100)} ${currency}`
}
