// Prepares both commands: installs the packages, and finds a Node that runs the sources without a build.
// Plain JavaScript without imports from node_modules, because it runs before they exist, and on older versions of Node.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const MINIMUM = [24, 14, 1]

/** A published package has no lockfile. */
const isCheckout = existsSync(join(root, 'package-lock.json'))

const INSTALL_PINNED = 'Install it from nodejs.org, or let npm install the pinned one: npm ci'
const INSTALL_NEWER = `Install it from https://nodejs.org/en/download, or with nvm: nvm install ${MINIMUM[0]}. Then install sluiceway again with its npm: npm install -g sluiceway`

const INSTALLING = join(root, '.installing')

/** Longer than any installation takes. A killed process has left an older lock behind. */
const STALE_MS = 10 * 60 * 1000

/** Installs the packages of package-lock.json, unless that has been done since the file changed. */
export function install() {
  if (isInstalled()) return
  const unlock = lock()
  try {
    // Another process may have installed them in the meantime.
    if (isInstalled()) return
    process.stderr.write('Installing packages (once) …\n')
    if (npm('ci') || npm('install', '--no-save')) return
  } finally {
    unlock()
  }
  process.stderr.write('\nThe packages could not be installed. Is the npm registry reachable? Try it by hand: npm ci\n')
  process.exit(1)
}

function isInstalled() {
  const stamp = join(root, 'node_modules', '.package-lock.json')
  const wanted = join(root, 'package-lock.json')
  return !existsSync(wanted) || (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(wanted).mtimeMs)
}

/** Prevents two commands from installing at the same time. Creating a directory is atomic on every system. */
function lock() {
  for (;;) {
    try {
      mkdirSync(INSTALLING)
      return () => rmSync(INSTALLING, { recursive: true, force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') return () => {}
      const since = statSync(INSTALLING, { throwIfNoEntry: false })?.mtimeMs
      if (since !== undefined && Date.now() - since > STALE_MS) rmSync(INSTALLING, { recursive: true, force: true })
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    }
  }
}

/** Runs the npm that started this process, or the one on PATH. True: it succeeded. */
function npm(...args) {
  const all = [...args, '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }
  const own = process.env.npm_execpath
  const done = own?.endsWith('.js')
    ? spawnSync(process.execPath, [own, ...all], options)
    : spawnSync('npm', all, { ...options, shell: process.platform === 'win32' })
  return done.status === 0
}

function isNewEnough(version) {
  const parts = version.split('.').map(Number)
  for (let i = 0; i < MINIMUM.length; i++) {
    if (parts[i] !== MINIMUM[i]) return parts[i] > MINIMUM[i]
  }
  return true
}

/** The path of the running Node if it is new enough, otherwise of the version that package.json pins. */
function nodePath() {
  if (isNewEnough(process.versions.node)) return process.execPath
  const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  const needed = `Node ${MINIMUM.join('.')} or newer is needed and this is ${process.versions.node}.`
  process.stderr.write(`${needed} ${isCheckout ? INSTALL_PINNED : INSTALL_NEWER}\n`)
  process.exit(1)
}

/** Signals that are passed on. SIGKILL cannot be: the closed channel tells the child. */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']

/**
 * Runs Node with these arguments, forwards signals, and resolves with its exit code. A child that a signal ended ends
 * this process by the same signal. `interrupt`: also forwards SIGINT. By default, only without a terminal, because a
 * terminal sends Ctrl-C to the whole process group.
 */
export function runNode(args, interrupt = !process.stdin.isTTY) {
  const node = nodePath()
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  // The cache contains compiled code and stripped types for the next start, and for all threads of this one.
  const cache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile') }
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(node, args, { stdio, env: { ...cache, ...process.env, PATH: path } })
  const forward = signal => child.kill(signal)
  const ignore = () => {}
  const handlers = FORWARDED.map(signal => [signal, forward])
  // Without a listener, SIGINT would end this process before its child.
  handlers.push(['SIGINT', interrupt ? forward : ignore])
  for (const [signal, handler] of handlers) process.on(signal, handler)
  return new Promise(resolve => {
    child.on('exit', (code, signal) => {
      for (const [name, handler] of handlers) process.off(name, handler)
      if (signal !== null) process.kill(process.pid, signal)
      resolve(code ?? 1)
    })
  })
}
