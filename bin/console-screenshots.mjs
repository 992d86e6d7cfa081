// Takes pictures of the console and of the operators' pages, from a running gateway in front of simulated engines with
// a month of usage: every page in three widths and both colour schemes in screenshots/, which is not committed, and
// those of docs/CONSOLE.md in docs/images. With parts of names, only those pages in screenshots/; `documented`: only
// docs/images. Prints what does not fit.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { root } from './bootstrap.mjs'
import { faultsOf } from './screenshot-faults.mjs'
import { idlePagesOf, pagesOf } from './screenshot-pages.mjs'
import { openScene } from './screenshot-scene.mjs'
import { smallPng } from './small-png.mjs'

const { axeFindings } = await import('../test/support/browser.ts')
const { signIn } = await import('../test/support/console.ts')
const { closeSimulators } = await import('../test/support/simulator.ts')

const IMAGES = join(root, 'docs', 'images')
const ALL = join(root, 'screenshots')
const SCHEMES = ['light', 'dark']
/** Screens on which a page is opened once, and the widths of the window on each. */
const SCREENS = [
  { widths: [1280, 1920], height: 900, options: {} },
  { widths: [360], height: 740, options: { hasTouch: true, isMobile: true } },
]
const wanted = process.argv.slice(2)

const scene = await openScene()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })

const signIns = {
  async stranger() {},
  customer: page => signIn(scene.gateway, page, 'alice@test'),
  carol: page => signIn(scene.gateway, page, 'carol@test'),
  async operator(page) {
    await page.goto(scene.operators)
    await page.getByLabel('Key of an operator').fill(scene.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  },
}
/** Sessions that several pages use. */
const sessions = {}
for (const [name, enter] of Object.entries(signIns)) {
  const context = await browser.newContext()
  await enter(await context.newPage())
  sessions[name] = await context.storageState()
  await context.close()
}

/** Plots are drawn after the first frame. */
async function drawn(page) {
  await page.waitForLoadState('load')
  for (const plot of await page.locator('[data-plot]:visible').all()) await plot.locator('canvas').waitFor()
}

/** Opens a page, and calls `use` with it. */
async function open([name, session, steps], options, use) {
  const context = await browser.newContext({ storageState: sessions[session], ...options })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  try {
    await steps(page)
    await drawn(page)
    await use(page)
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${name}: ${error.message}\n`)
  }
  await context.close()
}

/** Prints each fault of a page once, with the widths and schemes that have it. */
const report = (name, faults) => {
  for (const [fault, where] of faults) process.stdout.write(`${name} (${where.join(', ')}): ${fault}\n`)
}

const isWanted = ([name]) => wanted.length === 0 || wanted.some(one => name.includes(one))
/** Takes every picture of a page. */
async function take(page) {
  const faults = new Map()
  for (const { widths, height, options } of SCREENS) {
    await open(page, { ...options, viewport: { width: widths[0], height } }, async opened => {
      for (const width of widths)
        for (const colorScheme of SCHEMES) {
          await opened.setViewportSize({ width, height })
          await opened.emulateMedia({ colorScheme })
          await drawn(opened)
          const variant = `${width}-${colorScheme}`
          await opened.screenshot({ path: join(ALL, `${page[0]}-${variant}.png`), fullPage: true })
          for (const fault of [...(await opened.evaluate(faultsOf)), ...(await axeFindings(opened))])
            faults.set(fault, [...(faults.get(fault) ?? []), variant])
        }
    })
  }
  report(page[0], faults)
}
mkdirSync(ALL, { recursive: true })
for (const page of idlePagesOf(scene).filter(isWanted)) await take(page)
const pages = pagesOf({ ...scene, ...(await scene.startBatches()) })
for (const page of pages.filter(isWanted)) await take(page)

/** Pictures of docs/CONSOLE.md: name of the page, colour scheme and height. */
const DOCUMENTED = [
  ['console-overview', 'light', 560],
  ['console-usage', 'light', 560],
  ['console-requests', 'light', 420],
  ['console-request-answered', 'dark', 520],
  ['console-batches', 'light', 520],
  ['console-keys', 'light', 420],
  ['console-try', 'dark', 560],
  ['operators-overview', 'light', 560],
  ['operators-request-fallback', 'dark', 560],
  ['operators-account-stored', 'light', 680],
  ['operators-account-keys', 'light', 520],
  ['operators-batches', 'light', 640],
]
if (wanted.length === 0 || wanted.includes('documented')) {
  mkdirSync(IMAGES, { recursive: true })
  for (const [name, colorScheme, height] of DOCUMENTED) {
    const page = pages.find(([one]) => one === name)
    await open(page, { colorScheme, viewport: { width: 1280, height } }, async opened =>
      writeFileSync(join(IMAGES, `${name}.png`), smallPng(await opened.screenshot())),
    )
  }
}
await browser.close()
await scene.gateway.close()
await closeSimulators()
