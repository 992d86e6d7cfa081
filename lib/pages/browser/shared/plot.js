// Draws the plots of a page from the attribute `data-plot`, which htmlPlot() writes (lib/pages/table.ts).
import UPlot from './uplot.js'

const HEIGHT = 240
/** Number of series colours in style.css. Further lines repeat them. */
const COLOURS = 6

/** The value of a colour of style.css in the current colour scheme. */
function colour(name) {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value
}

function optionsOf({ series, shape, unit = '' }, width) {
  const axis = { stroke: colour('soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { stroke: colour('line') } }
  const number = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 })
  const show = value => (value == null ? '–' : `${number.format(value)}${unit && ` ${unit}`}`)
  return {
    width,
    height: HEIGHT,
    // Days and hours on the page are UTC, whatever the time zone of the browser.
    tzDate: seconds => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.05 : 1] } },
    axes: [axis, { ...axis, size: 70, values: (_, ticks) => ticks.map(show) }],
    series: [
      {
        label: 'Time (UTC)',
        value: (_, at) => (at == null ? '–' : new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')),
      },
      ...series.map(({ label }, at) => {
        const stroke = colour(`series-${(at % COLOURS) + 1}`)
        const line = { label, stroke, width: 2, value: (_, value) => show(value) }
        return shape === 'bars'
          ? { ...line, fill: stroke, paths: UPlot.paths.bars({ size: [0.7, 60] }), points: { show: false } }
          : line
      }),
    ],
  }
}

/**
 * Draws a plot in the element, and redraws it when its width or the colours change. `update()` of the result sets new
 * data.
 */
export function draw(element, first) {
  let data = first
  let plot
  const rows = () => [data.times, ...data.series.map(({ values }) => values)]
  const redraw = () => {
    plot?.destroy()
    plot = new UPlot(optionsOf(data, element.clientWidth), rows(), element)
  }
  element.hidden = false
  redraw()
  new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT })).observe(element)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)
  return {
    update(next) {
      const isSame = next.series.length === data.series.length
      data = next
      if (isSame) plot.setData(rows())
      else redraw()
    },
  }
}

// Plots are drawn after the first frame, so that text appears earlier. Hidden pages have no frames.
if (!document.hidden) await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))

/** The plots of the page by their elements, for scripts that update them. */
export const plots = new Map(
  Array.from(document.querySelectorAll('[data-plot]'), element => [
    element,
    draw(element, JSON.parse(element.dataset.plot)),
  ]),
)

// For measurements: the page is complete.
performance.mark('plots')
