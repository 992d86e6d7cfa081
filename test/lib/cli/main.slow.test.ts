import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Cli, runCli } from '../../support/cli.ts'

describe('sluiceway', () => {
  it('without a command, or with one that is none: usage on stderr, exit code 2', async () => {
    const [none, unknown] = await Promise.all([runCli([]), runCli(['serv'])])
    expect(none).deep.include({ code: 2, out: '' })
    expect(none.err).match(/^sluiceway: a command is needed\n\nUsage: sluiceway COMMAND/)
    expect(unknown).deep.include({ code: 2, out: '' })
    expect(unknown.err).match(/^sluiceway: there is no command 'serv': did you mean 'serve'\?\n\nUsage:/)
  })

  it('--help lists every command, --version prints that of the package', async () => {
    const [help, version] = await Promise.all([runCli(['--help']), runCli(['--version'])])
    expect(help).deep.include({ code: 0, err: '' })
    for (const name of [
      'serve',
      'check',
      'explain',
      'explain-route',
      'keys',
      'credits',
      'migrate',
      'probe',
      'plugin',
      'simulate',
    ]) {
      expect(help.out).match(new RegExp(`^  ${name} +[a-z]`, 'm'))
    }
    const { version: current } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(version).deep.equal({ code: 0, out: `${current}\n`, err: '' })
  })

  it('runs where its compile cache can be neither made nor written', async () => {
    const file = fileURLToPath(import.meta.url)
    for (const bin of [true, false]) {
      const { code, err } = await runCli(['--version'], { env: { NODE_COMPILE_CACHE: join(file, 'cache') }, bin })
      expect([code, err]).deep.equal([0, ''])
    }
  })

  it('COMMAND --help explains the command, whatever else stands there', async () => {
    const help = await runCli(['check', '--nonsense', '--help'])
    expect(help).deep.include({ code: 0, err: '' })
    expect(help.out).match(/^Usage: sluiceway check --config FILE \[--strict\] \[--live\]\n/)
  })

  it('help COMMAND does the same', async () => {
    const [help, plain] = await Promise.all([runCli(['help', 'check']), runCli(['help'])])
    expect(help.out).match(/^Usage: sluiceway check --config FILE \[--strict\] \[--live\]\n/)
    expect(plain.out).match(/^Usage: sluiceway COMMAND /)
  })

  it('wrong usage of a command: what is wrong, its usage, exit code 2', async () => {
    const wrong = await runCli(['check', '--confg', 'x'])
    expect(wrong).deep.include({ code: 2, out: '' })
    expect(wrong.err).match(
      /^sluiceway check: unknown option '--confg': did you mean '--config'\?\n\nUsage: sluiceway check /,
    )
  })

  it('goes on where nobody reads what it prints', async () => {
    const cli = new Cli(['simulate', '--port', '0'])
    cli.child.stdout!.destroy()
    cli.child.stderr!.destroy()
    const ended = once(cli.child, 'exit')
    const early = await Promise.race([ended, sleep(3000, 'runs')])
    cli.child.kill('SIGKILL')
    expect(early).equal('runs')
    await ended
  })

  it('hands its exit code through the script in bin', async () => {
    const [wrong, version] = await Promise.all([
      runCli(['nothing'], { bin: true }),
      runCli(['--version'], { bin: true }),
    ])
    expect(wrong.code).equal(2)
    expect(version.code).equal(0)
  })
})
