/** Checks a file against schemas/config.json, fills in its defaults, and says what is wrong in words. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import account from '../../schemas/config/account.json' with { type: 'json' }
import admin from '../../schemas/config/admin.json' with { type: 'json' }
import adminOidc from '../../schemas/config/admin-oidc.json' with { type: 'json' }
import admission from '../../schemas/config/admission.json' with { type: 'json' }
import alerts from '../../schemas/config/alerts.json' with { type: 'json' }
import backend from '../../schemas/config/backend.json' with { type: 'json' }
import capabilities from '../../schemas/config/capabilities.json' with { type: 'json' }
import console from '../../schemas/config/console.json' with { type: 'json' }
import consoleOidc from '../../schemas/config/console-oidc.json' with { type: 'json' }
import endpoint from '../../schemas/config/endpoint.json' with { type: 'json' }
import files from '../../schemas/config/files.json' with { type: 'json' }
import hosts from '../../schemas/config/hosts.json' with { type: 'json' }
import listen from '../../schemas/config/listen.json' with { type: 'json' }
import memory from '../../schemas/config/memory.json' with { type: 'json' }
import model from '../../schemas/config/model.json' with { type: 'json' }
import oidc from '../../schemas/config/oidc.json' with { type: 'json' }
import plan from '../../schemas/config/plan.json' with { type: 'json' }
import plugin from '../../schemas/config/plugin.json' with { type: 'json' }
import pluginAddition from '../../schemas/config/plugin-addition.json' with { type: 'json' }
import plugins from '../../schemas/config/plugins.json' with { type: 'json' }
import profile from '../../schemas/config/profile.json' with { type: 'json' }
import queue from '../../schemas/config/queue.json' with { type: 'json' }
import rateLimits from '../../schemas/config/rate-limits.json' with { type: 'json' }
import requestLimits from '../../schemas/config/request-limits.json' with { type: 'json' }
import routing from '../../schemas/config/routing.json' with { type: 'json' }
import switches from '../../schemas/config/switches.json' with { type: 'json' }
import timeouts from '../../schemas/config/timeouts.json' with { type: 'json' }
import root from '../../schemas/config.json' with { type: 'json' }
import { isObject, type Json } from '../base/json.ts'
import { newCompiler } from '../schemas/compiler.ts'
import { findings, pathOf } from '../schemas/wording.ts'
import type { ConfigFile } from './generated/file.ts'
import type { Problem } from './problems.ts'

/** Every schema of the configuration by its path below schemas/, which is also how they refer to each other. */
export const CONFIG_SCHEMAS: Readonly<Record<string, object>> = {
  'config.json': root,
  'config/account.json': account,
  'config/admin.json': admin,
  'config/admin-oidc.json': adminOidc,
  'config/admission.json': admission,
  'config/alerts.json': alerts,
  'config/backend.json': backend,
  'config/capabilities.json': capabilities,
  'config/console.json': console,
  'config/console-oidc.json': consoleOidc,
  'config/endpoint.json': endpoint,
  'config/files.json': files,
  'config/hosts.json': hosts,
  'config/listen.json': listen,
  'config/memory.json': memory,
  'config/model.json': model,
  'config/oidc.json': oidc,
  'config/plan.json': plan,
  'config/plugin.json': plugin,
  'config/plugin-addition.json': pluginAddition,
  'config/plugins.json': plugins,
  'config/profile.json': profile,
  'config/queue.json': queue,
  'config/rate-limits.json': rateLimits,
  'config/request-limits.json': requestLimits,
  'config/routing.json': routing,
  'config/switches.json': switches,
  'config/timeouts.json': timeouts,
}

let compiled: ValidateFunction<ConfigFile> | undefined

function validator(): ValidateFunction<ConfigFile> {
  if (compiled !== undefined) return compiled
  const ajv = newCompiler({ errors: 'all', fillDefaults: true, checkSchemas: false })
  for (const [path, schema] of Object.entries(CONFIG_SCHEMAS)) ajv.addSchema(schema, path)
  compiled = ajv.getSchema<ConfigFile>('config.json')!
  return compiled
}

interface Validated {
  /** The value that was checked, with its defaults; undefined when the schema refuses it. */
  readonly accepted: ConfigFile | undefined
  readonly problems: readonly Problem[]
}

/**
 * Fills defaults into `file` and checks it. Texts at the paths in `whole` came from environment variables: where a number or
 * a boolean is expected, they become one.
 */
export function validateFile(file: Json, whole: ReadonlySet<string>): Validated {
  const validate = validator()
  // validate() is a type guard: it would narrow `file` itself to `never` where it returns false.
  const value: unknown = file
  if (validate(value)) return { accepted: value, problems: [] }
  const converted = (validate.errors ?? []).filter(error => convert(file, error, whole))
  if (converted.length > 0 && validate(value)) return { accepted: value, problems: [] }
  return { accepted: undefined, problems: findings(validate.errors ?? []) }
}

/** Turns a text from the environment into the type that the schema expects. False: it cannot. */
function convert(file: Json, error: ErrorObject, whole: ReadonlySet<string>): boolean {
  const path = pathOf(error)
  if (!whole.has(path.join('.')) || (error.keyword !== 'type' && error.keyword !== 'enum')) return false
  const names = [...path]
  const last = names.pop()!
  const parent = names.reduce<Json | undefined>((node, name) => member(node, name), file)
  const value = typed(String(member(parent, last)), error)
  if (value === undefined || !isObject(parent)) return false
  parent[last] = value
  return true
}

function member(node: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(node)) return node[Number(name)]
  return isObject(node) ? node[name] : undefined
}

function typed(text: string, { keyword, schema }: ErrorObject): Json | undefined {
  const takesBoolean = keyword === 'enum' ? Array.isArray(schema) && schema.includes(true) : schema === 'boolean'
  if (takesBoolean && (text === 'true' || text === 'false')) return text === 'true'
  const takesNumber = schema === 'integer' || schema === 'number'
  return takesNumber && /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : undefined
}
