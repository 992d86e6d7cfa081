import { expect } from 'chai'
import { backendPath, modelHistoryPath, stripsPath } from '../../../../lib/admin/pages/paths.ts'

describe('paths of history pages', () => {
  it('escape names', () => {
    expect(backendPath('a/b c', 'http://x/v1')).equal('/backends/history?model=a%2Fb+c&url=http%3A%2F%2Fx%2Fv1')
    expect(backendPath('m', 'http://x/v1', '7d')).equal('/backends/history?model=m&url=http%3A%2F%2Fx%2Fv1&range=7d')
    expect(modelHistoryPath('a/b c')).equal('/models/a%2Fb%20c/history')
    expect(stripsPath('a/b', '7d')).equal('/backends/compare?model=a%2Fb&range=7d')
    expect(modelHistoryPath('m', '30d')).equal('/models/m/history?range=30d')
  })
})
