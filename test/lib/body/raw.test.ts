import { expect } from 'chai'
import { wholeText } from '../../../lib/body/raw.ts'
import { rawBody } from '../../support/bodies.ts'

describe('body/raw', () => {
  it('is put together again', () => {
    const rest = '{"messages":[],"input":[],"n":1}'
    const list = (name: string, ...slices: readonly string[]) => ({
      name,
      at: rest.indexOf(`"${name}":[`) + name.length + 4,
      slices: slices.map(slice => Buffer.from(slice)),
    })
    const raw = { ...rawBody(rest), lists: [list('messages', '[1,2]', '[3]'), list('input', '[]')] }
    expect(wholeText(raw).toString()).equal('{"messages":[1,2,3],"input":[],"n":1}')
    const small = rawBody('{}')
    expect(wholeText(small).toString()).equal('{}')
  })
})
