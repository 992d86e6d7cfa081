/** Configurations as text. */
import type { Config } from '../../lib/config/config.ts'
import type { Environment } from '../../lib/config/environment.ts'
import { ConfigError, type Problem } from '../../lib/config/problems.ts'
import { parseConfig } from '../../lib/config/read.ts'

/** The smallest configuration: one model on one backend. */
export const MODEL = `
models:
  - id: m
    backends: [{ url: http://127.0.0.1:8000/v1 }]
`

export const ACCOUNT_ID = '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21'

export function configOf(text: string, env: Environment = {}, baseDir = '/etc/sluiceway'): Config {
  return parseConfig(text, { baseDir, env, fileName: 'test.yaml' })
}

/** Problems of a text as in `sluiceway check`: `path: message`, in order. Empty: valid. */
export function problemsOf(text: string, env: Environment = {}, baseDir = '/etc/sluiceway', strict = true): string[] {
  try {
    parseConfig(text, { baseDir, env, fileName: 'test.yaml', ...(strict && { onWarning: () => {} }) })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  }
}

/** Warnings of a text as in `sluiceway check`: `path: message`, in order. */
export function warningsOf(text: string): string[] {
  const warnings: string[] = []
  const onWarning = ({ path, message }: Problem) => warnings.push(`${path}: ${message}`)
  parseConfig(text, { baseDir: '/etc/sluiceway', env: {}, fileName: 'test.yaml', onWarning })
  return warnings
}
