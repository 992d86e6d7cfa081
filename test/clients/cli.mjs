/** Commands that a package installs. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What the command `name` of the package in `folder` writes to stdout, whatever its exit code is. */
export function output(folder, name, args, env) {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = resolve(folder, typeof bin === 'string' ? bin : bin[name])
  const isScript = readFileSync(file).subarray(0, 2).toString() === '#!'
  const { HOME, PATH } = process.env
  const options = { cwd: HOME, env: { HOME, PATH, ...env }, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 }
  return new Promise(resolveWith => {
    const [command, ...first] = isScript ? [process.execPath, file] : [file]
    // Without the end of stdin, these wait for more of the prompt.
    execFile(command, [...first, ...args], options, (_error, stdout) => resolveWith(stdout)).stdin.end()
  })
}
