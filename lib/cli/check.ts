import type { Config } from '../config/config.ts'
import { ConfigError, describe, type Problem } from '../config/problems.ts'
import { readConfig } from '../config/read.ts'
import { missingPlugin } from '../process/plugin-loader.ts'
import { tryChains } from './chain.ts'
import { CommandError, chainProblems, readArguments, required } from './command.ts'

export const usage = `Usage: sluiceway check --config FILE [--strict] [--live]

Validates everything that the gateway validates when it starts, without starting it, and prints every problem with its
path and line. It also reports what a gateway accepts but is probably a mistake, such as the same backend twice. Plugins
are loaded and set up. Lines that begin with 'Warning:' are about values that are rarely intended, such as a time in
seconds where milliseconds are expected. Exit code 0: the file can be used; 1: it cannot.

--strict: the exit code is 1 if there are warnings, too.

--live also asks the store, Redis, OpenID Connect issuers and every backend, including discovered ones: whether they can
be reached, which migrations of the store are pending, whether a backend serves its model, whether its engine and its
context window are those of the file, which version it runs, and whether its clock is right. It prints one line for
each, and one for each folder that cannot be written and for each port that another program uses. Of an entry that
discovers models, it asks each server for its list.
Exit code 1: a check failed. Nothing is changed.
`

export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, {
    config: { type: 'string', short: 'c' },
    strict: { type: 'boolean' },
    live: { type: 'boolean' },
  })
  const file = required(values.config, '--config FILE')
  const warnings: Problem[] = []
  const config = await readStrictly(file, warning => warnings.push(warning))
  const { problems, notes } = await tryChains(config)
  if (problems.length > 0) throw new CommandError(chainProblems(file, problems))
  process.stdout.write(`${file} is valid: ${summary(config)}.\n`)
  for (const note of notes) process.stdout.write(`Note: ${note}\n`)
  for (const warning of warnings) process.stdout.write(`Warning: ${describe(warning)}\n`)
  if (values.live === true) await live(config)
  if (values.strict === true && warnings.length > 0)
    throw new CommandError(`${count(warnings.length, 'warning')}: see the lines that begin with 'Warning:'`)
  return 0
}

/** If probable mistakes are all that is wrong with the file, also reports what is wrong with its chain. */
async function readStrictly(file: string, onWarning: (warning: Problem) => void): Promise<Config> {
  try {
    return readConfig(file, process.env, missingPlugin, onWarning)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { problems } = await tryChains(asAtStart(file, error))
    if (problems.length === 0) throw error
    throw new CommandError(`${error.message}\n${chainProblems(file, problems)}`)
  }
}

/** Reads the file without looking for probable mistakes. Throws `otherwise` if it has other problems. */
function asAtStart(file: string, otherwise: ConfigError): Config {
  try {
    return readConfig(file, process.env, missingPlugin)
  } catch {
    throw otherwise
  }
}

async function live(config: Config): Promise<void> {
  // Loaded on demand, because it imports the clients of stores and backends.
  const { checkLive } = await import('./live.ts')
  const findings = await checkLive(config)
  for (const { line } of findings) process.stdout.write(`${line}\n`)
  const failed = findings.filter(({ ok }) => !ok).length
  if (failed > 0)
    throw new CommandError(`${failed} of ${findings.length} checks failed: see the lines that begin with 'bad'`)
}

function summary({ models, modelSources, endpoints, accounts }: Config): string {
  const backends = models.reduce((sum, model) => sum + model.backends.length, 0)
  const discovered = models.reduce((sum, model) => sum + model.discover.length, 0)
  const more = discovered === 0 ? '' : ` and those of ${count(discovered, 'discovery', 'discoveries')}`
  const keys = accounts.reduce((sum, account) => sum + account.keys.length, 0)
  return [
    `${count(models.length, 'model')} on ${count(backends, 'backend')}${more}`,
    ...(modelSources.length === 0 ? [] : [`models of ${count(modelSources.length, 'entry', 'entries')} with discover`]),
    count(endpoints.length, 'dedicated endpoint'),
    `${count(accounts.length, 'account')} with ${count(keys, 'key')}`,
  ].join(', ')
}

function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}
