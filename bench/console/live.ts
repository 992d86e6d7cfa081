/** What live pages cost the gateway, without requests and with the traffic of a demo. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { startTraffic } from '../../lib/cli/traffic.ts'
import type { BenchGateway } from './gateway.ts'
import { MODELS } from './seed.ts'

export interface LiveReport {
  readonly what: string
  /** CPU time of the gateway, all threads, in percent of a core. */
  readonly percent: number
}

/** Several, so that they cost much more than a tick of the kernel's clock. Browsers open six connections to a host. */
const PAGES = 4
const WINDOWS = 3
const REST_MS = 3000

/** Watches each for `seconds`. What `traffic` costs is that of the requests and of their records. */
export async function measureLive(
  context: BrowserContext,
  { url, adminUrl, key, cpuMs }: BenchGateway,
  seconds: number,
): Promise<readonly LiveReport[]> {
  /** The lowest of some windows: other programs only add. */
  const percent = async () => {
    await sleep(REST_MS)
    const windows: number[] = []
    for (let i = 0; i < WINDOWS; i++) {
      const [before, started] = [cpuMs(), performance.now()]
      await sleep((seconds * 1000) / WINDOWS)
      windows.push(((cpuMs() - before) / (performance.now() - started)) * 100)
    }
    return Math.min(...windows)
  }
  const withPages = async (address: string) => {
    const pages: Page[] = []
    for (let i = 0; i < PAGES; i++) {
      const page = await context.newPage()
      await page.goto(address)
      pages.push(page)
    }
    const result = await percent()
    for (const page of pages) await page.close()
    return result
  }
  const reports: LiveReport[] = []
  const watch = async (name: string) => {
    const alone = await percent()
    const now = await withPages(`${adminUrl}/`)
    const requests = await withPages(`${url}/console/requests`)
    reports.push(
      { what: `${name}, no page`, percent: alone },
      { what: `${name}: a page Overview adds`, percent: (now - alone) / PAGES },
      { what: `${name}: a page of requests adds`, percent: (requests - alone) / PAGES },
    )
  }
  await watch('nobody calls')
  const traffic = startTraffic({ url, secrets: [key], models: MODELS })
  await watch('traffic of the demo')
  await traffic.stop()
  return reports
}

export function liveTable(reports: readonly LiveReport[]): string {
  const rows = reports.map(({ what, percent }) => `| ${what} | ${percent.toFixed(2)} |`)
  return ['| CPU of the gateway | % of a core |', '| - | -: |', ...rows].join('\n')
}
