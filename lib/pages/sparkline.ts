import { type Html, type HtmlValue, html } from './html.ts'

const WIDTH = 100
const HEIGHT = 20
/** Width of a value between two gaps. */
const DOT = 3

interface Scale {
  /** The value at the upper edge. Default: the largest one. */
  readonly top?: number
  /** A horizontal line, such as a limit; null: none. */
  readonly bound?: number | null
}

/** A small plot in a cell. `label`: its numbers, for screen readers and as title. null: a gap. */
export function htmlSparkline(
  values: readonly (number | null)[],
  label: string,
  { top = largestOf(values), bound = null }: Scale = {},
): Html {
  const step = WIDTH / Math.max(1, values.length - 1)
  const y = (value: number) => (HEIGHT - 1 - (value / (top || 1)) * (HEIGHT - 2)).toFixed(1)
  const path = values.map((value, at) => {
    if (value === null) return ''
    if ((values[at - 1] ?? null) !== null) return `L${(at * step).toFixed(1)} ${y(value)}`
    if ((values[at + 1] ?? null) !== null) return `M${(at * step).toFixed(1)} ${y(value)}`
    const x = Math.min(WIDTH - DOT, Math.max(0, at * step - DOT / 2))
    return `M${x.toFixed(1)} ${y(value)}h${DOT}`
  })
  const line = bound !== null && html`<path class="bound" d="M0 ${y(bound)}h${WIDTH}"></path>`
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title>${line}<path d="${path.join('')}"></path></svg>`
}

/** At least 0. */
export function largestOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((top, value) => Math.max(top, value ?? 0), 0)
}

/** A number above its small plot, in a table that compares rows: the plots of a column have one `top`. */
export function htmlStrip(href: string, text: HtmlValue, plot: Html | false): Html {
  return html`<a class="strip" href="${href}"><span>${text}</span>${plot}</a>`
}
