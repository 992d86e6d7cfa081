import { isObject, type Json } from '../base/json.ts'
import type { Problem } from './problems.ts'

export type Environment = Readonly<Record<string, string | undefined>>

interface FilledFile {
  readonly value: Json
  /** Paths of strings that consist of one variable, which may become a number or a boolean. */
  readonly whole: ReadonlySet<string>
  readonly problems: readonly Problem[]
}

const REFERENCE = /(\$?)\$\{([^}]*)\}/g
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A copy in which environment variables replace `${NAME}` in values. `$${` is a literal `${`. */
export function fillEnvironment(value: Json, env: Environment): FilledFile {
  const whole = new Set<string>()
  const problems: Problem[] = []

  const fillText = (text: string, path: string): string => {
    if (!text.includes('${')) return text
    if (/^\$\{[^}]*\}$/.test(text)) whole.add(path)
    return text.replace(REFERENCE, (reference: string, dollar: string, name: string) => {
      if (dollar !== '') return reference.slice(1)
      const variable = NAME.test(name) && Object.hasOwn(env, name) ? env[name] : undefined
      if (variable === undefined) problems.push({ path, message: missing(name) })
      return variable ?? ''
    })
  }

  const fill = (node: Json, path: string): Json => {
    if (typeof node === 'string') return fillText(node, path)
    if (Array.isArray(node)) return node.map((item, i) => fill(item, join(path, i)))
    if (!isObject(node)) return node
    return Object.fromEntries(Object.entries(node).map(([name, item]) => [name, fill(item ?? null, join(path, name))]))
  }

  return { value: fill(value, ''), whole, problems }
}

function missing(name: string): string {
  return NAME.test(name)
    ? `environment variable ${name} is not set`
    : `a name of letters, digits and underscores is needed between $\{ and }; write $$\{ for a literal $\{`
}

function join(path: string, name: string | number): string {
  return path === '' ? `${name}` : `${path}.${name}`
}
