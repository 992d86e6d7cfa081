import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { expect } from 'chai'

const log = new URL('../../../lib/base/log.ts', import.meta.url).href

/** A program in which `log` and `flush` are defined. */
function scriptOf(code: string, level = 'info', more = "format: 'json' }"): string {
  return `import { createLog } from '${log}'
const { log, flush } = createLog({ level: '${level}', ${more})
${code}`
}

/** Runs code in which `log` and `flush` are defined, and returns its output. */
function printed(
  code: string,
  level = 'info',
  errors: 'inherit' | 'ignore' = 'inherit',
  more = "format: 'json' }",
): Promise<{ readonly text: string; readonly exit: number | null }> {
  const script = scriptOf(code, level, more)
  return new Promise(resolve => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', errors],
    })
    let text = ''
    child.stdout.on('data', data => (text += String(data)))
    child.on('close', exit => resolve({ text, exit }))
  })
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Record<string, unknown>)

describe('log', () => {
  it('writes lines of JSON with the time and without facts of the machine', async () => {
    const { text } = await printed(`log.info({ route: 'chat' }, 'request'); flush()`)
    const [line] = linesOf(text)
    expect(Object.keys(line!)).deep.equal(['level', 'time', 'route', 'msg'])
    expect(line).include({ level: 30, route: 'chat', msg: 'request' })
    expect(line?.time).match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('writes errors with their stack', async () => {
    const { text } = await printed(`log.error({ err: new TypeError('broken') }, 'fault'); flush()`)
    expect(linesOf(text)[0]?.err).include({ type: 'TypeError', message: 'broken' }).and.have.property('stack')
  })

  it('omits lines below its level', async () => {
    const { text } = await printed(`log.info('one'); log.warn('two'); flush()`, 'warn')
    expect(linesOf(text).map(({ msg }) => msg)).deep.equal(['two'])
    expect((await printed(`log.fatal('one'); flush()`, 'silent')).text).equal('')
  })

  it('writes buffered lines at the end of the process, whatever ends it', async () => {
    for (const [end, code] of [
      ['process.exit(3)', 3],
      ["setTimeout(() => { throw new Error('crash') }, 5)", 1],
      ["Promise.reject(new Error('crash'))", 1],
    ] as const) {
      const { text, exit } = await printed(`log.info('last words'); ${end}`, 'info', 'ignore')
      expect(exit).equal(code)
      expect(linesOf(text).map(({ msg }) => msg)).deep.equal(['last words'])
    }
  })

  it('names the worker in every line, also as text', async () => {
    const json = await printed(`log.info('one'); flush()`, 'info', 'inherit', "format: 'json' }, 2")
    expect(linesOf(json.text)[0]).include({ worker: 2, msg: 'one' })
    const { text } = await printed(`log.warn({ i: 1 }, 'one'); flush()`, 'info', 'inherit', "format: 'text' }, 2")
    expect(text).match(/^\d{4}-\d\d-\d\dT\S+Z WARN {2}\[worker 2\] one i=1\n$/)
  })

  it('buffers lines for a second, then writes them', async () => {
    const { text, exit } = await printed(`
log.info('gathered')
setTimeout(() => process.stdout.write('early\\n'), 300)
setTimeout(() => process.exit(0), 1500)`)
    expect(exit).equal(0)
    expect(text).match(/^early\n\{.*"msg":"gathered"\}\n$/)
  })

  it('loses no line before flush(), even of thousands', async () => {
    const { text } = await printed(`for (let i = 0; i < 5000; i++) log.info({ i }, 'line'); flush(); process.exit(0)`)
    expect(linesOf(text).map(({ i }) => i)).deep.equal(Array.from({ length: 5000 }, (_, i) => i))
  })

  it('may be flushed while empty, and keeps no process alive', async () => {
    expect(await printed('flush()')).deep.equal({ text: '', exit: 0 })
    expect((await printed('')).exit).equal(0)
  })

  it('lets the process end if stdout has no reader, or is full', async () => {
    const args = ['--input-type=module', '-e', scriptOf("setTimeout(() => { log.fatal('one'); process.exit(3) }, 300)")]
    const unread = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    unread.stdout.destroy()
    const device = openSync('/dev/full', 'w')
    const full = spawn(process.execPath, args, { stdio: ['ignore', device, 'ignore'] })
    closeSync(device)
    expect(await Promise.all([unread, full].map(child => once(child, 'exit')))).deep.equal([
      [3, null],
      [3, null],
    ])
  })
})
