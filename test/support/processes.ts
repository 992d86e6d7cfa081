/** Gateways as separate processes, which a test may kill. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Cli, type Ended, type Place } from './cli.ts'
import { configFile, type TestConfig } from './gateway.ts'

export interface GatewayProcess {
  readonly url: string
  /** kill -9: nothing is released. Resolves when the process has ended. */
  kill(): Promise<void>
  stop(): Promise<Ended>
}

/** `name`: of its folder within `dir`. A process with the same name uses the same journal. */
export async function startProcess(
  dir: string,
  name: string,
  options: TestConfig,
  place?: Place,
): Promise<GatewayProcess> {
  const home = join(dir, name)
  mkdirSync(home, { recursive: true })
  const file = join(home, 'config.json')
  writeFileSync(file, JSON.stringify({ ...configFile(home, options), log: { level: 'error' } }))
  const serving = new Cli(['serve', '--config', file], place)
  // Also if the test fails.
  const kill = () => serving.child.kill('SIGKILL')
  process.once('exit', kill)
  void serving.ended.then(() => process.off('exit', kill))
  const [, url] = await serving.match(/Gateway +(\S+)\/v1/)
  const end = async (signal: NodeJS.Signals) => {
    serving.child.kill(signal)
    return serving.ended
  }
  return { url: url!, kill: () => end('SIGKILL').then(() => {}), stop: () => end('SIGTERM') }
}
