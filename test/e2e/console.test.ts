import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCli } from '../support/cli.ts'
import { configFile, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { replyProblems } from '../support/reply-schemas.ts'

const OPTIONS = { backends: ['http://127.0.0.1:9/v1'] }

describe('the console session', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await testGateway(OPTIONS)
  })
  after(() => gateway?.close())

  const keys = (headers: Readonly<Record<string, string>>) => fetch(`${gateway.url}/v1/serverless/keys`, { headers })

  it('is opened by the link of `sluiceway login`, once, and shows the keys of its user', async () => {
    const file = join(gateway.dir, 'config.json')
    writeFileSync(file, JSON.stringify(configFile(gateway.dir, OPTIONS)))
    const { out, err } = await runCli(['login', '--config', file, '--url', gateway.url, 'alice@test'])
    expect(err).equal('')

    const opened = await fetch(out.trim())
    expect(opened.status).equal(200)
    expect(await opened.text()).contain('Signed in')
    const [cookie] = opened.headers.getSetCookie()
    expect(cookie).match(/; HttpOnly; SameSite=Strict$/)

    const answer = await keys({ cookie: cookie!.split(';')[0]! })
    const body = (await answer.json()) as { readonly keys: readonly { readonly id: string }[] }
    expect(answer.status).equal(200)
    expect(replyProblems('serverless-keys', body)).deep.equal([])
    expect(body.keys.map(({ id }) => id)).deep.equal(['k1'])

    expect((await fetch(out.trim())).status).equal(401)
  })

  it('is the only thing that opens what needs it', async () => {
    expect((await keys({})).status).equal(401)
    expect((await keys({ cookie: 'service_session=made-up' })).status).equal(401)
    expect((await keys({ authorization: `Bearer ${KEY}` })).status).equal(403)
    expect((await keys({ 'x-api-key': KEY })).status).equal(403)
  })
})
