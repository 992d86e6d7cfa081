import { definePlugin, isObject, readSchema } from '../../../lib/plugin.ts'
import { key, pipe, target, zdr } from '../../slots.ts'
import { resolveTarget } from '../resolve.ts'

export default definePlugin({
  name: 'pipe-model',
  summary: 'Resolves the model of a byte-pipe request, and names the members of its body that have no effect.',
  routes: { proxied: true, canonical: false },
  needs: [key],
  provides: [pipe, target],
  wants: [zdr],
  // The body must match its schema.
  after: ['validate'],

  setup(_options, services) {
    const byBody = new Map<string, ReadonlySet<string>>()
    return {
      onBody(exchange) {
        const { route, endpoint, headers, body } = exchange
        const { model } = body
        // The schemas require a model.
        if (typeof model !== 'string' || route.body === null) return
        const caller = { key: exchange.get(key), route, endpoint, headers, body, zdr: exchange.find(zdr) ?? null }
        const withoutEffect = byBody.get(route.body) ?? membersWithoutEffect(route.body)
        byBody.set(route.body, withoutEffect)
        exchange.set(pipe, { kind: 'pipe', model, body, withoutEffect })
        exchange.set(target, resolveTarget(services, model, caller))
      },
    }
  },
})

/** Names of the members that the schema accepts without effect. */
function membersWithoutEffect(body: string): ReadonlySet<string> {
  const { properties } = readSchema(`bodies/${body}`)
  const members = Object.entries(isObject(properties) ? properties : {})
  return new Set(members.flatMap(([name, member]) => (isObject(member) && member['x-no-effect'] === true ? name : [])))
}
