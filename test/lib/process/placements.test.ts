import { expect } from 'chai'
import { placements } from '../../../lib/process/placements.ts'

describe('placements', () => {
  it('are every route on each of its surfaces, and what matches none', () => {
    const places = [...placements()].map(([route, surface]) => `${surface}.${route.name}`)
    expect(places).include.members(['gateway.chat', 'dedicated.chat', 'gateway.responses', 'api.unmatched'])
    expect(places).include('dedicated.unmatched-messages').and.not.include('dedicated.responses')
  })
})
