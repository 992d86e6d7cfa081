import type { JsonObject } from '../base/json.ts'
import { ERRORS } from '../errors/errors.ts'
import { readSchema } from '../schemas/read.ts'
import type { AdminRoute } from './route.ts'
import { ADMIN_ROUTES } from './routes.ts'

/** The operators' API as an OpenAPI 3.1 document, made from the rows of its routes. */
export function adminOpenapi(version: string): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const route of ADMIN_ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.1',
    info: { title: "Operators' API", version },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    security: [{ operatorKey: [] }],
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: {
        operatorKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'Made by `sluiceway keys create --operator NAME`.',
        },
      },
    },
  }
}

const ERROR: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'request_id', 'docs_url'],
      properties: {
        type: { type: 'string' },
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        param: { type: 'string' },
        request_id: { type: 'string' },
        docs_url: { type: 'string' },
      },
    },
  },
}

function operation(route: AdminRoute): JsonObject {
  const { name, summary, body, status = 200 } = route
  return {
    operationId: name,
    summary,
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body === undefined ? null : { requestBody: { required: true, content: json(schemaOf(body)) } }),
    responses: {
      [status]: { description: 'Done.', content: { ...json(replyOf(route)), ...csvOf(route) } },
      default: { description: 'A failure.', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

function replyOf({ reply, list }: AdminRoute): JsonObject {
  const schema = reply === undefined ? { type: 'object' } : schemaOf(reply)
  if (list === undefined) return schema
  return { type: 'object', required: [list], properties: { [list]: { type: 'array', items: schema } } }
}

function csvOf({ query }: AdminRoute): JsonObject {
  const properties = query === undefined ? {} : (readSchema(`admin/${query}`).properties as JsonObject)
  return 'format' in properties ? { 'text/csv': { schema: { type: 'string' } } } : {}
}

function pathParameters({ path }: AdminRoute): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: AdminRoute): JsonObject[] {
  if (query === undefined) return []
  const { properties } = readSchema(`admin/${query}`)
  return Object.entries(properties as Record<string, JsonObject>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description: description ?? '',
    schema,
  }))
}

function headerParameters({ idempotent }: AdminRoute): JsonObject[] {
  if (idempotent !== true) return []
  const description = 'The same key does it once: a repetition has the first result.'
  return [{ name: 'Idempotency-Key', in: 'header', description, schema: { type: 'string', maxLength: 255 } }]
}

function schemaOf(name: string): JsonObject {
  const { $id, $schema, ...schema } = readSchema(`admin/${name}`)
  return schema
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } }
}
