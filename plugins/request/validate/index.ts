import { bodyValidator, definePlugin, type IgnoredMembers, lengthOf, ROUTES, type Route } from '../../../lib/plugin.ts'
import { ignored, zdr } from '../../slots.ts'

const routes = (ROUTES as readonly Route[]).filter(({ body }) => body !== null)

/** Characters of the header value. */
const MAX_VALUE = 200
/** Characters of one name in the header value, escapes included. */
const MAX_NAME = 64
/** Names that are logged as they are. Any other name may be content. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]{0,31}$/

export default definePlugin({
  name: 'validate',
  summary: 'Refuses bodies that do not match the schema of their route, and reports the members that are ignored.',
  routes: { route: routes.map(({ name }) => name) },
  provides: [ignored],
  wants: [zdr],
  // Takes members out of the body that schemas do not know.
  after: ['passthrough'],

  setup: (_options, { config }) => {
    const validators = new Map(routes.map(({ body }) => [body, bodyValidator(body!)]))
    const header = `x-${config.brand.toLowerCase()}-ignored`
    return {
      onBody(exchange) {
        exchange.set(ignored, null)
        const found = exchange.validateBody(validators.get(exchange.route.body)!)
        if (found === undefined) return
        exchange.setHeader(header, headerValue(found))
        exchange.set(ignored, { count: found.count, paths: loggedPaths(found, exchange.find(zdr) != null) })
      },
    }
  },
})

/**
 * Comma-separated paths in the client's format: `messages.0.foo, stream_options.bar`. Characters other than letters,
 * digits, `_` and `-` are percent-encoded. A truncated name ends with three dots. Paths that do not fit are omitted.
 */
function headerValue({ named }: IgnoredMembers): string {
  let value = ''
  for (const { path, name } of named) {
    const next = [...path, encoded(name)].join('.')
    const longer = value === '' ? next : `${value}, ${next}`
    if (longer.length <= MAX_VALUE) value = longer
  }
  return value
}

function encoded(name: string): string {
  const text = encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed()).replace(/[.!~*'()]/g, percentEncoded)
  if (text.length <= MAX_NAME && name.length <= MAX_NAME) return text
  // Removes an escape that was cut.
  return `${text.slice(0, MAX_NAME).replace(/%[^%]?$/, '')}...`
}

function percentEncoded(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** Paths for the log. `hidden`: the length of each name in place of the name. */
function loggedPaths({ named }: IgnoredMembers, hidden: boolean): readonly string[] {
  return named.map(({ path, name }) => [...path, hidden || !PLAIN.test(name) ? lengthOf(name) : name].join('.'))
}
