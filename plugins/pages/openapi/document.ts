/** Builds the description of the whole API from the route table, the error table and the schemas. */
import { cookieName, ERRORS, type RouteName, schemaNames } from '../../../lib/console.ts'
import {
  type Config,
  isObject,
  type Json,
  type JsonObject,
  type Route,
  readSchema,
  type Services,
  servedRoutes,
} from '../../../lib/plugin.ts'
import { AUDIO, BYTES, LINES, type Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'

/** Folders of schemas/ whose schemas are components. */
const FOLDERS = ['shared', 'bodies', 'replies'] as const

/** Further statuses of a code, in addition to that of the table. */
const MORE_STATUSES: { readonly [code: string]: readonly number[] } = {
  // The store does not answer.
  internal_error: [503],
  // Required by the account's policy.
  model_zdr_not_supported: [422],
}

const DESCRIPTION = `Chat completions, text completions, Messages and Responses in front of any model; inspection of every
request on dedicated endpoints; usage reports. \`x-surfaces\` of an operation says where it is served: \`gateway\`, the
serverless gateway; \`api\`, the management API; \`dedicated\`, the host of a dedicated endpoint.`

/**
 * An OpenAPI 3.1 document. Names of headers and members contain the configured `brand`. `table`: all error codes. Those
 * of plugins are in the responses of every route with a backend.
 */
export function openapiDocument(
  config: Pick<Config, 'brand'> & Parameters<typeof servedRoutes>[0],
  table: Services['errors'] = ERRORS,
): JsonObject {
  const { brand } = config
  const paths: Record<string, JsonObject> = {}
  for (const route of servedRoutes(config)) {
    const operation = OPERATIONS[route.name as RouteName]
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describe(route, operation, brand, table) }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Inference gateway', version: '1', description: DESCRIPTION.replaceAll('\n', ' ') },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/', description: 'The host that this document comes from.' }],
    tags: [...new Set(Object.values(OPERATIONS).map(({ tag }) => tag))].map(name => ({ name })),
    paths,
    components: {
      schemas: { ...schemaComponents(brand), ErrorCode: { type: 'string', enum: Object.keys(table) } },
      headers: {
        RequestId: {
          description: 'Id of the request. Behind `client_` it is one that the client sent itself.',
          schema: { type: 'string' },
        },
        Ignored: {
          description: 'Paths of members of the body that are unknown and were ignored; absent where there are none.',
          schema: { type: 'string', maxLength: 200 },
        },
        RetryAfter: { description: 'Seconds.', schema: { type: 'integer' } },
        RetryAfterMs: {
          description: 'Milliseconds, if the wait is known and below a second.',
          schema: { type: 'integer' },
        },
        ShouldRetry: { description: 'Whether a repetition within a minute can succeed.', schema: { type: 'boolean' } },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: cookieName(brand), description: 'A session of the console.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'On the serverless gateway only.' },
      },
    },
  }
}

function describe(route: Route, operation: Operation, brand: string, table: Services['errors']): JsonObject {
  return {
    operationId: route.name,
    tags: [operation.tag],
    summary: operation.summary,
    'x-surfaces': [...route.surfaces],
    security: securityOf(route),
    parameters: [...pathParameters(route), ...queryParameters(operation), ...headerParameters(route, brand)],
    ...requestBody(route, operation),
    responses: {
      '200': success(route, operation, brand),
      ...failures(route, operation, table),
      default: failure(route, null),
    },
  }
}

function requestBody({ body, form: isForm }: Route, { form }: Operation): JsonObject | null {
  const name = body ?? form
  const type = body === null || isForm ? 'multipart/form-data' : 'application/json'
  return name === undefined
    ? null
    : { requestBody: { required: true, content: { [type]: { schema: schemaRef(`bodies/${name}`) } } } }
}

function securityOf({ access, surfaces }: Route): JsonObject[] {
  if (access === 'public') return []
  if (access === 'session' || access === 'visitor') return [{ session: [] }]
  return surfaces.includes('gateway') ? [{ bearer: [] }, { apiKey: [] }] : [{ bearer: [] }]
}

function pathParameters({ path }: Route): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Operation): JsonObject[] {
  if (query === undefined) return []
  const { properties, required = [] } = readSchema(`queries/${query}`)
  return Object.entries(properties as Record<string, JsonObject>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name),
    ...(description === undefined ? null : { description }),
    schema,
  }))
}

function headerParameters({ access, proxied, surfaces }: Route, brand: string): JsonObject[] {
  const name = `${brand[0]!.toUpperCase()}${brand.slice(1)}`
  const zdr = {
    name: `${name}-ZDR`,
    in: 'header',
    description: 'Only backends that retain nothing may be used.',
    schema: { const: 'required' },
  }
  const tag = {
    name: `${name}-Request-Tag`,
    in: 'header',
    description:
      'On dedicated endpoints: up to 8 tags of 1 to 32 of a-z, 0-9, dash and underscore, with commas between.',
    schema: { type: 'string' },
  }
  if (access !== 'key') return []
  return proxied && surfaces.includes('dedicated') ? [zdr, tag] : [zdr]
}

