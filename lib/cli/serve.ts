import cluster from 'node:cluster'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Running } from '../process/gateway.ts'
import { processLog } from '../process/process-log.ts'
import { demoLines, startLines } from './banner.ts'
import { CommandError, chainProblems, portOf, readArguments, UsageError } from './command.ts'
import { untilStopped } from './lifetime.ts'
import { firstLinks } from './links.ts'
import { reachable } from './output.ts'
import { Reloader } from './reload.ts'
import { type ConfigSource, demoSource, fileSource, upstreamSource } from './source.ts'
import { startTraffic } from './traffic.ts'

export const usage = `Usage: sluiceway serve [--config FILE | --upstream URL] [OPTION]…

Runs the gateway until SIGTERM or SIGINT, then waits for running requests. SIGHUP, or a change of the file, reloads the
configuration.

  --config FILE      run this configuration
  --upstream URL     run in front of this OpenAI-compatible server, with the models it lists; writes to ./data.
                     The environment variable UPSTREAM_API_KEY contains the server's key, if it needs one
  neither            run the demo: a simulated backend, and an account with a key; writes to ./data
  --host HOST        listen on this address instead of the configured one
  --port PORT        listen on this port instead of the configured one; 0 for any free port
  --admin-port PORT  listen for operators on this port instead of the configured one: pages, /metrics, /livez, /readyz
  --traffic          with the demo: simulate customers, who send a request about every two seconds
`

/** Options that override members of the file. */
interface Overrides {
  readonly host: string | undefined
  readonly port: number | undefined
  readonly adminPort: number | undefined
}

export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, {
    config: { type: 'string', short: 'c' },
    upstream: { type: 'string' },
    host: { type: 'string' },
    port: { type: 'string', short: 'p' },
    'admin-port': { type: 'string' },
    traffic: { type: 'boolean' },
  })
  if (values.config !== undefined && values.upstream !== undefined) {
    throw new UsageError('--config and --upstream cannot be combined: add the server to the file')
  }
  if (values.traffic === true && (values.config ?? values.upstream) !== undefined) {
    throw new UsageError('--traffic needs the demo: leave out --config and --upstream')
  }
  const overrides: Overrides = {
    host: values.host,
    port: portOf(values.port, '--port'),
    adminPort: portOf(values['admin-port'], '--admin-port'),
  }
  if (cluster.isWorker) return await runWorker(values.config ?? 'the configuration')
  const source = await sourceOf(values.config, values.upstream)
  try {
    return await serve({ ...source, load: () => override(source.load(), overrides) }, values.traffic === true)
  } finally {
    await source.close()
  }
}

/** curl and others connect through the proxies that these name. */
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']

function sourceOf(config: string | undefined, upstream: string | undefined): Promise<ConfigSource> | ConfigSource {
  if (config !== undefined) return fileSource(config)
  const directory = join(process.cwd(), 'data')
  return upstream === undefined ? demoSource(directory) : upstreamSource(directory, upstream)
}

function override(config: Config, { host, port, adminPort }: Overrides): Config {
  const { listen, admin } = config
  return {
    ...config,
    listen: { ...listen, host: host ?? listen.host, port: port ?? listen.port },
    admin: admin && { ...admin, port: adminPort ?? admin.port },
  }
}

