import { spawnSync } from 'node:child_process'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'
import { useProgram } from '../support/programs.ts'

describe('promtool', () => {
  const promtool = useProgram('promtool', 'prometheus')
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    backend = await scriptedBackend(reply())
    gateway = await testGateway({ backends: [backend.url], more: { metrics: { accounts: 5 } } })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  it('finds nothing to object to in the metrics', async () => {
    for (const stream of [true, false]) {
      const body = { model: 'm', stream, messages: [{ role: 'user', content: 'hi' }] }
      await (await gateway.post('/v1/chat/completions', body)).text()
    }
    const metrics = await (await fetch(`${gateway.gateway.adminUrl}/metrics`)).text()
    const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input: metrics, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${stdout}${stderr}`)
  })
})
