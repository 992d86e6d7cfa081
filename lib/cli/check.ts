import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { missingPlugin } from '../process/plugin-loader.ts'
import { tryChains } from './chain.ts'
import { CommandError, chainProblems, readArguments, required } from './command.ts'

export const usage = `Usage: sluiceway check --config FILE

Validates everything that the gateway validates when it starts, without starting it, and prints every problem with its path
and line. Plugins are loaded and set up. Exit code 0: the file can be used; 1: it cannot.
`

export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, { config: { type: 'string', short: 'c' } })
  const file = required(values.config, '--config FILE')
  const config = readConfig(file, process.env, missingPlugin)
  const { problems, notes } = await tryChains(config)
  if (problems.length > 0) throw new CommandError(chainProblems(file, problems))
  process.stdout.write(`${file} is valid: ${summary(config)}.\n`)
  for (const note of notes) process.stdout.write(`Note: ${note}\n`)
  return 0
}

function summary({ models, endpoints, accounts }: Config): string {
  const backends = models.reduce((sum, model) => sum + model.backends.length, 0)
  const keys = accounts.reduce((sum, account) => sum + account.keys.length, 0)
  return [
    `${count(models.length, 'model')} on ${count(backends, 'backend')}`,
    count(endpoints.length, 'dedicated endpoint'),
    `${count(accounts.length, 'account')} with ${count(keys, 'key')}`,
  ].join(', ')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
