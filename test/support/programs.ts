/** Programs that some suites run. Where one is missing they are skipped; with REQUIRE_SERVICES=1 that is a failure. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

/** To be called in a describe: its tests need this program, which is in this Debian package. Returns its path. */
export function useProgram(name: string, packageName: string): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  const path = folders.map(folder => join(folder, name)).find(file => existsSync(file))
  before(function () {
    if (path !== undefined) return
    const problem = `${name} is not installed: apt-get install ${packageName}`
    if (process.env.REQUIRE_SERVICES === '1') throw new Error(problem)
    console.log(`      skipped: ${problem}`)
    this.skip()
  })
  return path ?? name
}

/** A port of 127.0.0.1 that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
