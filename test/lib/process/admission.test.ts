import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import { admissionLimits, createAdmissionControl, openFilesLimit } from '../../../lib/process/admission.ts'

describe('admission of a process', () => {
  it('has limits that leave most files to others, and generous ones where there are many', () => {
    expect(admissionLimits({}, 1024)).deep.equal({
      connectionsPerAddress: 512,
      requestsPerKey: 256,
      requestsPerAccount: 256,
      bodiesPerKey: 256,
      bodiesPerAccount: 256,
    })
    expect(admissionLimits({}, Number.POSITIVE_INFINITY)).deep.equal({
      connectionsPerAddress: 10_000,
      requestsPerKey: 10_000,
      requestsPerAccount: 10_000,
      bodiesPerKey: 5000,
      bodiesPerAccount: 5000,
    })
    expect(admissionLimits({ requests_per_account: 5, bodies_per_key: 2 }, 1024)).include({
      requestsPerKey: 5,
      requestsPerAccount: 5,
      bodiesPerKey: 2,
      bodiesPerAccount: 256,
    })
  })

  it('reads how many files the process may open', () => {
    const dir = mkdtempSync(join(tmpdir(), 'limits-'))
    const path = join(dir, 'limits')
    writeFileSync(
      path,
      'Limit  Soft Limit  Hard Limit  Units\nMax open files            4096                 8192  files\n',
    )
    expect(openFilesLimit(path)).equal(4096)
    writeFileSync(path, 'Max open files            unlimited            unlimited            files\n')
    expect(openFilesLimit(path)).equal(Number.POSITIVE_INFINITY)
    rmSync(dir, { recursive: true })
    expect(openFilesLimit(path)).equal(Number.POSITIVE_INFINITY)
  })

  it('has metrics of what is open and what was refused', async () => {
    const metrics = new Metrics()
    const { admission, connections, update } = createAdmissionControl({}, metrics)
    update({ requests_per_key: 1 })
    const key = { id: 'k', account: { id: 'a' } } as never
    admission.enter(key)
    expect(() => admission.enter(key)).throw('This key has 1 requests')
    connections.onClosed('idle')
    const text = await metrics.registry.metrics()
    expect(text).contain('sluiceway_admission_refused_total{limit="requests_per_key"} 1\n')
    expect(text).contain('sluiceway_admission_refused_total{limit="bodies_per_account"} 0\n')
    expect(text).contain('sluiceway_connections_closed_total{reason="idle"} 1\n')
    expect(text).contain('sluiceway_connections_closed_total{reason="refused"} 0\n')
    expect(text).contain('sluiceway_connections 0\n')
  })
})
