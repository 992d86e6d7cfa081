import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { searchNames } from '../../../../lib/backends/discovery/search-names.ts'
import { temporaryDirectory } from '../../../support/cli.ts'

describe('names to look up', () => {
  const directory = temporaryDirectory()

  function names(name: string, text: string): Promise<readonly string[]> {
    const file = join(directory(), 'resolv.conf')
    writeFileSync(file, text)
    return searchNames(name, file)
  }

  it('are those below the search domains of the system', async () => {
    const kubernetes =
      'search apps.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.0.0.10\noptions ndots:5\n'
    expect(await names('vllm.default.svc', kubernetes)).deep.equal([
      'vllm.default.svc.apps.svc.cluster.local',
      'vllm.default.svc.svc.cluster.local',
      'vllm.default.svc.cluster.local',
      'vllm.default.svc',
    ])
    expect(await names('vllm.default.svc.', kubernetes)).deep.equal(['vllm.default.svc.'])
  })

  it('begin with the name itself where it has dots enough', async () => {
    expect(await names('gpu.example', 'search corp.test.\n')).deep.equal(['gpu.example', 'gpu.example.corp.test'])
    expect(await names('gpu', 'domain corp.test\n')).deep.equal(['gpu.corp.test', 'gpu'])
  })

  it('are the name alone where nothing is said', async () => {
    expect(await names('gpu.example', 'nameserver 10.0.0.1\n')).deep.equal(['gpu.example'])
    expect(await searchNames('gpu', join(directory(), 'none'))).deep.equal(['gpu'])
  })
})
