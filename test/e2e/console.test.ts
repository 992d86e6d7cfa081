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

  it('is shown by its page, and ended by the button on it', async () => {
    const file = join(gateway.dir, 'config.json')
    writeFileSync(file, JSON.stringify(configFile(gateway.dir, OPTIONS)))
    const { out } = await runCli(['login', '--config', file, '--url', gateway.url, 'alice@test'])
    const opened = await fetch(out.trim())
    expect(await opened.text()).contain('href="/console"')
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
    const page = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(`${gateway.url}/console`, { headers })).text()
    const [, method, action] = /<form method="(\w+)" action="(\S+)">/.exec(await page({ cookie }))!
    expect(await page({})).contain('Not signed in')

    // Without the cookie, as from another site, the button does nothing.
    const push = (headers: Readonly<Record<string, string>>) =>
      fetch(gateway.url + action, { method: method!, headers })
    expect((await push({})).headers.getSetCookie()).deep.equal([])
    expect((await keys({ cookie })).status).equal(200)

    const left = await push({ cookie, 'content-type': 'application/x-www-form-urlencoded' })
    expect(left.status).equal(200)
    expect(left.headers.getSetCookie()[0]).match(/^service_session=; Path=\/; Max-Age=0;/)
    expect((await keys({ cookie })).status).equal(401)
    expect(await page({ cookie })).contain('Not signed in')
  })

  it('is the only way to open what needs it', async () => {
    expect((await keys({})).status).equal(401)
    expect((await keys({ cookie: 'service_session=made-up' })).status).equal(401)
    expect((await keys({ authorization: `Bearer ${KEY}` })).status).equal(403)
    expect((await keys({ 'x-api-key': KEY })).status).equal(403)
  })
})
