import { ModelCatalog } from '../accounts/access.ts'
import type { Config } from '../config/config.ts'
import { BootError, type Plan, planChains } from '../process/boot.ts'
import { closePlugins, setUpPlugins } from '../process/plugins.ts'
import { testServices } from '../testing.ts'

/** The plan with every problem that prevents a start. Setting the plugins up, and closing them, finds more problems. */
export async function tryChains(config: Config): Promise<Plan> {
  const plan = await planChains(config)
  if (plan.problems.length > 0) return plan
  const services = testServices([], { config, models: new ModelCatalog(config.models, config.endpoints) })
  try {
    await closePlugins(await setUpPlugins(plan.plugins, services), services.log)
    return plan
  } catch (error) {
    if (error instanceof BootError) return { ...plan, problems: error.problems }
    throw error
  }
}
