/** Secrets in entries of models: keys and headers for backends. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { refuseValue } from './values.ts'

const HIDDEN = '(hidden)'

/** The entry with HIDDEN in place of secrets. */
export function hideSecrets(entry: JsonObject): JsonObject {
  return withBackends(entry, backend => ({
    ...backend,
    ...(backend.api_key === undefined ? null : { api_key: HIDDEN }),
    ...(isObject(backend.headers) && {
      headers: Object.fromEntries(Object.keys(backend.headers).map(name => [name, HIDDEN])),
    }),
  }))
}

/** The entry with the secrets of `before` in place of HIDDEN: those of the backend with the same address. */
export function showSecrets(entry: JsonObject, before: JsonObject): JsonObject {
  const known = (Array.isArray(before.backends) ? before.backends : []).filter(isObject)
  return withBackends(entry, (backend, path) => {
    const same = known.find(one => isSameAddress(one, backend))
    const shown = (value: Json, secret: Json | undefined, name: string): Json => {
      if (value !== HIDDEN) return value
      return secret ?? refuseValue(`${path}.${name}`, 'is hidden, and no backend with this address has it: send it')
    }
    const { api_key, headers } = backend
    const headersBefore = isObject(same?.headers) ? same.headers : {}
    return {
      ...backend,
      ...(api_key === undefined ? null : { api_key: shown(api_key, same?.api_key, 'api_key') }),
      ...(isObject(headers) && {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => {
            return [name, shown(value ?? null, headersBefore[name], `headers.${name}`)]
          }),
        ),
      }),
    }
  })
}

function isSameAddress(a: JsonObject, b: JsonObject): boolean {
  return a.url === b.url && a.name === b.name && a.path === b.path
}

function withBackends(entry: JsonObject, change: (backend: JsonObject, path: string) => JsonObject): JsonObject {
  if (!Array.isArray(entry.backends)) return entry
  const backends = entry.backends.map((backend, i) => (isObject(backend) ? change(backend, `backends.${i}`) : backend))
  return { ...entry, backends }
}
