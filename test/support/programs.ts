/** Programs that some suites need. Without the program they are skipped, or fail with REQUIRE_SERVICES=1. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Call in a describe whose tests need this program of this Debian package. Returns its path. */
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

/**
 * Call in a describe whose tests need a small disk. Returns a command that runs another one, for which `path` is an
 * empty file system of this size, in memory.
 */
export function useSmallDisk(megabytes: number): (path: string) => readonly string[] {
  const command = (path: string) => {
    const script = `mount -t tmpfs -o size=${megabytes}m tmpfs "${path}" && exec "$@"`
    return ['unshare', '--mount', '--map-root-user', 'sh', '-c', script, 'sh']
  }
  before(function () {
    const [unshare, ...rest] = command(tmpdir())
    if (spawnSync(unshare!, [...rest, 'true']).status === 0) return
    console.log('      skipped: this machine permits no name spaces of users and mounts')
    this.skip()
  })
  return command
}

/** Below the range of ephemeral ports: 32768 on Linux, 49152 elsewhere. */
const PORTS = { first: 10_000, count: 22_000 }

/** Several processes run tests at once: each starts at another port, and uses no port twice. */
let next = Math.floor(Math.random() * PORTS.count)

/** A free port of 127.0.0.1 outside the range of ephemeral ports. */
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
