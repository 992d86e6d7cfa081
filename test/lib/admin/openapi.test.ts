import { expect } from 'chai'
import { adminOpenapi } from '../../../lib/admin/openapi.ts'
import { ADMIN_ROUTES } from '../../../lib/admin/routes.ts'
import { newCompiler } from '../../../lib/schemas/compiler.ts'
import { readSchema, schemaNames } from '../../../lib/schemas/read.ts'
import { CLIENTS } from '../../../lib/store/record.ts'

describe("the document of the operators' API", () => {
  const document = adminOpenapi('1')
  const paths = document.paths as Record<string, Record<string, { responses: object; parameters: { name: string }[] }>>

  it('has every route, with its status', () => {
    for (const { method, path, status = 200 } of ADMIN_ROUTES) {
      expect(paths[path]?.[method.toLowerCase()]?.responses, `${method} ${path}`).have.property(String(status))
    }
    expect(Object.values(paths).flatMap(path => Object.keys(path))).lengthOf(ADMIN_ROUTES.length)
  })

  it('names the parameters of path, query and header', () => {
    const names = paths['/admin/v1/accounts/{id}/credits']!.post!.parameters.map(({ name }) => name)
    expect(names).deep.equal(['id', 'Idempotency-Key'])
    expect(paths['/admin/v1/audit']!.get!.parameters.map(({ name }) => name)).include.members(['account', 'cursor'])
  })

  it('has the families of clients as the records have them', () => {
    for (const path of ['/admin/v1/requests', '/admin/v1/usage']) {
      const parameters = paths[path]!.get!.parameters as { name: string; schema?: { enum?: string[] } }[]
      expect(parameters.find(({ name }) => name === 'client')?.schema?.enum, path).deep.equal(CLIENTS)
    }
  })

  it('is made of valid schemas', () => {
    const compiler = newCompiler({ errors: 'first', fillDefaults: false, checkSchemas: true })
    for (const name of schemaNames('admin')) compiler.compile(readSchema(`admin/${name}`))
  })
})
