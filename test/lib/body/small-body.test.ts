import { expect } from 'chai'
import { Intake, LARGE_BYTES } from '../../../lib/body/intake.ts'
import { MAX_DEPTH } from '../../../lib/body/json-limits.ts'
import { requestBody } from '../../../lib/body/small-body.ts'
import { refusalOf } from '../../support/refusal.ts'

const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

/** The body of a request with these bytes. */
function bodyOf(text: string) {
  const intake = new Intake(true)
  for (const part of intake.split(Buffer.from(text))) intake.add(part)
  return requestBody(intake.end())
}

/** The same JSON, too large to be read in one piece. */
const large = (text: string) => text + ' '.repeat(LARGE_BYTES)

describe('body/small-body', () => {
  it('is what was parsed, until it is released', () => {
    const body = bodyOf('{"model":"m"}')
    expect(body.value).deep.equal({ model: 'm' })
    expect(body.isHeavy).equal(false)
    body.release()
    expect(body.value).deep.equal({})
  })

  it('reports when it has too many values for hooks to run without a yield', () => {
    const text = 'x'.repeat(LARGE_BYTES)
    expect(bodyOf(JSON.stringify({ messages: [{ role: 'user', content: text }] })).isHeavy).equal(false)
    expect(bodyOf(large(JSON.stringify({ input: Array(30_000).fill(1) }))).isHeavy).equal(true)
  })

  for (const [size, of] of [
    ['small', (text: string) => text],
    ['large', large],
  ] as const) {
    describe(`a ${size} body`, () => {
      it('is an object', () => {
        for (const text of ['[]', '"a"', '1', 'null', 'true'])
          expect(
            refusalOf(() => bodyOf(of(text))),
            text,
          ).include({ code: 'invalid_json_request', message: 'The body must be a JSON object.' })
      })

      it('nests no deeper than the limit', () => {
        expect(refusalOf(() => bodyOf(of(nested(MAX_DEPTH + 1))))).include({
          code: 'schema_validation_failed',
          status: 422,
          message: 'The body nests arrays and objects more than 128 levels deep.',
        })
        expect(bodyOf(of(nested(MAX_DEPTH))).value).have.property('a')
      })

      it('is JSON', () => {
        expect(refusalOf(() => bodyOf(of('{"a":')))).include({ code: 'invalid_json_request' })
      })
    })
  }
})
