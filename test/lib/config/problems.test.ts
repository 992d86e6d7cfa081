import { expect } from 'chai'
import { ConfigError, describe as describeProblem } from '../../../lib/config/problems.ts'

describe('ConfigError', () => {
  it('shows every problem with its line and path', () => {
    const error = new ConfigError('a.yaml', [
      { path: 'models.0.id', message: 'is required', line: 3 },
      { path: '', message: 'there is no such file' },
    ])
    expect(error.message).equal('a.yaml has 2 problems:\n  line 3: models.0.id: is required\n  there is no such file')
  })

  it('counts one problem as one', () => {
    expect(new ConfigError('a.yaml', [{ path: 'x', message: 'y' }]).message).match(/^a\.yaml has one problem:/)
  })
})

describe('describe', () => {
  it('leaves out what is not known', () => {
    expect(describeProblem({ path: 'listen.port', message: 'is required' })).equal('listen.port: is required')
  })
})
