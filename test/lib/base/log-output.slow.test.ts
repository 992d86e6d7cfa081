import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryDirectory } from '../../support/cli.ts'

const log = new URL('../../../lib/base/log.ts', import.meta.url).href

/**
 * Writes 5,000 lines of 200 characters. After a byte on stdin and the next attempt to write, it writes `last`, and the
 * number of dropped lines to stderr.
 */
const SCRIPT = `import { createLog, droppedLines } from '${log}'
const { log } = createLog({ level: 'info', format: 'json' })
const x = 'x'.repeat(140)
for (let i = 0; i < 5000; i++) log.info({ i, x }, 'line')
process.stderr.write('alive ')
process.stdin.once('data', () => {
  setTimeout(() => log.info('last'), 400)
  setTimeout(() => { process.stderr.write('dropped ' + droppedLines()); process.exit(0) }, 2000)
})`

const ARGS = ['--input-type=module', '-e', SCRIPT]

/** What a process writes to stderr. */
function errorsOf(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', data => (text += String(data)))
  return () => text
}

async function endOf(child: ChildProcess): Promise<unknown> {
  const [code] = await once(child, 'close')
  return code
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { readonly i?: number; readonly msg: string; readonly lines?: number })

describe('log-output', () => {
  const directory = temporaryDirectory()

  it('drops and counts lines if the device is full', async () => {
    const device = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, ARGS, { stdio: ['pipe', device, 'pipe'] })
    closeSync(device)
    const errors = errorsOf(child)
    child.stdin!.end('go')
    expect(await endOf(child)).equal(0)
    expect(errors()).equal('alive dropped 5001')
  })

  it('buffers a bounded number of lines while a pipe is not read, and reports the others once it is', async () => {
    const child = spawn(process.execPath, ARGS, { stdio: ['pipe', 'pipe', 'pipe'] })
    const errors = errorsOf(child)
    await once(child.stderr!, 'data')
    let text = ''
    child.stdout!.on('data', data => (text += String(data)))
    child.stdin!.end('go')
    expect(await endOf(child)).equal(0)
    const lines = linesOf(text)
    const dropped = Number(errors().split(' ').at(-1))
    expect(dropped).above(1000)
    expect(lines.filter(({ msg }) => msg === 'line')).lengthOf(5000 - dropped)
    expect(lines.map(({ msg }) => msg)).include('last')
    expect(lines.filter(line => line.lines !== undefined).map(line => line.lines)).deep.equal([dropped])
  })

  it('lets the process end while a pipe is not read', async () => {
    const child = spawn(process.execPath, ARGS, { stdio: ['pipe', 'pipe', 'pipe'] })
    const errors = errorsOf(child)
    child.stdin!.end('go')
    const [code] = await once(child, 'exit')
    expect(code).equal(0)
    expect(errors()).contain('dropped')
    child.stdout!.destroy()
  })

  it('lets the process end while a pipe is not read that another process has made blocking', async () => {
    const pipe = join(directory(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const end = openSync(pipe, 'r+')
    // The start of a process that inherits stdout resets O_NONBLOCK, as does the end of a worker.
    const script = SCRIPT.replace(
      'const x',
      `process.getBuiltinModule('node:child_process').spawnSync('true', { stdio: 'inherit' })\nconst x`,
    )
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', end, 'pipe'] })
    const errors = errorsOf(child)
    child.stdin!.end('go')
    expect(await endOf(child)).equal(0)
    expect(errors()).contain('alive dropped')
    closeSync(end)
  })

  it('drops and counts lines beyond the largest size of a file', async () => {
    const file = join(directory(), 'log')
    const child = spawn('sh', ['-c', `ulimit -f 64; exec "$0" "$@" > ${file}`, process.execPath, ...ARGS], {
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    const errors = errorsOf(child)
    child.stdin!.end('go')
    expect(await endOf(child)).equal(0)
    const written = readFileSync(file, 'utf8').split('\n').length - 1
    expect(errors()).equal(`alive dropped ${5001 - written}`)
  })

  it('writes lines of another source between those of the log, or reports that it cannot', async () => {
    const script = `import { createLog, writeLines } from '${log}'
const { log } = createLog({ level: 'info', format: 'json' })
log.info('first')
await writeLines(Array.from({ length: 5000 }, (_, i) => JSON.stringify({ i, x: 'x'.repeat(140), msg: '' }))).then(
  () => process.stderr.write('written'),
  error => process.stderr.write(error.message),
)
log.info('last')
// A process that ends does not wait for a full pipe.
setTimeout(() => {}, 1000)`
    const write = (stdout: 'pipe' | number) =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', stdout, 'pipe'] })
    const child = write('pipe')
    const errors = errorsOf(child)
    let text = ''
    child.stdout!.on('data', data => (text += String(data)))
    await endOf(child)
    expect(errors()).equal('written')
    expect(linesOf(text).map(({ i, msg }) => i ?? msg)).deep.equal(['first', ...Array(5000).keys(), 'last'])
    const device = openSync('/dev/full', 'w')
    const failing = write(device)
    closeSync(device)
    const problems = errorsOf(failing)
    await endOf(failing)
    expect(problems()).equal('stdout cannot be written')
  })
})
