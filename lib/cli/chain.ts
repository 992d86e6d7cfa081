/** The chain of a configuration, for commands. */
import { ModelCatalog } from '../accounts/access.ts'
import type { Config } from '../config/config.ts'
import { type Plan, planChains } from '../process/boot.ts'
import { BootError, trySetUp } from '../process/runtime.ts'
import { testServices } from '../testing.ts'

/** The plan, with every problem that a start would find: plugins are set up and closed again, because some problems only show then. */
export async function tryChains(config: Config): Promise<Plan> {
  const plan = await planChains(config)
  if (plan.problems.length > 0) return plan
  const models = new ModelCatalog(config.models, config.endpoints)
  try {
    await trySetUp(plan.plugins, testServices([], { config, models }))
    return plan
  } catch (error) {
    if (error instanceof BootError) return { ...plan, problems: error.problems }
    throw error
  }
}
