import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSimulator } from '../../../simulator/server.ts'
import { Cli, temporaryDirectory } from '../../support/cli.ts'
import { configFile, eventually, KEY } from '../../support/gateway.ts'
import { operatorKey, signIn, textIn } from '../../support/operators.ts'
import { freePort } from '../../support/programs.ts'
import { useRedis } from '../../support/services.ts'

/** The sum of the first plot, whose points are rates of five seconds. */
function requestsIn(page: string): number {
  const [, text = ''] = /data-plot="([^"]+)"/.exec(page) ?? []
  const { series } = JSON.parse(text.replaceAll('&quot;', '"')) as { series: { values: number[] }[] }
  return Math.round(series[0]!.values.reduce((sum, rate) => sum + rate * 5, 0))
}

describe("the operators' port of several workers", () => {
  const redis = useRedis()
  const directory = temporaryDirectory()

  it('has pages that show all of them together', async () => {
    const simulator = createSimulator({ models: [{ id: 'upstream-m' }], tokens_per_second: 0, first_token_ms: 0 })
    const backend = `http://127.0.0.1:${await simulator.listen(0, '127.0.0.1')}/v1`
    const port = await freePort()
    const file = join(directory(), 'config.json')
    const more = {
      workers: 2,
      limits_store: redis(),
      log: { level: 'warn' },
      admin: { host: '127.0.0.1', port, api: true },
    }
    writeFileSync(file, JSON.stringify(configFile(directory(), { backends: [backend], more })))
    const serving = new Cli(['serve', '--config', file])
    const [, url] = await serving.match(/Gateway +(\S+)\/v1/)
    const origin = `http://127.0.0.1:${port}`
    const cookie = await signIn(origin, (await operatorKey({ dir: directory() })).secret)

    const ask = async () => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        // Each request has a connection of its own, so that both workers get some.
        headers: { authorization: `Bearer ${KEY}`, connection: 'close' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
      })
      await response.text()
      return response.status
    }
    const statuses = await Promise.all(Array.from({ length: 24 }, ask))
    expect(statuses).deep.equal(Array.from(statuses, () => 200))

    let page = ''
    await eventually(async () => {
      page = await (await fetch(origin, { headers: { cookie } })).text()
      return requestsIn(page) === 24
    }, 'the sum of both')
    expect(textIn(page)).contain('Processes 2')

    await eventually(async () => {
      const list = await (await fetch(`${origin}/requests`, { headers: { cookie } })).text()
      return [...list.matchAll(/title="http:[^"]*\/v1"/g)].length === 24
    })
    serving.child.kill('SIGTERM')
    expect((await serving.ended).code).equal(0)
    await simulator.close()
  })
})
