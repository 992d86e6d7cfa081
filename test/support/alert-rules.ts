/** Which rules of deploy/prometheus/rules.yml fire on metrics that gateways have exported. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'

const RULES = fileURLToPath(new URL('../../deploy/prometheus/rules.yml', import.meta.url))

/** Each state lasts longer than any `for` of the rules. Prometheus forgets a missing series after five minutes. */
const MINUTES = { before: 10, after: 60 }

/** The text of /metrics before and after the cause of an alert; '': the gateway does not answer. */
export interface Scrapes {
  readonly before: string
  readonly after: string
}

/**
 * Names of the alerts that fire, sorted. Counters grow per minute as between the scrapes; the clock begins at zero.
 * Throws if promtool cannot read the series.
 */
export function alertsOf(promtool: string, { before, after }: Scrapes): readonly string[] {
  const [old, now] = [samplesOf(before), samplesOf(after)]
  const series = [...new Set([...old.keys(), ...now.keys()])].map(name => ({
    series: name.replace(
      /(?:\{(.*)\})?$/,
      (_, labels = '') => `{job="sluiceway",instance="g"${labels && `,${labels}`}}`,
    ),
    values: valuesOf(name, old.get(name), now.get(name), `${before}\n${after}`),
  }))
  const up = { series: 'up{job="sluiceway",instance="g"}', values: values(1, 0, after === '' ? 0 : 1, 0) }
  const dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
  try {
    const file = join(dir, 'test.yml')
    // It expects no sample, so that promtool prints those it has found.
    const expression = {
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${MINUTES.before + MINUTES.after}m`,
      exp_samples: [],
    }
    const tests = [{ interval: '1m', input_series: [...series, up], promql_expr_test: [expression] }]
    writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }))
    const { stdout, stderr, status } = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' })
    const found = [...`${stdout}${stderr}`.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name!)
    if ((status === 0) !== (found.length === 0)) throw new Error(`${stdout}${stderr}`)
    return found.toSorted()
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** Values by name with labels, as in the text. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.matchAll(/^(sluiceway_\w+(?:\{.*\})?) (\S+)$/gm)
  return new Map(Array.from(lines, ([, name, value]) => [name!, Number(value)]))
}

function valuesOf(name: string, old: number | undefined, now: number | undefined, text: string): string {
  const metric = name.replace(/\{.*/, '')
  const isType = (of: string, type: string) => new RegExp(`^# TYPE ${of} ${type}$`, 'm').test(text)
  const isCounting = isType(metric, 'counter') || isType(metric.replace(/_(bucket|sum|count)$/, ''), 'histogram')
  if (now === undefined) return values(old!, 0, undefined, 0)
  if (isCounting) return values(old, 0, old ?? 0, now - (old ?? 0))
  if (metric.endsWith('_timestamp_seconds')) return values(toTest(old), 0, toTest(now)!, 0)
  // Time passes.
  return values(old, 0, now, metric.endsWith('_lag_seconds') && now > 0 ? 60 : 0)
}

const toTest = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds - Date.now() / 1000)

/** In promtool's notation. */
function values(old: number | undefined, oldStep: number, now: number | undefined, nowStep: number): string {
  const part = (from: number | undefined, step: number, count: number) =>
    from === undefined ? `_x${count}` : `${from}${step < 0 ? '' : '+'}${step}x${count - 1}`
  return `${part(old, oldStep, MINUTES.before)} ${part(now, nowStep, MINUTES.after)}`
}
