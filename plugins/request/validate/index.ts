import { bodyValidator, definePlugin, ROUTES, type Route } from '../../../lib/plugin.ts'

export default definePlugin({
  name: 'validate',
  summary: 'Refuses bodies that do not match the schema of their route.',

  setup: () => {
    const routes: readonly Route[] = ROUTES
    const names = new Set(routes.flatMap(({ body }) => body ?? []))
    const validators = new Map([...names].map(name => [name, bodyValidator(name)]))
    return {
      onBody(exchange) {
        const { body } = exchange.route
        const check = body === null ? undefined : validators.get(body)
        if (check !== undefined) return exchange.validateBody(check)
      },
    }
  },
})