async function serve(source: ConfigSource, withTraffic: boolean): Promise<number> {
  const config = source.load()
  const gateway = await start(config, source.file)
  const { log, flush } = newLog(config)
  const variables = PROXY_VARIABLES.filter(name => process.env[name])
  if (variables.length > 0)
    log.warn({ variables }, 'these variables have no effect: set proxy of backends and of image_fetch')
  const { file, secrets } = source
  const [secret] = secrets
  const reloader = new Reloader(source, gateway, log)
  reloader.watch(config)
  let traffic: ReturnType<typeof startTraffic> | undefined
  // Before the first output: a program that reads it may send a signal at once.
  const stopped = untilStopped(
    { drain: () => (traffic?.stop() ?? Promise.resolve()).then(() => gateway.drain()) },
    reloader,
  )
  // A store that is too busy for links must not stop the gateway.
  const links = secret === undefined ? undefined : await firstLinks(gateway, config).catch(() => undefined)
  // With an operator's configuration, stdout contains only the log.
  if (secret === undefined) process.stderr.write(startLines(gateway, config, file))
  else process.stdout.write(demoLines(gateway, config, file, secret, links))
  const models = config.models.map(({ id }) => id)
  if (withTraffic && secret !== undefined && models.length > 0)
    traffic = startTraffic({ url: reachable(gateway.url), secrets, models })
  const probing = new AbortController()
  const improving = source
    .improve?.(line => void process.stdout.write(`${line}\n`), probing.signal)
    .catch(err => log.warn({ err }, 'the backend could not be probed'))
  try {
    const code = await stopped
    if (code !== 0) throw new CommandError('a second signal has ended the drain: unfinished requests were cut off')
    return code
  } finally {
    probing.abort()
    await improving
    flush()
  }
}

/** Runs a worker. Only the primary watches the file, and sends the configuration to its workers. */
async function runWorker(file: string): Promise<number> {
  const { configOfPrimary } = await import('../process/worker.ts')
  let reloader: Reloader | undefined
  let config = await configOfPrimary(next => {
    config = next
    void reloader?.reload()
  })
  const first = config
  const gateway = await start(first, file)
  reloader = new Reloader({ file, load: () => config }, gateway, newLog(first).log)
  if (config !== first) void reloader.reload()
  return await untilStopped(gateway, reloader)
}

/** A log that also records a crash, which Node itself reports only on stderr. */
function newLog(config: Config): ReturnType<typeof processLog> {
  const { log, flush } = processLog(config)
  process.on('uncaughtExceptionMonitor', err => log.fatal({ err }, 'crashed'))
  return { log, flush }
}

async function start(config: Config, file: string): Promise<Running> {
  const { BootError } = await import('../process/boot.ts')
  try {
    if (!cluster.isWorker && config.workers <= 1) {
      const { startGateway } = await import('../process/gateway.ts')
      return await startGateway(config, { file })
    }
    if (cluster.isWorker) return await (await import('../process/worker.ts')).startWorker(config)
    return await (await import('../process/primary.ts')).startWorkers(config, processLog(config).log, file)
  } catch (error) {
    if (error instanceof BootError) throw new CommandError(chainProblems(file, error.problems))
    throw listenProblem(error, config) ?? error
  }
}

/** Explains why a port cannot be opened; undefined: this is another error. */
function listenProblem(error: unknown, { listen, admin }: Config): CommandError | undefined {
  const problem = error as NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string }
  const { syscall, code, address, port, hostname } = problem
  if (syscall === 'getaddrinfo' && hostname !== undefined) {
    return new CommandError(
      `the host '${hostname}' cannot be found: ${otherHost(hostname === admin?.host && hostname !== listen.host)}`,
    )
  }
  // In a cluster, the primary binds the port for its workers, so the system call is `bind`.
  if (syscall !== 'listen' && syscall !== 'bind') return undefined
  const ofAdmin = port === admin?.port && (port !== listen.port || (address === admin?.host && address !== listen.host))
  const option = ofAdmin ? '--admin-port' : '--port'
  const where = port === undefined ? address : `${address}:${port}`
  switch (code) {
    case 'EADDRINUSE':
      return new CommandError(`${where} is in use: stop what listens there, or choose another port with ${option} PORT`)
    case 'EACCES':
      return new CommandError(`this user may not listen on ${where}: choose a port above 1023 with ${option} PORT`)
    case 'EADDRNOTAVAIL':
      return new CommandError(`${where} is not an address of this machine: ${otherHost(ofAdmin)}`)
    default:
      return undefined
  }
}

function otherHost(ofAdmin: boolean): string {
  return ofAdmin ? 'change admin.host in the file' : 'choose another with --host HOST'
}
