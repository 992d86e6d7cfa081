/** Pages of the API reference, made from the document that the gateway serves at /openapi.json. */
import { isObject, type Json, type JsonObject } from '../../lib/base/json.ts'
import { openapiDocument } from '../../plugins/pages/openapi/document.ts'
import { membersTable, shownType } from './schema-tables.ts'
import type { SitePage } from './site-page.ts'

/** Relative links of these pages start in docs/api, because they contain parts of its pages. */
const SOURCE = 'docs/api/reference.md'

/** Operations of these groups are for browsers, and no part of the API. */
const LEFT_OUT = ['Console', 'Service']

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly value: JsonObject
}

/** Descriptions of members and examples are those of docs/api, whose examples are tested. */
export function referencePages(read: (file: string) => string): readonly SitePage[] {
  const document = openapiDocument({ brand: 'service', batches: {}, console: { alerts: true } })
  const operations = operationsOf(document).filter(({ value }) => !LEFT_OUT.includes(firstTag(value)))
  const links = pagesOfRoutes(read('docs/api/README.md'))
  const meanings = (name: string) => meaningsOf(read, links, name)
  const pages = operations.map(operation => {
    const link = links.get(`${operation.method} ${operation.path}`)
    const page = link === undefined ? '' : read(`docs/api/${link}`)
    return sitePage(`reference/${operation.id}`, operationPage(operation, link, page, document, meanings))
  })
  return [
    sitePage('reference/index', indexPage(operations)),
    ...pages,
    sitePage('reference/schemas', schemasPage(document, meanings)),
  ]
}

function sitePage(path: string, markdown: string): SitePage {
  return { path, source: SOURCE, markdown, isSearched: path === 'reference/index' }
}

function operationsOf({ paths }: JsonObject): readonly Operation[] {
  return Object.entries(paths as Record<string, JsonObject>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, JsonObject>).map(([method, value]) => ({
      id: String(value.operationId),
      method: method.toUpperCase(),
      path,
      value,
    })),
  )
}

function firstTag({ tags }: JsonObject): string {
  return String((tags as string[])[0])
}

/** Page of docs/api by method and path, from the table of routes. */
function pagesOfRoutes(readme: string): ReadonlyMap<string, string> {
  const rows = readme.matchAll(/^\| ([A-Z]+) \| `([^`]+)` \|[^|]+\| \[[^\]]+\]\(([\w-]+\.md)/gm)
  return new Map([...rows].map(([, method, path, page]) => [`${method} ${path}`, page!]))
}

function indexPage(operations: readonly Operation[]): string {
  const groups = Map.groupBy(operations, ({ value }) => firstTag(value))
  const tables = [...groups].map(([tag, own]) => {
    const rows = own.map(
      ({ id, method, path, value }) => `| \`${method}\` | [\`${path}\`](/reference/${id}) | ${value.summary} |`,
    )
    return `## ${tag}\n\n| | | |\n| - | - | - |\n${rows.join('\n')}\n`
  })
  return `# API operations

Each page has the parameters, members, replies and errors of one operation. It is made from the OpenAPI document that the gateway
serves at \`/openapi.json\`. [The pages in prose](README.md) say what holds for all operations: base URLs, credentials, request
ids, headers, zero data retention. [Schemas](/reference/schemas) has the objects inside of bodies and replies.

${tables.join('\n')}`
}

