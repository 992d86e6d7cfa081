import { type Html, html } from './html.ts'

const WIDTH = 100
const HEIGHT = 20

/** A small plot in a cell. `label`: its numbers, for screen readers and as title. null: a gap. */
export function htmlSparkline(values: readonly (number | null)[], label: string): Html {
  const top = Math.max(...values.map(value => value ?? 0), 0) || 1
  const step = WIDTH / Math.max(1, values.length - 1)
  let isDrawing = false
  const path = values.map((value, at) => {
    if (value === null) {
      isDrawing = false
      return ''
    }
    const command = isDrawing ? 'L' : 'M'
    isDrawing = true
    return `${command}${(at * step).toFixed(1)} ${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`
  })
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title><path d="${path.join('')}"></path></svg>`
}
