import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { TargetsFile } from '../../../../lib/backends/discovery/targets-file.ts'
import { temporaryDirectory } from '../../../support/cli.ts'

describe('backends/discovery/targets-file', () => {
  const directory = temporaryDirectory()
  const pathOf = () => join(directory(), 'targets.yaml')

  const source = (port = 8000) =>
    new TargetsFile({ discover: 'file', path: pathOf(), scheme: 'http', basePath: '/v1', port })
  const found = async (text: string) => {
    writeFileSync(pathOf(), text)
    return (await source().lookup()).urls
  }
  const problem = (text: string) =>
    found(text).then(
      () => 'none',
      (error: Error) => error.message,
    )

  it("reads Prometheus' form, in YAML and JSON", async () => {
    const yaml =
      "- targets: ['10.0.0.2:8001', gpu.test:9000]\n  labels: { team: a, __scheme__: https }\n- targets: [10.0.0.1:1]\n"
    const urls = ['http://10.0.0.1:1/v1', 'https://10.0.0.2:8001/v1', 'https://gpu.test:9000/v1']
    expect(await found(yaml)).deep.equal(urls)
    const json = [
      { targets: ['10.0.0.2:8001', 'gpu.test:9000'], labels: { __scheme__: 'https' } },
      { targets: ['10.0.0.1:1'] },
    ]
    expect(await found(JSON.stringify(json))).deep.equal(urls)
  })

  it('accepts targets without a port, IPv6 addresses, and base URLs', async () => {
    expect(await found("- targets: [gpu, '[fd00::1]', '[fd00::2]:81', 'https://gpu.test/llm/v1/']")).deep.equal([
      'http://[fd00::1]:8000/v1',
      'http://[fd00::2]:81/v1',
      'http://gpu:8000/v1',
      'https://gpu.test/llm/v1',
    ])
  })

  it('may be empty', async () => {
    expect(await found('[]')).deep.equal([])
    expect(await found('- targets: []')).deep.equal([])
  })

  it('refuses a file with any error, and does not quote it', async () => {
    expect(await problem('- targets: [')).equal('it is not valid YAML or JSON')
    expect(await problem('')).equal('it is not a list of { targets: […] }')
    expect(await problem('targets: [a]')).equal('it is not a list of { targets: […] }')
    expect(await problem('- [a]')).equal('0: has no list of targets')
    expect(await problem('- targets: [a]\n- targets: [b, "secret:pass@c"]')).equal(
      '1.targets.1: is not an address such as 10.0.0.1:8000',
    )
    for (const target of ['"a:0"', '"a:70000"', '7', '"a b"', '"http://u:p@a/v1"', '"999.1.1.1:80"', '"a?x"'])
      expect(await problem(`- targets: [${target}]`), target).match(/^0\.targets\.0: is not an address/)
    expect(await problem('- targets: [a]\n  labels: { __scheme__: ftp }')).match(/__scheme__: must be http or https/)
    expect(await problem(`- targets: [a]\n# ${'x'.repeat(1024 * 1024)}`)).equal('it has more than 1048576 bytes')
    rmSync(pathOf())
    expect(
      await source()
        .lookup()
        .catch((error: Error) => error.message),
    ).equal('there is no such file')
  })

  it('reports the total number', async () => {
    writeFileSync(pathOf(), JSON.stringify([{ targets: Array.from({ length: 300 }, (_, i) => `h${i}`) }]))
    const one = source()
    const { urls, total } = await one.lookup()
    expect([urls.length, total]).deep.equal([256, 300])
    // An unchanged file is not parsed again.
    expect((await one.lookup()).urls).equal(urls)
  })

  it('parses a file with an error once, until it changes', async () => {
    const one = source()
    const look = () => one.lookup().catch((error: unknown) => error)
    writeFileSync(pathOf(), '- targets: [')
    const refused = await look()
    expect(refused).instanceOf(Error)
    expect(await look()).equal(refused)
    writeFileSync(pathOf(), '- targets: [a]')
    expect(await look()).deep.include({ urls: ['http://a:8000/v1'] })
  })
})
