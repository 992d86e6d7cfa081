import { expect } from 'chai'
import { singleValues } from '../../../lib/transport/response-headers.ts'

describe('transport/response-headers', () => {
  it('joins the values of a header, except where the first counts', () => {
    const headers = { 'x-list': ['1', '2'], 'content-type': ['a/b', 'c/d'], 'retry-after': ['1', '2'], single: 'x' }
    expect(singleValues(headers as never)).deep.equal({
      'x-list': '1, 2',
      'content-type': 'a/b',
      'retry-after': '1',
      single: 'x',
    })
  })
})
