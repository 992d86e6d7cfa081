/** The command line: runs a command and turns its errors into a message and an exit code. */
import cluster from 'node:cluster'
import packageJson from '../../package.json' with { type: 'json' }
import { StartError } from '../base/start-error.ts'
import { ConfigError } from '../config/problems.ts'
import { suggestion } from '../text/nearest.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import { print } from './output.ts'

interface Entry {
  readonly summary: string
  /** Loads the module on demand, because `serve` imports most of the gateway. */
  readonly load: () => Promise<Command>
}

const COMMANDS: ReadonlyMap<string, Entry> = new Map([
  ['serve', { summary: 'run the gateway', load: () => import('./serve.ts') }],
  ['check', { summary: 'validate a configuration and print every problem', load: () => import('./check.ts') }],
  ['explain', { summary: 'print the chain of plugins of each route', load: () => import('./explain.ts') }],
  [
    'explain-route',
    { summary: 'print the cost of a request at each backend', load: () => import('./explain-route.ts') },
  ],
  ['keys', { summary: 'create, list and revoke API keys', load: () => import('./keys.ts') }],
  ['accounts', { summary: 'list accounts and change their plans', load: () => import('./accounts.ts') }],
  ['members', { summary: 'list and remove members of accounts', load: () => import('./members.ts') }],
  ['login', { summary: 'print a one-time link to the console', load: () => import('./login.ts') }],
  ['credits', { summary: 'show and change prepaid balances', load: () => import('./credits.ts') }],
  ['requests', { summary: 'look up requests', load: () => import('./requests.ts') }],
  ['usage', { summary: 'sum up usage by groups', load: () => import('./usage.ts') }],
  ['backends', { summary: 'list, drain and undrain backends', load: () => import('./backends.ts') }],
  ['batches', { summary: 'list and cancel batches, pause models', load: () => import('./batches.ts') }],
  ['probe', { summary: 'test what a backend supports', load: () => import('./probe.ts') }],
  ['plugin', { summary: 'create a package for your own plugin', load: () => import('./plugin.ts') }],
  ['migrate', { summary: 'bring the tables of the store up to date', load: () => import('./migrate.ts') }],
  ['simulate', { summary: 'run the simulated backend', load: () => import('./simulate.ts') }],
])

function usage(): string {
  const rows = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(15)}${summary}`)
  return `Usage: sluiceway COMMAND [OPTION]…

Commands:
${rows.join('\n')}

  sluiceway COMMAND --help   explains one command
  sluiceway --version        prints the version

Exit codes: 0 success, 1 a problem, explained on stderr, 2 wrong usage.
`
}

/** Runs a command line, without the paths of Node and of the script. Resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv
  if (name === 'help' && rest[0] !== undefined) return main([rest[0], '--help'])
  if (name === '--help' || name === '-h' || name === 'help') return print(usage())
  if (name === '--version' || name === '-v') return print(`${packageJson.version}\n`)
  const entry = name === undefined ? undefined : COMMANDS.get(name)
  if (entry === undefined) {
    const mistake =
      name === undefined ? 'a command is needed' : `there is no command '${name}'${suggestion(name, COMMANDS.keys())}`
    process.stderr.write(`sluiceway: ${mistake}\n\n${usage()}`)
    return 2
  }
  return runCommand(`sluiceway ${name}`, await entry.load(), rest)
}

async function runCommand(name: string, command: Command, argv: readonly string[]): Promise<number> {
  // Other users of this machine must not read files with records, key digests and user names.
  process.umask(0o077)
  if (argv.includes('--help') || argv.includes('-h')) return print(command.usage)
  try {
    return await command.run(argv)
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${name}: ${error.message}\n\n${command.usage}`)
      return 2
    }
    process.stderr.write(`${name}: ${explanation(error)}\n`)
    return 1
  }
}

function explanation(error: unknown): string {
  if (!(error instanceof Error)) return `internal error: ${String(error)}`
  // The message of a system error needs no stack: `EACCES: permission denied, mkdir '/var/journal'`.
  const isExplained =
    error instanceof ConfigError || error instanceof CommandError || error instanceof StartError || 'syscall' in error
  return isExplained ? error.message : `internal error: ${error.stack ?? error.message}`
}

/** The title of this process in lists of processes. */
function title(command: string | undefined): string {
  if (cluster.worker !== undefined) return `sluiceway: worker ${cluster.worker.id}`
  return command === 'simulate' ? 'sluiceway simulate' : 'sluiceway'
}

/** Ignores EPIPE, which `| head` causes: output is discarded. The gateway runs on whatever its output does. */
function ignoreBrokenOutput(command: string | undefined): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (command !== 'serve' && error.code !== 'EPIPE') throw error
    })
}

/** Ends this process as SIGTERM does when the process of bin/sluiceway.mjs dies. Otherwise the port would stay open. */
function endWithParent(): void {
  if (cluster.isWorker || process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The listener keeps the process alive otherwise.
  process.channel?.unref()
}

if (import.meta.main) {
  endWithParent()
  const argv = process.argv.slice(2)
  ignoreBrokenOutput(argv[0])
  process.title = title(argv[0])
  process.exit(await main(argv))
}
