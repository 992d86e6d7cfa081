import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import { certificateMetrics, readCertificate } from '../../../lib/http/certificate.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url))
const tls = { cert: fixture('cert.pem'), key: fixture('key.pem') }

describe('http/certificate', () => {
  it('reads both files', () => {
    const { cert, key } = readCertificate(tls)
    expect(String(cert)).contain('BEGIN CERTIFICATE')
    expect(String(key)).contain('PRIVATE KEY')
  })

  it('shows when the certificate ends, and nothing without TLS', async () => {
    const metrics = new Metrics()
    const show = certificateMetrics(metrics)
    show(undefined)
    expect(await metrics.registry.metrics()).equal('\n')
    for (const name of ['cert.pem', 'renewed-cert.pem']) {
      show({ ...tls, cert: fixture(name) })
      const end = new X509Certificate(readFileSync(fixture(name))).validToDate.getTime() / 1000
      expect(await metrics.registry.metrics()).match(
        new RegExp(`^sluiceway_tls_certificate_expires_timestamp_seconds ${end}$`, 'm'),
      )
    }
  })
})
