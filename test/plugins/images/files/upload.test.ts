import { expect } from 'chai'
import { describeFile } from '../../../../plugins/images/files/upload.ts'
import { refusal } from '../../../support/canonical.ts'

const ANCHOR = 'expires_after[anchor]'
const SECONDS = 'expires_after[seconds]'

describe('plugins/images/files/upload', () => {
  const described = (fields: Record<string, string> = {}, filename = 'a.png', hasBatches = false) =>
    describeFile({ fields: new Map(Object.entries({ purpose: 'vision', ...fields })), filename }, hasBatches)

  it('is described by its purpose and its name', () => {
    for (const purpose of ['vision', 'user_data', 'assistants'])
      expect(described({ purpose })).deep.equal({ purpose, filename: 'a.png', seconds: undefined })
  })

  it('refuses a purpose that is not supported', () => {
    const missing = refusal(() => describeFile({ fields: new Map(), filename: 'a.png' }, true))
    expect(missing).deep.equal({ code: 'invalid_json_request', status: 400, param: 'purpose' })
    for (const purpose of ['fine-tune', 'batch', 'evals', ''])
      expect(refusal(() => described({ purpose }))?.code, purpose).equal('schema_validation_failed')
  })

  it('may be for a batch, if there are batches', () => {
    expect(described({ purpose: 'batch' }, 'a.jsonl', true).purpose).equal('batch')
    for (const purpose of ['batch_output', 'message_batch'])
      expect(refusal(() => described({ purpose }, 'a.jsonl', true))?.code).equal('schema_validation_failed')
  })

  it('has a printable name', () => {
    expect(described({}, '').filename).equal('upload')
    expect(described({}, 'a\u0000\n\u202eb/c\\d.png').filename).equal('abcd.png')
    expect(described({}, 'ü'.repeat(300)).filename).length(255)
    expect(described({}, '\ud800.png').filename.isWellFormed()).equal(true)
  })

  it('may be kept for an hour to thirty days', () => {
    const seconds = (text: string) => described({ [ANCHOR]: 'created_at', [SECONDS]: text }).seconds
    expect([seconds('3600'), seconds('2592000')]).deep.equal([3600, 2_592_000])
    for (const text of ['3599', '2592001', '', '1e4', '-3600', '3600.5'])
      expect(refusal(() => seconds(text))?.param, text).equal(SECONDS)
    expect(refusal(() => described({ [SECONDS]: '3600' }))?.param).equal(ANCHOR)
    expect(refusal(() => described({ [ANCHOR]: 'created_at' }))?.param).equal(SECONDS)
    expect(refusal(() => described({ [ANCHOR]: 'last_used', [SECONDS]: '3600' }))?.param).equal(ANCHOR)
  })
})
