import type { Config } from '../config/config.ts'
import { parseConfig, readConfig } from '../config/read.ts'
import { chainText } from '../process/chain-view.ts'
import { tryChains } from './chain.ts'
import { CommandError, chainProblems, readArguments } from './command.ts'
import { demoConfig, newSecret } from './config-text.ts'

export const usage = `Usage: sluiceway explain [--config FILE]

Prints the plugins of every route in order, with a summary and the slots that each plugin fills. Marks show changes to
the default chain: + added, - switched off, ~ with options of this configuration. The last lines are about lines of
batches, and requests of the gateway itself. Without a file, prints the default chain. Exit code 1: the gateway would
not start with this chain.
`

export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, { config: { type: 'string', short: 'c' } })
  const { config: file } = values
  const config = file === undefined ? defaultConfig() : readConfig(file, process.env)
  const { shown, problems } = await tryChains(config)
  process.stdout.write(chainText(shown))
  if (problems.length > 0) throw new CommandError(chainProblems(file ?? 'the default chain', problems))
  return 0
}

/** A configuration with the default chain. No other member matters: routes are the same in every configuration. */
function defaultConfig(): Config {
  return parseConfig(demoConfig(newSecret()), { baseDir: process.cwd(), env: {}, fileName: 'demo' })
}
