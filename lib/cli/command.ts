/** The parts that all commands share. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { instead, suggestion } from '../text/nearest.ts'

/** A command: a module in lib/cli. */
export interface Command {
  /** Printed by --help, and on stderr after wrong arguments. */
  readonly usage: string
  /** Resolves with the exit code: 0 success, 1 a problem, explained on stderr, 2 wrong usage. */
  run(argv: readonly string[]): Promise<number>
}

/** Wrong arguments. The message is printed with the usage; exit code 2. */
export class UsageError extends Error {}

/** A problem. Its message says what to do next; exit code 1. */
export class CommandError extends Error {}

/** Formats problems of the chain of plugins like the message of ConfigError. */
export function chainProblems(file: string, problems: readonly string[]): string {
  return [`${file} has a chain of plugins that cannot run:`, ...problems.map(problem => `  ${problem}`)].join('\n')
}

/** Runs the action that the first argument names. Throws UsageError. */
export async function runAction(
  [name, ...argv]: readonly string[],
  actions: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>>,
): Promise<number> {
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(Object.keys(actions))
  if (name === undefined) throw new UsageError(`an action is needed: ${names}`)
  if (!Object.hasOwn(actions, name)) throw new UsageError(`there is no action '${name}': use ${names}`)
  return actions[name]!(argv)
}

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses the arguments of a command. Throws UsageError. */
export function readArguments<const O extends Options>(argv: readonly string[], options: O, positionals = 0) {
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
    const extra = parsed.positionals[positionals]
    if (extra !== undefined) throw new UsageError(`unexpected argument '${extra}'`)
    return parsed
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error
    throw new UsageError(reworded(error.message, Object.keys(options)))
  }
}

/** Rewords a message of parseArgs, and adds a suggestion for an unknown option. */
function reworded(message: string, known: readonly string[]): string {
  const unknown = /^Unknown option '(--?)([^']*)'/.exec(message)
  if (unknown === null) {
    const [, option] = /^Option '(?:-\w, )?(--[^ ']+)/.exec(message) ?? []
    if (option === undefined) return message.replace(/\.\s.*/s, '')
    return message.includes('does not take') ? `${option} takes no value` : `${option} needs a value`
  }
  const [, dashes, name = ''] = unknown
  if (/^\d$/.test(name)) return `write -- before a number below zero: -- -${name}…`
  return `unknown option '${dashes}${name}'${suggestion(name, known).replace("'", "'--")}`
}

/** The error for a plan, a model … that does not exist. `none`: what to do if no other exists either. */
export function unknownName(
  kind: string,
  name: string,
  known: readonly string[],
  none = `add it to \`${kind}s\` in the file`,
): CommandError {
  return new CommandError(`there is no ${kind} '${name}'${instead(name, known) || `: ${none}`}`)
}

/** The value of a required option or argument. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new UsageError(`${option} is needed`)
  return value
}

/** A value of a closed set. Throws UsageError. */
export function oneOf<T extends string>(known: readonly T[], value: string | undefined, option: string): T | undefined {
  if (value === undefined) return undefined
  const match = known.find(name => name === value)
  if (match === undefined) throw new UsageError(`${option} must be one of ${known.join(', ')}`)
  return match
}

/** Throws UsageError if two formats of the output are asked for. */
export function checkFormat({ csv, json }: { readonly csv?: boolean; readonly json?: boolean }): void {
  if (csv === true && json === true) throw new UsageError('--csv and --json exclude each other')
}

/** A port number; 0 means any free port. */
export function portOf(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (!(port <= 65_535)) throw new UsageError(`${option} must be a number from 0 to 65535`)
  return port
}
