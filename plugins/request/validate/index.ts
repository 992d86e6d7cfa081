import { definePlugin } from '../../../lib/core/plugin.ts'
import { ROUTES, type Route } from '../../../lib/routes/routes.ts'
import { bodyValidator } from '../../../lib/schemas/schemas.ts'

export default definePlugin({
  name: 'validate',
  summary: 'Refuses bodies that do not match the schema of their route.',

  setup: () => {
    const routes: readonly Route[] = ROUTES
    const names = new Set(routes.flatMap(({ body }) => body ?? []))
    const validators = new Map([...names].map(name => [name, bodyValidator(name)]))
    return {
      onBody({ route, body }) {
        if (route.body !== null) return validators.get(route.body)?.(body)
      },
    }
  },
})
