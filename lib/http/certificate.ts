import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SecureContextOptions } from 'node:tls'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'

type Tls = NonNullable<Config['listen']['tls']>

/** Reads the files at each call, because a renewed certificate has the same file name. */
export function readCertificate({ cert, key }: Tls): SecureContextOptions {
  return { cert: readFileSync(cert), key: readFileSync(key) }
}

/** Returns a function that shows when the served certificate expires. Without TLS the metric does not exist. */
export function certificateMetrics(metrics: Metrics): (tls: Tls | undefined) => void {
  return tls => {
    if (tls === undefined) return
    const { validToDate } = new X509Certificate(readFileSync(tls.cert))
    metrics
      .gauge({
        name: 'sluiceway_tls_certificate_expires_timestamp_seconds',
        aggregator: 'min',
        help: 'Time at which the certificate that clients receive expires.',
      })
      .set(validToDate.getTime() / 1000)
  }
}
