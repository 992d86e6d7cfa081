import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import { ERRORS, type RouteName } from '../../../../lib/console.ts'
import { isObject, type JsonObject, ROUTES, type Route } from '../../../../lib/plugin.ts'
import { openapiDocument } from '../../../../plugins/pages/openapi/document.ts'
import { OPERATIONS } from '../../../../plugins/pages/openapi/operations.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: JsonObject
}

interface Operation {
  readonly operationId: string
  readonly 'x-surfaces': readonly string[]
  readonly security: readonly JsonObject[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: JsonObject
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: JsonObject }>>
}

const CONFIG = { brand: 'service', batches: {}, docs: true, console: { alerts: true } }
const document = openapiDocument(CONFIG)
const paths = document.paths as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>
const components = document.components as { readonly schemas: Readonly<Record<string, JsonObject>> }
const routes: readonly Route[] = ROUTES
const operationOf = ({ path, method }: Route) => paths[path]![method.toLowerCase()]!

/** Codes that the protocol or the process refuses with, whatever the operation. */
const EVERYWHERE = [
  'http_404',
  'http_405',
  'http_408',
  'http_415',
  'http_417',
  'http_426',
  'http_431',
  'shutting_down',
  'internal_error',
]

describe('OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors).equal(undefined)
    expect(valid).equal(true)
    expect(validator.version).equal('3.1')
  })

  it('has the codes that plugins declare, on every route with a backend', () => {
    const table = { ...ERRORS, acme_word: [400, 'invalid_request_error', 'No.'] as const }
    const own = openapiDocument(CONFIG, table) as typeof document
    const { schemas } = own.components as typeof components
    expect(schemas.ErrorCode!.enum).include('acme_word')
    const ownPaths = own.paths as unknown as typeof paths
    for (const { path, method, proxied } of routes) {
      const { responses } = ownPaths[path]![method.toLowerCase()]!
      expect(JSON.stringify(responses['400'] ?? {}).includes('acme_word'), `${method} ${path}`).equal(proxied)
    }
  })

  it('has every route and no other, each with its surfaces', () => {
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(described.toSorted()).deep.equal(routes.map(({ method, path }) => `${method} ${path}`).toSorted())
    for (const route of routes) {
      const operation = operationOf(route)
      expect(operation.operationId).equal(route.name)
      expect(operation['x-surfaces']).deep.equal(route.surfaces)
      const form = OPERATIONS[route.name as RouteName].form !== undefined
      expect(operation.requestBody !== undefined, route.name).equal(route.body !== null || form)
    }
  })

  it('has no routes of batches and alerts without them', () => {
    const { paths: without } = openapiDocument({ brand: 'service', docs: true })
    expect(Object.keys(paths).filter(path => !Object.hasOwn(without as object, path))).deep.equal([
      '/v1/batches',
      '/v1/batches/{batch_id}',
      '/v1/batches/{batch_id}/cancel',
      '/v1/messages/batches',
      '/v1/messages/batches/{batch_id}',
      '/v1/messages/batches/{batch_id}/cancel',
      '/v1/messages/batches/{batch_id}/results',
      '/console/batches',
      '/console/batches/{batch_id}',
      '/console/batches/{batch_id}/cancel',
      '/console/batches/{batch_id}/{file}',
      '/console/alerts',
      '/console/alerts/{alert_id}',
    ])
  })

  it('has every error code: in the list of all, and at the operations that it can happen on', () => {
    expect(components.schemas.ErrorCode).deep.equal({ type: 'string', enum: Object.keys(ERRORS) })
    const named = new Set<string>(EVERYWHERE)
    for (const route of routes) {
      for (const [status, { description }] of Object.entries(operationOf(route).responses)) {
        for (const [, code] of description.matchAll(/`(\w+)`/g)) {
          named.add(code!)
          const [usual] = ERRORS[code as keyof typeof ERRORS]
          expect([usual, 422, 503], `${route.name} ${code}`).include(Number(status))
        }
      }
    }
    expect([...named].toSorted()).deep.equal(Object.keys(ERRORS).toSorted())
  })

  it('has the credentials of each operation', () => {
    for (const route of routes) {
      const schemes = operationOf(route).security.flatMap(one => Object.keys(one))
      const expected = route.surfaces.includes('gateway') ? ['bearer', 'apiKey'] : ['bearer']
      expect(schemes, route.name).deep.equal(
        { public: [], session: ['session'], visitor: ['session'], key: expected }[route.access],
      )
    }
  })

  it('has the parameters of paths, queries and headers', () => {
    const list = paths['/v1/endpoints/requests']!.get!.parameters
    const byName = new Map(list.map(parameter => [parameter.name, parameter]))
    expect(byName.get('endpoint')).include({ in: 'query', required: true })
    expect(byName.get('limit')!.schema).include({ minimum: 1, maximum: 200, default: 50 })
    expect(byName.get('tag')!.schema).include({ type: 'array', maxItems: 20 })
    const lookup = paths['/v1/endpoints/requests/{request_id}']!.get!.parameters
    expect(lookup.map(({ name, in: place }) => `${place} ${name}`)).include.members([
      'path request_id',
      'query endpoint',
    ])
    const headers = (path: string) =>
      paths[path]!.post!.parameters.filter(one => one.in === 'header').map(({ name }) => name)
    expect(headers('/v1/chat/completions')).deep.equal(['Service-ZDR', 'Service-Request-Tag'])
    expect(headers('/v1/responses')).deep.equal(['Service-ZDR'])
  })

  it('has schemas that compile, each by itself', () => {
    const ajv = new Ajv2020({ strict: false, logger: false })
    addFormats.default(ajv)
    for (const name of Object.keys(components.schemas)) {
      const check = ajv.compile({ $ref: `#/components/schemas/${name}`, components })
      expect(check, name).a('function')
    }
  })

  it('has no path of the repository', () => {
    const text = JSON.stringify(document)
    expect(text).not.contain('gateway:/')
    expect(text).not.match(/"\$ref":"(?!#\/components\/)/)
  })

  it('is named after the brand', () => {
    const acme = openapiDocument({ brand: 'acme' })
    expect(JSON.stringify(acme))
      .contain('"Acme-ZDR"')
      .and.not.match(/Service-|"service"/)
    const { schemas } = acme.components as { schemas: Record<string, JsonObject> }
    const card = schemas.Model!
    expect(isObject(card.properties) && Object.keys(card.properties)).include('acme')
  })
})

describe('OpenAPI components', () => {
  it('are named after their file and folder', () => {
    const names = ['ChatCompletionsBody', 'CountTokensBody', 'Error', 'RequestRow', 'SharedMessage']
    expect(Object.keys(components.schemas)).include.members(names)
  })

  it('refer to each other and to their own definitions', () => {
    const text = JSON.stringify(components.schemas.ChatCompletionsBody)
    expect(text).contain('"$ref":"#/components/schemas/SharedMessage"')
    expect(text).contain('"$ref":"#/components/schemas/ChatCompletionsBody/$defs/effort"')
  })

  it('have neither $id nor $schema', () => {
    for (const [name, schema] of Object.entries(components.schemas)) expect(schema, name).not.any.keys('$id', '$schema')
  })
})
