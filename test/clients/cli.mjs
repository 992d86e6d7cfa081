/** Commands that a package installs. */
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const { HOME, PATH } = process.env

/** The command `name` of the package in `folder`, and the arguments before its own: some are scripts, some programs. */
function program(folder, name) {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = resolve(folder, typeof bin === 'string' ? bin : bin[name])
  const isScript = readFileSync(file).subarray(0, 2).toString() === '#!'
  return isScript ? [process.execPath, [file]] : [file, []]
}

/** What the command `name` of the package in `folder` writes to stdout, whatever its exit code is. */
export function output(folder, name, args, env) {
  const [command, first] = program(folder, name)
  const options = { cwd: HOME, env: { HOME, PATH, ...env }, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 }
  return new Promise(resolveWith => {
    // Without the end of stdin, these wait for more of the prompt.
    execFile(command, [...first, ...args], options, (_error, stdout) => resolveWith(stdout)).stdin.end()
  })
}

/** Starts a command that serves, until `close()`. `url`: the first one that it writes. */
export async function serving(folder, name, args) {
  const [command, first] = program(folder, name)
  const options = { cwd: HOME, env: { HOME, PATH }, stdio: ['ignore', 'pipe', 'inherit'] }
  const child = spawn(command, [...first, ...args], options)
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\S+/.exec(line) ?? []
    if (url !== undefined) return { url, close: () => child.kill() }
  }
  throw new Error(`${name} has not said where it listens`)
}