function operationPage(
  { id, method, path, value }: Operation,
  link: string | undefined,
  page: string,
  document: JsonObject,
  meanings: (name: string) => ReadonlyMap<string, string>,
): string {
  const about = link === undefined ? '' : `\n[${page.split('\n')[0]!.slice(2)}](${link}) says more in prose.\n`
  const secured = (value.security as JsonObject[]).map(one => CREDENTIALS[Object.keys(one)[0]!] ?? '')
  const facts = [
    `| Surfaces | ${(value['x-surfaces'] as string[]).join(', ')} |`,
    `| Credentials | ${secured.join(' or ') || 'none'} |`,
    `| Operation | \`${id}\` |`,
  ]
  const body = schemaName(contentOf(value.requestBody))
  const reply = contentOf((value.responses as Record<string, Json>)['200'])
  const example = /^## Examples?\n.*?(?=^## |$(?![\s\S]))/ms.exec(page)?.[0] ?? ''
  const schemas = (document.components as JsonObject).schemas as Record<string, JsonObject>
  const table = (name: string | undefined, heading: string) =>
    name === undefined ? '' : `\n## ${heading}\n\n${membersTable(schemas[name]!, meanings(name))}`
  return `# ${value.summary}

\`${method} ${path}\`
${about}
| | |
| - | - |
${facts.join('\n')}
${parametersTable(value.parameters as JsonObject[])}${table(body, 'Body')}
## Reply

${Object.entries(reply)
  .map(([type, { schema }]) => `- \`${type}\`${schema === undefined ? '' : `: ${shownType(schema)}`}`)
  .join('\n')}
${table(schemaName(reply), 'Members of the reply')}
## Errors

| Status | Codes |
| - | - |
${errorRows(value.responses as Record<string, JsonObject>)}

${linksTo(example, link ?? 'README.md')}`
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  bearer: '`Authorization: Bearer KEY`',
  apiKey: '`x-api-key: KEY`',
  session: 'a session of the console',
}

function contentOf(part: Json | undefined): Record<string, { readonly schema?: JsonObject }> {
  return (isObject(part) ? (part.content ?? {}) : {}) as never
}

/** The component that the first media type of the content refers to. */
function schemaName(content: Record<string, { readonly schema?: JsonObject }>): string | undefined {
  const reference = Object.values(content)[0]?.schema?.$ref
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined
}

function parametersTable(parameters: readonly JsonObject[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: place, required, schema, description = '' }) =>
      `| \`${name}\` | ${place} | ${shownType(schema)} | ${required === true ? 'required' : ''} | ${description} |`,
  )
  return `\n## Parameters\n\n| Name | In | Type | Default | Meaning |\n| - | - | - | - | - |\n${rows.join('\n')}\n`
}

function errorRows(responses: Readonly<Record<string, JsonObject>>): string {
  return Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, { description }]) => {
      const codes = String(description).replace(/`(\w+)`/g, '[`$1`](../errors/$1.md)')
      return `| ${status} | ${codes} |`
    })
    .join('\n')
}

/** Links of a part of docs/api to headings of its page, from another page. */
function linksTo(markdown: string, page: string): string {
  return markdown.replaceAll('](#', `](${page}#`)
}

/** Meanings of a component's members, by name, from the tables of docs/api. */
function meaningsOf(
  read: (file: string) => string,
  links: ReadonlyMap<string, string>,
  component: string,
): ReadonlyMap<string, string> {
  const meanings = new Map<string, string>()
  for (const page of new Set(links.values())) {
    const tables = read(`docs/api/${page}`).matchAll(
      /^<!-- members: schemas\/(\w+)\/([\w-]+)\.json -->\n\n((?:\|.*\n)+)/gm,
    )
    for (const [, folder, name, table] of tables) {
      if (componentOf(folder!, name!) !== component) continue
      for (const [, member, meaning] of table!.matchAll(/^\| `([^`]+)` \|.*\| (.*) \|$/gm)) {
        if (!meanings.has(member!)) meanings.set(member!, linksTo(meaning!, page))
      }
    }
  }
  return meanings
}

function componentOf(folder: string, name: string): string {
  const words = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return folder === 'bodies' ? `${words}Body` : folder === 'shared' ? `Shared${words}` : words
}

function schemasPage({ components }: JsonObject, meanings: (name: string) => ReadonlyMap<string, string>): string {
  const sections = Object.entries((components as JsonObject).schemas as Record<string, JsonObject>)
    .filter(([name]) => name !== 'ErrorCode' && name !== 'Openapi')
    .map(([name, schema]) => `## ${name}\n\n${schema.title ?? ''}\n\n${membersTable(schema, meanings(name))}`)
  return `# Schemas

Objects of bodies and replies, as \`/openapi.json\` names them. Its schemas have all rules; a table here has the members.

${sections.join('\n')}`
}
