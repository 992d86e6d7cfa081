import { expect } from 'chai'
import { parseConfig } from '../../../../lib/config/read.ts'
import { problemsOf } from '../../../support/config.ts'

const BACKEND = 'backends: [{ url: http://x/v1 }]'
const file = (mirror: string, of = '') =>
  `models: [{ id: m, ${of} mirror: ${mirror}, ${BACKEND} }, { id: next, aliases: [n], ${BACKEND} }, { id: e, kind: embedding, ${BACKEND} }]`

describe('checks on mirrors', () => {
  it('accept another model, by any of its names', () => {
    const source = { baseDir: '/', env: {}, fileName: 'a.yaml' }
    expect(parseConfig(file('{ to: n, percent: 0.5 }'), source).models[0]!.mirror).deep.equal({
      to: 'next',
      percent: 0.5,
    })
  })

  it('refuse one that cannot take the same requests', () => {
    expect(problemsOf(file('{ to: nxt, percent: 5 }'))).deep.equal([
      "models.0.mirror.to: there is no model 'nxt': did you mean 'next'?",
    ])
    expect(problemsOf(file('{ to: m, percent: 5 }'))).deep.equal(['models.0.mirror.to: is the model itself'])
    expect(problemsOf(file('{ to: e, percent: 5 }'))).deep.equal([
      "models.0.mirror.to: is of another kind: 'embedding'",
    ])
    expect(problemsOf(file('{ to: e, percent: 5 }', 'kind: embedding,'))).deep.equal([
      'models.0.mirror: only requests to a model of kind chat can be mirrored',
    ])
    expect(problemsOf(file('{ to: n }'))).deep.equal(['models.0.mirror.percent: is required'])
    expect(problemsOf(file('{ to: n, percent: 101 }'))).lengthOf(1)
  })
})
