// Draws the plots of a page from the attribute `data-plot`, which htmlPlot() writes (lib/pages/table.ts).
import { spanOf, stepped } from './steps.js'
import UPlot from './uplot.js'

const HEIGHT = 240
/** Number of series colours in tokens.css. Further lines repeat them. */
const COLOURS = 6
const DAY_S = 86_400

/** The value of a colour of tokens.css in the current colour scheme. */
function colour(name) {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value
}

const pad = number => String(number).padStart(2, '0')
const dayText = date => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
const clockText = date => `${pad(date.getHours())}:${pad(date.getMinutes())}`
const MINUTE_S = 60
const HOUR_S = 3600
/** Seconds between ticks of a plot whose points are less than a day apart. */
const TICKS = [
  ...[5, 10, 15, 30, 60, 300, 600, 900, 1800, HOUR_S, 6 * HOUR_S],
  ...[1, 2, 5, 10, 20].map(days => days * DAY_S),
]
/** Pixels between two ticks with a day or a time. */
const DAY_SPACE = 90
const TIME_SPACE = 70

/** Indices of values between gaps, which no line reaches. */
function isolated(plot, series) {
  const values = plot.data[series]
  const isGap = at => values[at] === null || values[at] === undefined
  return Array.from(values.keys()).filter(at => !isGap(at) && isGap(at - 1) && isGap(at + 1))
}

/** Half of a step. */
const half = times => (times[1] - times[0]) / 2

function lineOf({ label, wide }, at, show) {
  const stroke = colour(`series-${(at % COLOURS) + 1}`)
  return {
    label,
    stroke,
    width: wide ? 5 : 2,
    value: (_, value) => show(value),
    points: { show: true, filter: isolated, size: wide ? 9 : 6, stroke, fill: stroke },
  }
}

/** Pixels between marks below which only the first one has its text. */
const MARK_SPACE = 14
const MARK_FONT = '11px ui-sans-serif, system-ui, sans-serif'

/** Draws vertical lines with their texts along them. */
function drawMarks(plot, marks) {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  let textEnd = Number.NEGATIVE_INFINITY
  ctx.save()
  ctx.font = MARK_FONT.replace('11', String(11 * ratio))
  ctx.lineWidth = ratio
  ctx.textAlign = 'left'
  for (const { at, text, kind = 'soft' } of marks) {
    const x = Math.round(plot.valToPos(at, 'x', true))
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.strokeStyle = colour(kind)
    ctx.fillStyle = ctx.strokeStyle
    ctx.setLineDash([4 * ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    if (x < textEnd) continue
    textEnd = x + MARK_SPACE * ratio
    ctx.save()
    ctx.translate(x + 3 * ratio, bbox.top + 2 * ratio)
    ctx.rotate(Math.PI / 2)
    ctx.textBaseline = 'bottom'
    ctx.fillText(text, 0, 0)
    ctx.restore()
  }
  ctx.restore()
}

function optionsOf({ series, shape, times, unit = '', marks = [] }, width) {
  const axis = { stroke: colour('soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { stroke: colour('line') } }
  const number = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 })
  const show = value => (value == null ? '–' : `${number.format(value)}${unit && ` ${unit}`}`)
  // Days are UTC, as in the table next to the plot. Other times are in the viewer's zone.
  const isDaily = times.length > 1 && times[1] - times[0] >= DAY_S
  const tzDate = seconds => (isDaily ? UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000))
  const timeText = (seconds, step) => {
    const date = tzDate(seconds)
    if (step >= DAY_S) return dayText(date)
    return step >= MINUTE_S ? clockText(date) : `${clockText(date)}:${pad(date.getSeconds())}`
  }
  return {
    width,
    height: HEIGHT,
    // Room for the half of the last label, and next to the labels at the left.
    padding: [null, 24, null, 8],
    tzDate,
    hooks: { draw: [plot => drawMarks(plot, marks)] },
    scales: {
      ...(times.length > 1 && {
        x: {
          range: (plot, low, high) =>
            // Room for the halves of the first and last bar.
            shape === 'bars' ? [low - half(times), high + half(times)] : spanOf(plot.data[0], low, high),
        },
      }),
      y: { range: (_, low, high) => [Math.min(0, low ?? 0), high > 0 ? high * 1.05 : 1] },
    },
    axes: [
      {
        ...axis,
        space: (_, _axis, low, high, length) =>
          isDaily || ((high - low) * TIME_SPACE) / length > 6 * HOUR_S ? DAY_SPACE : TIME_SPACE,
        ...(isDaily ? null : { incrs: TICKS }),
        values: (_, ticks, _axis, _space, step) => ticks.map(at => timeText(at, step)),
      },
      {
        ...axis,
        size: (_, labels) => Math.max(50, ...(labels ?? []).map(text => 16 + 7.5 * text.length)),
        values: (_, ticks) => ticks.map(show),
      },
    ],
    series: [
      {
        label: isDaily ? 'Day (UTC)' : 'Time',
        value: (_, at) => (at == null ? '–' : `${dayText(tzDate(at))}${isDaily ? '' : ` ${clockText(tzDate(at))}`}`),
      },
      ...series.map((one, at) => {
        const line = lineOf(one, at, show)
        return shape === 'bars'
          ? { ...line, fill: line.stroke, paths: UPlot.paths.bars({ size: [0.7, 60] }), points: { show: false } }
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
  let data = stepped(first)
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
      data = stepped(next)
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
