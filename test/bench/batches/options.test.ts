import { expect } from 'chai'
import { readOptions } from '../../../bench/batches/options.ts'

describe('options of the benchmark of batches', () => {
  it('have all workloads and loads, and both ends of the dial', () => {
    const options = readOptions([])!
    expect(options.workloads).include.members(['chat', 'rag', 'tenants', 'none', 'rig-chat', 'agent', 'shared-prompts'])
    expect(options.workloads).not.include('long-agents')
    expect(options.loads).deep.equal([30, 60, 80])
    expect(options.growths).deep.equal([0.05, 0.2])
    expect(options.seeds).deep.equal([1, 2, 3, 4, 5, 6, 7, 8])
    expect(options.line).deep.equal({ promptTokens: 1500, equalTokens: 1000, answerTokens: 300 })
  })

  it('can be short', () => {
    const options = readOptions(['--short', '--prompt', '500'])!
    expect([options.workloads, options.loads, options.growths]).deep.equal([['chat', 'rag'], [60], [0.05]])
    expect(options.line.equalTokens).equal(500)
    expect([options.parts, options.seconds]).deep.equal([['virtual', 'http'], 10])
  })

  it('take names of workloads, numbers of draws and values of growth', () => {
    const options = readOptions(['--only', 'agent,rig-rag', '--seeds', '2', '--growth', '0.1', '--share', '0.05'])!
    expect(options).deep.include({ workloads: ['agent', 'rig-rag'], seeds: [1, 2], growths: [0.1], cacheShare: 0.05 })
    expect(readOptions(['--part', 'http', '--whole'])).include({ httpEngines: 4, seconds: 20, isWhole: true })
    expect(() => readOptions(['--part', 'other'])).throw('There is no other among virtual, http.')
    expect(() => readOptions(['--only', 'other'])).throw('There is no other among')
  })
})
