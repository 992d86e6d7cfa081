/**
 * Pages in Debian's Chromium: one browser for the tests of a suite, started by the first that needs it. A failed test
 * leaves a screenshot of each open page, and its error names the files.
 */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { useProgram } from './programs.ts'

/** A name of this machine that is not a secure context over plain HTTP, unlike `localhost`. */
export const FAR_HOST = 'gateway.test'

let pictures: string | undefined

/** Opens a page in a separate profile, with its own cookies. */
export type OpenContext = (options?: BrowserContextOptions) => Promise<BrowserContext>

/** Call in a describe. Pages are closed after each test. */
export function useBrowser(): OpenContext {
  const program = useProgram('chromium', 'chromium')
  const open: BrowserContext[] = []
  let browser: Promise<Browser> | undefined
  afterEach(async function () {
    const { currentTest } = this
    if (currentTest?.state === 'failed') {
      const files = await picturesOf(open, currentTest.fullTitle())
      const error = currentTest.err as Error | undefined
      if (error !== undefined && files.length > 0) error.stack = `${error.stack}\n\nScreenshots: ${files.join(' ')}`
    }
    for (const context of open.splice(0)) await context.close()
  })
  after(async () => (await browser)?.close())
  return async options => {
    browser ??= launch(program)
    const context = await (await browser).newContext(options)
    context.setDefaultTimeout(20_000)
    open.push(context)
    return context
  }
}

function launch(executablePath: string): Promise<Browser> {
  // The sandbox does not run as root, as tests do in a container. All pages are the gateway's own.
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--host-resolver-rules=MAP ${FAR_HOST} 127.0.0.1`],
  })
}

async function picturesOf(contexts: readonly BrowserContext[], title: string): Promise<readonly string[]> {
  const files: string[] = []
  for (const page of contexts.flatMap(context => context.pages())) {
    pictures ??= process.env.SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'sluiceway-screenshots-'))
    mkdirSync(pictures, { recursive: true })
    const path = join(pictures, `${title.replace(/\W+/g, '-').slice(0, 100)}-${files.length}.png`)
    // A page that hangs has no screenshot. The test has failed for another reason.
    await page.screenshot({ path, fullPage: true }).then(
      () => files.push(path),
      () => {},
    )
  }
  return files
}

/** Violations that axe-core finds on the page, as lines: rule, element, help. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Errors of the page's scripts, and violations of its policy. Grows while the page is open. */
export function pageProblems(page: Page): readonly string[] {
  const problems: string[] = []
  page.on('pageerror', error => problems.push(String(error)))
  page.on('console', message => {
    // The browser also reports each 4xx response here, which some pages return on purpose.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  return problems
}