const REQUEST_ID = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }

const IGNORED = { $ref: '#/components/headers/Ignored' }

function success({ canonical }: Route, { reply, streams }: Operation, brand: string): JsonObject {
  const content: JsonObject = {}
  if (typeof reply === 'string') content['application/json'] = { schema: schemaRef(`replies/${reply}`) }
  if (reply === BYTES) content['*/*'] = {}
  if (reply === LINES) content['application/x-jsonl'] = { schema: { type: 'string' } }
  if (reply === AUDIO) content['audio/*'] = {}
  if (reply === null) content['text/html'] = { schema: { type: 'string' } }
  if (streams === true) content['text/event-stream'] = { schema: { type: 'string' } }
  const headers = canonical ? { ...REQUEST_ID, [`x-${brand.toLowerCase()}-ignored`]: IGNORED } : REQUEST_ID
  return { description: 'Done.', headers, ...(reply === undefined ? null : { content }) }
}

/** A response for each status of the operation's error codes. */
function failures(route: Route, { errors }: Operation, table: Services['errors']): JsonObject {
  const codes = new Map<number, string[]>()
  const declared = route.proxied ? Object.keys(table).filter(code => !Object.hasOwn(ERRORS, code)) : []
  for (const code of new Set([...errors, ...declared, 'internal_error'])) {
    for (const status of [table[code]![0], ...(MORE_STATUSES[code] ?? [])]) {
      codes.set(status, [...(codes.get(status) ?? []), code])
    }
  }
  const statuses = [...codes].sort(([a], [b]) => a - b)
  return Object.fromEntries(statuses.map(([status, own]) => [String(status), failure(route, own, status)]))
}

/** The response for a status and its codes; without them, the default response. */
function failure({ format }: Route, codes: readonly string[] | null, status?: number): JsonObject {
  const envelope = schemaRef(`replies/${format === 'messages' ? 'messages-error' : 'error'}`)
  const code: JsonObject = codes === null ? { $ref: '#/components/schemas/ErrorCode' } : { enum: [...codes] }
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
  const waits = {
    ...((status === 429 || status === 503) && { 'retry-after': header('RetryAfter') }),
    ...(status === 429 && { 'retry-after-ms': header('RetryAfterMs') }),
    'x-should-retry': header('ShouldRetry'),
  }
  return {
    description: codes === null ? 'Any other failure.' : codes.map(name => `\`${name}\``).join(', '),
    headers: { ...REQUEST_ID, ...waits },
    content: {
      'application/json': {
        schema: { allOf: [envelope, { properties: { error: { properties: { code } } } }] },
      },
    },
  }
}

/** A reference to a schema: `#/components/schemas/MessagesBody` for `bodies/messages`. */
function schemaRef(path: string): JsonObject {
  return { $ref: `#/components/schemas/${componentName(path)}` }
}

/** The schemas in schemas/ as components. `brand` replaces the word `service` in names of members. */
function schemaComponents(brand: string): Record<string, JsonObject> {
  const paths = FOLDERS.flatMap(folder => schemaNames(folder).map(name => `${folder}/${name}`))
  return Object.fromEntries(paths.map(path => [componentName(path), component(path, brand)]))
}

/** `bodies/chat-completions` -> `ChatCompletionsBody`, `replies/error` -> `Error`, `shared/tool` -> `SharedTool`. */
function componentName(path: string): string {
  const [folder, name] = path.split('/') as [(typeof FOLDERS)[number], string]
  const words = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (folder === 'bodies') return `${words}Body`
  return folder === 'shared' ? `Shared${words}` : words
}

function component(path: string, brand: string): JsonObject {
  const { $schema: _, $id: __, ...schema } = readSchema(path)
  return rewritten(schema, path, brand) as JsonObject
}

function rewritten(value: Json, path: string, brand: string): Json {
  if (Array.isArray(value)) return value.map(item => (item === 'service' ? brand : rewritten(item, path, brand)))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, member = null]) => {
    if (name === '$ref' && typeof member === 'string') return [name, target(member, path)]
    return [name === 'service' ? brand : name, rewritten(member, path, brand)]
  })
  return Object.fromEntries(entries)
}

/** The reference of the document for `../shared/tool.json` or `#/$defs/x` in the schema at `path`. */
function target(reference: string, path: string): string {
  const { pathname, hash } = new URL(reference, `gateway:/${path}.json`)
  return `#/components/schemas/${componentName(pathname.slice(1, -'.json'.length))}${hash.slice(1)}`
}
