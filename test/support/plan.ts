/** Chains of test plugins, and the plans that boot makes from them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../lib/base/json.ts'
import { type Plan, planChains } from '../../lib/process/boot.ts'
import { temporaryDirectory } from './cli.ts'
import { configOf, MODEL } from './config.ts'

const slots = new URL('../../lib/core/slots.ts', import.meta.url).href

/** The declaration of a test plugin, with slots by name. */
export interface Declared {
  readonly needs?: readonly string[]
  readonly provides?: readonly string[]
  readonly wants?: readonly string[]
  readonly reads?: readonly string[]
  readonly after?: readonly string[]
  readonly options?: JsonObject
  readonly routes?: JsonObject
  readonly errors?: JsonObject
}

/** A filter that selects one route. */
const ONE_ROUTE = { route: ['model-list'] }

export function moduleText(
  name: string,
  { needs, provides, wants, reads, after, options, routes, errors }: Declared,
): string {
  const members = { name, summary: '', after, options, routes: routes ?? ONE_ROUTE, errors }
  return `import { slot } from '${slots}'
const slots = names => names?.map(name => slot(name).of())
export default {
  ...${JSON.stringify(members)},
  needs: slots(${JSON.stringify(needs)}),
  provides: slots(${JSON.stringify(provides)}),
  wants: slots(${JSON.stringify(wants)}),
  reads: slots(${JSON.stringify(reads)}),
  setup: () => ({}),
}
`
}

/** Call in a describe: a directory for each test, and plans of configurations in it. */
export function planSetup() {
  const dir = temporaryDirectory()

  function write(file: string, text: string): void {
    const path = join(dir(), file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  /** The plan of a configuration with this value of `plugins`. Paths in problems are relative to its directory. */
  async function planOf(plugins: string): Promise<Plan> {
    const plan = await planChains(configOf(`${MODEL}\nplugins: ${plugins}`, {}, dir()))
    return { ...plan, problems: plan.problems.map(problem => problem.replaceAll(`${dir()}/`, './')) }
  }

  /** The plan of a configuration with exactly these entries under `plugins`. */
  function planned(entries: readonly (string | JsonObject)[]): Promise<Plan> {
    return planOf(JSON.stringify(entries.map(entry => (typeof entry === 'string' ? { use: entry } : entry))))
  }

  return { dir, write, planned, planOf }
}
