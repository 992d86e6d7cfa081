/** A problem of a configuration, for the operator. The message never quotes a value, which may be a secret. */
export interface Problem {
  /** Dotted path of the member: `models.0.backends.1.url`. '': the whole file. */
  readonly path: string
  readonly message: string
  /** Line of the file, from 1; undefined: unknown. */
  readonly line?: number
}

/** A configuration that cannot be used, with all its problems. */
export class ConfigError extends Error {
  readonly file: string
  readonly problems: readonly Problem[]

  constructor(file: string, problems: readonly Problem[]) {
    const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`
    super([`${file} has ${count}:`, ...problems.map(problem => `  ${describe(problem)}`)].join('\n'))
    this.file = file
    this.problems = problems
  }
}

/** `line 12: models.0.id: is required` */
export function describe({ path, message, line }: Problem): string {
  return [line === undefined ? '' : `line ${line}`, path, message].filter(part => part !== '').join(': ')
}
