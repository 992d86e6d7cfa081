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

/** Below what systems give to connections and to servers on port 0: 32768 on Linux, 49152 elsewhere. */
const PORTS = { first: 10_000, count: 22_000 }

/** Several processes run tests at once: each one begins somewhere else, and none asks for the same port twice. */
let next = Math.floor(Math.random() * PORTS.count)

/** A port of 127.0.0.1 that nobody listens on, and that nobody is given who leaves the choice to the system. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS.count; tried++) {
    next = (next + 1) % PORTS.count
    const port = PORTS.first + next
    if (await canListen(port)) return port
  }
  throw new Error(`No port from ${PORTS.first} on is free.`)
}

function canListen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
