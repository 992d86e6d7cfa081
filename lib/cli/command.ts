/** What every command of the command line is made of. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { suggestion } from '../base/nearest.ts'

/** A module under lib/cli that is a command. */
export interface Command {
  /** Printed by --help and, on stderr, when the arguments are wrong. */
  readonly usage: string
  /** Resolves with the exit code: 0 done, 1 a problem that was explained on stderr, 2 wrong usage. */
  run(argv: readonly string[]): Promise<number>
}

/** The arguments are wrong: explained together with the usage, exit code 2. */
export class UsageError extends Error {}

/** Something stands in the way that the message explains: exit code 1. */
export class CommandError extends Error {}

/** Reasons not to start that lie in the chain of plugins, in the words of ConfigError. */
export function chainProblems(file: string, problems: readonly string[]): string {
  return [`${file} gives no chain that could run:`, ...problems.map(problem => `  ${problem}`)].join('\n')
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Reads the arguments of a command. Throws UsageError in words of its own. */
export function readArguments<const O extends Options>(argv: readonly string[], options: O, positionals = 0) {
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
    const extra = parsed.positionals[positionals]
    if (extra !== undefined) throw new UsageError(`'${extra}' is one argument too many`)
    return parsed
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error
    throw new UsageError(inWords(error.message, Object.keys(options)))
  }
}

/** parseArgs explains at length; its first sentence is enough. */
function inWords(message: string, known: readonly string[]): string {
  const unknown = /^Unknown option '(--?)([^']*)'/.exec(message)
  if (unknown === null) return message.replace(/\.\s.*/s, '')
  const [, dashes, name = ''] = unknown
  return `unknown option '${dashes}${name}'${suggestion(name, known).replace("'", "'--")}`
}

/** The value of an option that a command cannot do without. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new UsageError(`${option} is needed`)
  return value
}

/** A port number of the command line; 0 stands for any that is free. */
export function portOf(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (!(port <= 65_535)) throw new UsageError(`${option} must be a number from 0 to 65535`)
  return port
}
