import { expect } from 'chai'
import { demoLines, startLines } from '../../../lib/cli/banner.ts'
import { configOf, MODEL } from '../../support/config.ts'

const config = configOf(MODEL)
const SECRET = 'service_1234'

describe('startLines', () => {
  it('says where everything is', () => {
    expect(startLines({ url: 'http://127.0.0.1:1', adminUrl: 'http://127.0.0.1:2' }, config, 'a.yaml')).equal(
      `Gateway  http://127.0.0.1:1/v1
Admin    http://127.0.0.1:2 (/metrics, /livez, /readyz)
Models   m
Config   a.yaml
`,
    )
  })

  it('says how operators come to their pages, where they have any', () => {
    const own = configOf(`${MODEL}admin: { api: true }`)
    expect(startLines({ url: 'http://127.0.0.1:1', adminUrl: 'http://0.0.0.0:2' }, own, 'a.yaml')).contain(
      `Admin    http://127.0.0.1:2 (/, /admin/v1/, /metrics, /livez, /readyz)
Pages    http://127.0.0.1:2/ for operators: sluiceway login --config a.yaml --operator NAME
`,
    )
  })

  it('says where the documentation is, if the gateway serves it', () => {
    const own = configOf(`${MODEL}docs: true`)
    const at = { url: 'http://127.0.0.1:1', adminUrl: null }
    expect(startLines(at, own, 'a.yaml')).contain('Docs     http://127.0.0.1:1/docs/\n')
    expect(startLines(at, config, 'a.yaml')).not.contain('Docs')
  })

  it('has no line for an admin port that is off', () => {
    expect(startLines({ url: 'http://127.0.0.1:1', adminUrl: null }, config, 'a.yaml')).not.contain('Admin')
  })

  it('says whose models are discovered', () => {
    const own = configOf(`${MODEL}  - discover: { url: http://a/v1 }\n  - discover: { dns: { name: b.svc } }\n`)
    const lines = startLines({ url: 'http://127.0.0.1:1', adminUrl: null }, own, 'a.yaml')
    expect(lines).contain('Models   m, those of http://a/v1, those of dns A b.svc\n')
  })

  it('shows an address that can be connected to', () => {
    const lines = startLines({ url: 'http://0.0.0.0:1', adminUrl: 'http://[::]:2' }, config, 'a.yaml')
    expect(lines).contain('http://127.0.0.1:1/v1').and.contain('http://[::1]:2')
  })
})

describe('demoLines', () => {
  const lines = demoLines({ url: 'http://127.0.0.1:1', adminUrl: null }, config, 'data/demo.yaml', SECRET)

  it('has three requests, each one line of shell', () => {
    const curls = lines.split('\n').filter(line => line.startsWith('curl '))
    expect(curls).deep.equal([
      `curl -sN http://127.0.0.1:1/v1/models -H 'Authorization: Bearer ${SECRET}'`,
      `curl -sN http://127.0.0.1:1/v1/chat/completions -H 'Authorization: Bearer ${SECRET}' -H 'Content-Type: application/json' -d '{"model":"m","messages":[{"role":"user","content":"Hello!"}]}'`,
      `curl -sN http://127.0.0.1:1/v1/chat/completions -H 'Authorization: Bearer ${SECRET}' -H 'Content-Type: application/json' -d '{"model":"m","messages":[{"role":"user","content":"Hello!"}],"stream":true}'`,
    ])
  })

  it('has links that open pages in a browser, for customers and for operators', () => {
    const at = { url: 'http://127.0.0.1:1', adminUrl: null }
    const links = { console: 'http://127.0.0.1:1/console/login?token=a', operators: null }
    const shown = demoLines(at, config, 'data/demo.yaml', SECRET, links)
    expect(shown).contain(`Customers' pages:  ${links.console}\n`).and.not.contain('Operators')
    const both = demoLines(at, config, 'data/demo.yaml', SECRET, { ...links, operators: 'http://127.0.0.1:2/x' })
    expect(both).contain("Operators' pages:  http://127.0.0.1:2/x\n")
    expect(lines).not.contain('Open in a browser')
  })

  it('has a word for the model if none is known at the start', () => {
    const own = configOf('models: [{ discover: { url: http://a/v1 } }]')
    const shown = demoLines({ url: 'http://127.0.0.1:1', adminUrl: null }, own, 'data/demo.yaml', SECRET)
    expect(shown).contain('{"model":"MODEL",')
  })

  it('shows key and file', () => {
    expect(lines).contain(`API key  ${SECRET}\n`).and.contain('Config   data/demo.yaml ')
  })
})
