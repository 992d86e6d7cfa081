import { expect } from 'chai'
import { PARTS, readOptions } from '../../../bench/routing/options.ts'

describe('options of the routing benchmark', () => {
  it('are all parts, and the trace if given', () => {
    const options = readOptions([])!
    expect(options.parts).deep.equal(PARTS)
    expect(options.engines).deep.equal([4, 8])
    expect(options.workloads).not.include('trace')
    expect(readOptions(['--trace', 'file'])!.workloads).include('trace')
  })

  it('select the parts for a busy machine, or those that need a quiet one', () => {
    expect(readOptions(['--virtual'])!.parts).deep.equal([
      'policies',
      'loads',
      'rig',
      'beliefs',
      'disturbed',
      'processes',
      'outage',
    ])
    const { parts, engines } = readOptions(['--http'])!
    expect([parts, engines]).deep.equal([['http', 'http-processes', 'http-prompts'], [4]])
  })

  it('report an unknown name', () => {
    expect(() => readOptions(['--part', 'nothing'])).throw('There is no nothing among cost, policies')
    expect(() => readOptions(['--only', 'trace'])).throw('There is no trace')
  })

  it('number the draws, and take loads in percent of the capacity', () => {
    expect(readOptions([])!.seeds).deep.equal([1])
    expect(readOptions(['--seeds', '3'])!.seeds).deep.equal([1, 2, 3])
    expect(readOptions(['--seeds', '101-103'])!.seeds).deep.equal([101, 102, 103])
    expect(readOptions(['--loads', '50,95'])!.loads).deep.equal([50, 95])
    expect(readOptions(['--rate', '12.5'])!.rate).equal(12.5)
  })
})
