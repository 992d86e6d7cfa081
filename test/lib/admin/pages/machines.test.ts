import { expect } from 'chai'
import type { ListedGateway } from '../../../../lib/admin/live/fleet.ts'
import { machineLayout, machineTable, processText } from '../../../../lib/admin/pages/machines.ts'
import { textIn } from '../../../support/operators.ts'

const gateway = (machine: string, more: Partial<ListedGateway> = {}): ListedGateway => ({
  machine,
  version: '1.2.3',
  started: '2026-11-23T00:00:00.000Z',
  ready: true,
  unready: [],
  workers: [{ pid: 7 }, { pid: 8 }],
  seen_at: '2026-11-24T12:00:00.000Z',
  stale: false,
  ...more,
})

describe('machines on the page Overview', () => {
  it('are not shown if there is one', () => {
    expect(machineTable([gateway('gw-a')])).equal(null)
    expect(machineLayout([gateway('gw-a')])).equal('')
    expect(processText([gateway('gw-a')]).toString()).equal('2')
  })

  it('have their state, their version and their processes', () => {
    const all = [
      gateway('gw-a'),
      gateway('<b>', { ready: false, unready: ['draining'], version: '1.2.4' }),
      gateway('gw-c', { stale: true }),
    ]
    const table = machineTable(all)!.toString()
    expect(table).contain('&lt;b&gt;').and.contain('class="error">draining<')
    const text = textIn(table)
    expect(text).contain('gw-a ready 1.2.3 2026-11-23 00:00:00 2').and.contain('draining 1.2.4')
    expect(text).contain('gw-c lost last seen 2026-11-24 12:00:00')
    expect(machineLayout(all)).equal('\ngw-a ready\n<b> draining\ngw-c lost')
    expect(textIn(processText(all).toString())).equal('4 on 2 machines')
  })
})
