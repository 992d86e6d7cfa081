import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { operatorRemedy, runbookSection } from '../../../../lib/admin/pages/runbook.ts'
import { allErrors } from '../../../support/error-codes.ts'
import { textIn } from '../../../support/operators.ts'

describe('the runbook on the page of a request', () => {
  it('names only sections that exist', async () => {
    const runbook = readFileSync(new URL('../../../../docs/RUNBOOK.md', import.meta.url), 'utf8')
    const codes = Object.keys(await allErrors())
    const failed = codes.map(code => ({ error_code: code, stream_error_type: null }))
    const headings = [...failed, { stream_error_type: 'backend_http_error' }].map(runbookSection)
    expect(headings.filter(heading => heading !== undefined).length).above(7)
    for (const heading of headings) if (heading !== undefined) expect(runbook).contain(`\n## ${heading}\n`)
  })

  it('has the section, and nothing of the others', async () => {
    const remedy = await operatorRemedy({ error_code: 'no_healthy_backends', stream_error_type: null })
    expect(textIn(remedy!.toString()))
      .contain('Runbook for operators: A model has no backend')
      .and.contain('service discovery has found none')
      .and.not.contain('A backend is down')
  })

  it('is absent where the client is at fault', async () => {
    for (const code of ['model_not_found', 'rate_limit_exceeded', null])
      expect(await operatorRemedy({ error_code: code, stream_error_type: null }), String(code)).equal(null)
  })
})
