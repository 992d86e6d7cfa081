/** docs/CONFIG.md, made from the descriptions in schemas/: one section for each block, one row for each member. */
import { posix } from 'node:path'
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { RESTART_MEMBERS } from './restart.ts'
import { CONFIG_SCHEMAS } from './schema.ts'

const RESTART_LIST = RESTART_MEMBERS.map(name => `\`${name}\``).join(', ')

const INTRODUCTION = `# Configuration

<!-- Made by \`node bin/config-reference.mjs\` from schemas/config.json and schemas/config/. Do not edit. -->

One file in YAML configures the gateway; JSON is YAML too. [config/example.yaml](../config/example.yaml) shows every
section with comments. \`sluiceway check --config FILE\` names everything that is wrong with a file, with line and path,
and \`sluiceway explain --config FILE\` prints the chain that each route runs.

- **Environment variables.** \`\${NAME}\` in any text is replaced by the variable NAME, which must be set; \`$\${\` stands
  for a literal \`\${\`. A text that is nothing but one variable becomes a number or a boolean where one belongs. Inside
  \`{ … }\` such a text needs quotes: \`{ api_key: "\${VLLM_KEY}" }\`.
- **Paths.** Relative ones start at the directory of the file.
- **Reload.** SIGHUP, or a change of the file, makes the gateway read it again. It is validated first and swapped in one
  step; running streams are untouched. A bad file is refused with a line in the log, and the old one stays.
  ${RESTART_LIST}
  change with the next start; the files of \`listen.tls\` are read again, also when they alone have changed.
- **Mistakes.** A key that no section knows is refused by name, with the nearest known one. Nothing is ignored.
- **Repetition.** Anchors, aliases and merge keys (\`<<\`) work.
- **Secrets.** A key's secret is hashed while the file is read; nothing else is kept of it. No message quotes a value.
- **Editors.** With this first line, editors complete members and show these descriptions:
  \`# yaml-language-server: $schema=<path to sluiceway>/schemas/config.json\`
`

/** A schema and the file it stands in, which its references start from. */
interface Place {
  readonly schema: JsonObject
  readonly file: string
}

/** The whole text. */
export function configReference(): string {
  const root = { schema: CONFIG_SCHEMAS['config.json'] as JsonObject, file: 'config.json' }
  return [INTRODUCTION, ...section('', 'The file', root)].join('\n')
}

/** The block's own section, then those of the blocks in it. */
function section(path: string, title: string, block: Place): string[] {
  const required = Array.isArray(block.schema.required) ? block.schema.required : []
  const rows: string[] = []
  const below: string[] = []
  for (const [name, schema] of Object.entries(members(block.schema))) {
    const member = follow({ schema, file: block.file })
    const inner = innerBlock(member)
    const at = `${path === '' ? '' : `${path}.`}${name}${inner?.suffix ?? ''}`
    const shown = inner === undefined ? `\`${name}\`` : `[\`${name}\`](#${anchor(at)})`
    const fallback = required.includes(name) ? 'required' : defaultOf(member.schema)
    rows.push(`| ${shown} | ${typeOf(member)} | ${fallback} | ${cell(String(member.schema.description ?? ''))} |`)
    if (inner !== undefined) below.push(...section(at, `\`${at}\``, inner.block))
  }
  const table = ['| Member | Value | Default | Meaning |', '| - | - | - | - |', ...rows]
  return [`## ${title}`, '', ...table, '', ...below]
}

function members(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  return (schema.properties ?? {}) as Record<string, JsonObject>
}

/** What `$ref` points to, under the members that stand beside it. */
function follow({ schema, file }: Place): Place {
  if (typeof schema.$ref !== 'string') return { schema, file }
  const [target = '', pointer = ''] = schema.$ref.split('#')
  const other = target === '' ? file : posix.join(posix.dirname(file), target)
  let found: Json | undefined = CONFIG_SCHEMAS[other] as JsonObject
  for (const name of pointer.split('/').slice(1)) found = isObject(found) ? found[name] : undefined
  if (!isObject(found)) throw new Error(`${file}: $ref '${schema.$ref}' leads nowhere.`)
  const { $ref: _, ...beside } = schema
  return follow({ schema: { ...found, ...beside }, file: other })
}

/** The block with named members that a member is, or is a list or map of. */
function innerBlock(member: Place): { suffix: string; block: Place } | undefined {
  const candidates = [
    ['', member.schema],
    ['[]', member.schema.items],
    ['.<name>', member.schema.additionalProperties],
  ] as const
  for (const [suffix, schema] of candidates) {
    if (!isObject(schema)) continue
    const block = follow({ schema, file: member.file })
    if (isObject(block.schema.properties)) return { suffix, block }
  }
  return undefined
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true`, `false`',
  object: 'block',
  null: '`null`',
}

function typeOf({ schema, file }: Place): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(value => `\`${value}\``).join(', ')
  if (isObject(schema.items)) return `list of ${plural(follow({ schema: schema.items, file }))}`
  if (isObject(schema.additionalProperties)) {
    return `map of ${plural(follow({ schema: schema.additionalProperties, file }))}`
  }
  // A boolean beside another type is there to switch it off.
  if (Array.isArray(schema.type))
    return schema.type.map(type => (type === 'boolean' ? '`false`' : TYPES[String(type)])).join(' or ')
  const range = typeof schema.minimum === 'number' && typeof schema.maximum === 'number'
  return `${TYPES[String(schema.type)]}${range ? `, ${schema.minimum} to ${schema.maximum}` : ''}`
}

function plural(item: Place): string {
  if (item.schema.type === 'string') return 'texts'
  if (item.schema.type === 'object') return 'blocks'
  return typeOf(item)
}

function defaultOf(schema: JsonObject): string {
  if (typeof schema['x-default'] === 'string') return cell(schema['x-default'])
  const value = schema.default
  if (value === undefined || (isObject(value) && isObject(schema.properties))) return ''
  return typeof value === 'string' ? `\`${value}\`` : `\`${JSON.stringify(value)}\``
}

/** How GitHub makes an anchor of a heading. */
function anchor(heading: string): string {
  return heading.toLowerCase().replace(/[^a-z0-9_-]/g, '')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
