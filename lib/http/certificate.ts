import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SecureContextOptions } from 'node:tls'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'

type Tls = NonNullable<Config['listen']['tls']>

/** Reads the files again: a renewed certificate replaces the old one under the same name. */
export function readCertificate({ cert, key }: Tls): SecureContextOptions {
  return { cert: readFileSync(cert), key: readFileSync(key) }
}

/** Returns what shows the end of a certificate that is served from now on. Without TLS there is no such metric. */
export function certificateMetrics(metrics: Metrics): (tls: Tls | undefined) => void {
  return tls => {
    if (tls === undefined) return
    const { validToDate } = new X509Certificate(readFileSync(tls.cert))
    metrics
      .gauge({
        name: 'sluiceway_tls_certificate_expires_timestamp_seconds',
        aggregator: 'min',
        help: 'End of the certificate that clients are served.',
      })
      .set(validToDate.getTime() / 1000)
  }
}
