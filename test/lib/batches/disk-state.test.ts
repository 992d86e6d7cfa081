import { expect } from 'chai'
import { DiskState } from '../../../lib/batches/disk-state.ts'

const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
const broken = Object.assign(new Error('broken'), { code: 'EIO' })

describe('the disk of batches', () => {
  it('is reported once when it fails, and once when all can be written again', () => {
    const lines: string[] = []
    const log = { error: () => void lines.push('error'), info: () => void lines.push('info') }
    const disk = new DiskState(log)
    expect(disk.paused).equal(null)
    disk.written('b1')
    disk.failed('b1', broken)
    expect(disk.paused).equal('disk_error')
    disk.failed('b2', full)
    disk.failed('b2', full)
    expect(disk.paused).equal('disk_full')
    disk.written('b1')
    disk.keep(['b1', 'b2'])
    expect([disk.paused, lines]).deep.equal(['disk_full', ['error']])
    disk.keep(['b1'])
    expect([disk.paused, lines]).deep.equal([null, ['error', 'info']])
  })
})
