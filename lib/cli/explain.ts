import { planChains } from '../boot.ts'
import { readConfig } from '../config/read.ts'
import { explain } from '../explain.ts'
import { CommandError, chainProblems, readArguments, required } from './command.ts'

export const usage = `Usage: sluiceway explain --config FILE

Prints, for every route, the plugins that a request runs through, in order: what each does, and which slots it fills.
Exit code 1 when the gateway would not start with this chain.
`

export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, { config: { type: 'string', short: 'c' } })
  const file = required(values.config, '--config FILE')
  const { plugins, problems } = await planChains(readConfig(file, process.env))
  process.stdout.write(explain(plugins))
  if (problems.length > 0) throw new CommandError(chainProblems(file, problems))
  return 0
}
