/** The checks of `check --live` on this machine: the folders that the gateway writes into, and its ports. */
import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { urlOf } from './output.ts'

/** A reason why a gateway with this configuration cannot start on this machine. */
interface Obstacle {
  /** The name of the member in the configuration, and its value. */
  readonly name: string
  readonly problem: string
}

/** Creates and changes nothing. A port that the running gateway of this configuration uses is no obstacle. */
export async function obstacles(config: Config): Promise<readonly Obstacle[]> {
  const { store, journal, files, listen, admin } = config
  const database = /^sqlite:(?!:memory:)(.+)$/.exec(store)?.[1]
  const folders = [
    ['journal', journal],
    ['files', files.path],
    ...(database === undefined ? [] : [['store', dirname(database)] as const]),
  ] as const
  const ports = [['listen', listen] as const, ...(admin === null ? [] : [['admin', admin] as const])]
  const isRunning = admin !== null && (await answers(admin))
  const results = await Promise.all([
    ...folders.map(([name, path]) => checkFolder(`${name} ${path}`, path)),
    ...ports.map(([name, address]) => checkPort(`${name} ${address.host}:${address.port}`, address, isRunning)),
  ])
  return results.filter(obstacle => obstacle !== undefined)
}

/** Types of proc and sysfs (linux/magic.h), in which no file can be created. */
const WITHOUT_FILES: ReadonlySet<number> = new Set([0x9fa0, 0x62656572])

async function checkFolder(name: string, path: string): Promise<Obstacle | undefined> {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      if (!(await stat(folder)).isDirectory()) return { name, problem: `${folder} is not a directory` }
      await access(folder, constants.W_OK | constants.X_OK)
      const { type } = await statfs(folder)
      if (WITHOUT_FILES.has(type)) return { name, problem: `no file can be created in ${folder}` }
      return undefined
    } catch (error) {
      // The gateway creates missing folders below one that it can write into.
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' && folder !== dirname(folder)) continue
      const user = process.getuid?.() ?? 'of this process'
      const problem =
        code === 'ENOTDIR' ? `${dirname(folder)} is not a directory` : `user ${user} cannot write into ${folder}`
      return { name, problem: code === 'EROFS' ? `${folder} is on a read-only file system` : problem }
    }
  }
}

interface Address {
  readonly host: string
  readonly port: number
}

function checkPort(name: string, { host, port }: Address, isRunning: boolean): Promise<Obstacle | undefined> {
  if (port === 0) return Promise.resolve(undefined)
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(portProblem(code, name, port, isRunning)))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

function portProblem(code: string | undefined, name: string, port: number, isRunning: boolean): Obstacle | undefined {
  if (code === 'EADDRINUSE') {
    if (isRunning) return undefined
    return {
      name,
      problem: `in use by another program, which \`ss -ltnp 'sport = :${port}'\` shows: stop it or choose another port`,
    }
  }
  if (code === 'EACCES')
    return { name, problem: 'this user may not open a port below 1024: choose another one, or put a proxy in front' }
  if (code === 'EADDRNOTAVAIL')
    return { name, problem: 'this machine has no such address: use 0.0.0.0 to listen on all addresses' }
  return { name, problem: `cannot be opened: ${code}` }
}

/** Whether a gateway serves its operators' port at this address. */
async function answers(address: Address): Promise<boolean> {
  try {
    const response = await fetch(`${urlOf(address)}/livez`, { signal: AbortSignal.timeout(2000) })
    return response.ok
  } catch {
    return false
  }
}
