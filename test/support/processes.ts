/** Gateways as processes of their own, which a test may kill. They share what the test's configuration says. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Cli } from './cli.ts'
import { configFile, type TestConfig } from './gateway.ts'

export interface GatewayProcess {
  readonly url: string
  /** As by kill -9: it releases nothing. Resolves when it has ended. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** `name`: of its folder within `dir`. What is started again under the same name finds its journal. */
export async function startProcess(dir: string, name: string, options: TestConfig): Promise<GatewayProcess> {
  const home = join(dir, name)
  mkdirSync(home, { recursive: true })
  const file = join(home, 'config.json')
  writeFileSync(file, JSON.stringify({ ...configFile(home, options), log: { level: 'error' } }))
  const serving = new Cli(['serve', '--config', file])
  // Also when the test fails.
  const kill = () => serving.child.kill('SIGKILL')
  process.once('exit', kill)
  void serving.ended.then(() => process.off('exit', kill))
  const [, url] = await serving.match(/Gateway +(\S+)\/v1/)
  const end = async (signal: NodeJS.Signals) => {
    serving.child.kill(signal)
    await serving.ended
  }
  return { url: url!, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
