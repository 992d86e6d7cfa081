/** Commands that a package installs, and what their requests have. */
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const { HOME, PATH, BASE_URL, QUOTA_KEY } = process.env

/** Far above the time of a start, below that of a client that repeats its request. */
const MAX_SECONDS = 30

/** The command `name` of the package in `folder`, and the arguments before its own: some are scripts, some programs. */
function program(folder, name) {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = resolve(folder, typeof bin === 'string' ? bin : bin[name])
  const isScript = readFileSync(file).subarray(0, 2).toString() === '#!'
  return isScript ? [process.execPath, [file]] : [file, []]
}

/** What the command `name` of the package in `folder` writes to stdout, whatever its exit code is. */
export async function output(...command) {
  const { stdout } = await outputs(...command)
  return stdout
}

/** What a command writes to stdout and stderr. */
export function outputs(folder, name, args, env) {
  const [command, first] = program(folder, name)
  const options = { cwd: HOME, env: { HOME, PATH, ...env }, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 }
  return new Promise(resolveWith => {
    // Without the end of stdin, these wait for more of the prompt.
    execFile(command, [...first, ...args], options, (_error, stdout, stderr) =>
      resolveWith({ stdout, stderr }),
    ).stdin.end()
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

/**
 * Starts a proxy to the gateway, until `close()`. `results`: how many results of tools its requests have, by
 * `resultsOf` a body.
 */
export async function watching(resultsOf) {
  const watched = { url: '', results: 0, close: () => server.close() }
  const server = createServer(async (req, res) => {
    const body = await text(req)
    watched.results += resultsOf(JSON.parse(body)).length
    const headers = { authorization: req.headers.authorization, 'content-type': 'application/json' }
    const reply = await fetch(`${BASE_URL}${req.url}`, { method: 'POST', headers, body })
    res.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') })
    for await (const piece of reply.body) res.write(piece)
    res.end()
  })
  await new Promise(resolveWith => server.listen(0, '127.0.0.1', resolveWith))
  watched.url = `http://127.0.0.1:${server.address().port}/v1`
  return watched
}

/** Prints how a client ends whose quota is used up. `run`: with this key, resolves with what the user sees. */
export async function printUsedUp(run) {
  if (QUOTA_KEY === undefined) return
  const began = performance.now()
  const shown = await run(QUOTA_KEY)
  const seconds = (performance.now() - began) / 1000
  const error = /quota exceeded/i.test(shown) ? 'an error' : 'no error'
  console.log(`used-up quota: ${error}, ${seconds < MAX_SECONDS ? 'at once' : `after ${Math.round(seconds)} s`}`)
}
