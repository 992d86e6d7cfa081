// What an answer costs, as the page Usage computes it, and its tokens in words.

/** A price in cents per million tokens is the same number of micro-cents per token. */
export function microcentsOf(price, { input, cachedInput, output }) {
  const cached = Math.min(cachedInput, input)
  return Math.round((input - cached) * price.input + cached * price.cached_input + output * price.output)
}

const MICROCENTS = 100_000_000

/** `0.00032 USD`: answers cost little, so the first digits count. */
export function moneyText(microcents, currency) {
  const amount = microcents / MICROCENTS
  const digits =
    amount >= 0.01 || amount === 0
      ? { minimumFractionDigits: 2, maximumFractionDigits: 4 }
      : { maximumSignificantDigits: 3 }
  return `${new Intl.NumberFormat('en', digits).format(amount)} ${currency}`
}

const counts = new Intl.NumberFormat('en')

/** `17 tokens in, 16 of them cached; 60 out` */
export function tokensText({ input, cachedInput, output, reasoning }) {
  const count = value => counts.format(value)
  const cached = cachedInput > 0 ? `, ${count(cachedInput)} of them cached` : ''
  const reasoned = reasoning > 0 ? `, ${count(reasoning)} of reasoning` : ''
  return `${count(input)} tokens in${cached}; ${count(output)} out${reasoned}`
}

/** `850 ms` or `12.3 s` */
export function durationText(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
