import { expect } from 'chai'
import { formatOf } from '../../../lib/formats/index.ts'
import { ROUTES } from '../../../lib/routes/routes.ts'

describe('formats', () => {
  it('are there for every route, under their own name', () => {
    for (const { format } of ROUTES) expect(formatOf(format).name).equal(format)
  })
})
