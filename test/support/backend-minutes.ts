import { type BackendMinute, type MinutePart, VALUE_COLUMNS } from '../../lib/store/history-columns.ts'

/** A minute of a backend in which nothing was measured, apart from `more`. */
export function backendMinute(more: Partial<BackendMinute>): MinutePart {
  const { model = 'm', backend = 'http://a/v1', minute = 600 } = more
  const none = { capacity: null, cached_tokens: null, ...more }
  const values = Float64Array.from(VALUE_COLUMNS, name => {
    const value = none[name]
    return value === null ? Number.NaN : (value ?? 0)
  })
  return { model, backend, minute, values }
}

/** The values of a part by name. */
export function namedValues({ values, ...key }: MinutePart): BackendMinute {
  const named = VALUE_COLUMNS.map((name, at) => [name, Number.isNaN(values[at]) ? null : values[at]])
  return { ...key, ...Object.fromEntries(named) } as BackendMinute
}
