import { bodyValidator, definePlugin, ROUTES, type Route } from '../../../lib/plugin.ts'
import { ignored, zdr } from '../../slots.ts'
import { headerValue, loggedPaths } from './ignored.ts'

const routes = (ROUTES as readonly Route[]).filter(({ body }) => body !== null)

export default definePlugin({
  name: 'validate',
  summary: 'Refuses bodies that do not match the schema of their route, and names what of them is ignored.',
  routes: { route: routes.map(({ name }) => name) },
  provides: [ignored],
  wants: [zdr],

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
