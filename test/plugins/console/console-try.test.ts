import { expect } from 'chai'
import { ModelCatalog } from '../../../lib/accounts/access.ts'
import plugin from '../../../plugins/console/console-try/index.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { visit } from '../../support/visit.ts'
import { members, noOwnKeys, sessions } from '../../support/visitors.ts'

const config = configOf(MODEL)
const models = new ModelCatalog(config.models)
const ask = (cookie?: string, ownKeys = members) =>
  visit(
    plugin,
    { sessions, ownKeys, config, models },
    { route: 'console-try', ...(cookie !== undefined && { cookie }) },
  )

describe('console-try', () => {
  it('has a form for the script, and a command for those without', async () => {
    const { status, page } = await ask()
    expect(status).equal(200)
    expect(page).contain('<form id="try"').and.contain('<noscript>').and.contain('/try.js"').and.contain('csrf_token')
    expect(page)
      .contain('&quot;authorization: Bearer $API_KEY&quot;')
      .and.contain('http://acme.test/v1/chat/completions')
  })

  it('has what the script needs of each model, and hides the code that only the script writes', async () => {
    const { page } = await ask()
    const [, facts] = /data-models="([^"]*)"/.exec(page)!
    expect(JSON.parse(facts!.replaceAll('&quot;', '"'))).deep.equal({ m: { reasons: false } })
    expect(page).contain('<details id="code-curl" name="code" open>')
    expect(page).contain('<details id="code-python" name="code" hidden>')
    expect(page).contain('data-currency="USD"').and.not.contain('name="effort"')
    const able = configOf(`${MODEL}
    pricing: { input: 100, output: 300 }
    capabilities: { reasoning: true }`)
    const catalog = new ModelCatalog(able.models)
    const { page: other } = await visit(
      plugin,
      { sessions, ownKeys: members, config: able, models: catalog },
      { route: 'console-try' },
    )
    expect(other.replaceAll('&quot;', '"')).contain(
      '{"m":{"reasons":true,"price":{"input":100,"cached_input":100,"output":300}}}',
    )
    expect(other).contain('name="effort"').and.contain('name="other"')
  })

  it('reports that there is no model', async () => {
    const { status, page } = await ask(undefined, noOwnKeys)
    expect(status).equal(200)
    expect(page).contain('No model to ask').and.not.contain('id="try"')
  })

  it('requires a session', async () => {
    expect(await ask('')).include({ status: 401 })
  })
})
