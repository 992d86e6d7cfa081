/** Signing in to the console of a test gateway. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCli } from './cli.ts'
import { configFile, type TestConfig, type TestGateway } from './gateway.ts'

/** The link of `sluiceway login`. */
export async function loginLink(gateway: TestGateway, options: TestConfig, user: string): Promise<string> {
  const file = join(gateway.dir, 'config.json')
  writeFileSync(file, JSON.stringify(configFile(gateway.dir, options)))
  const { out, err } = await runCli(['login', '--config', file, '--url', gateway.url, user])
  if (err !== '') throw new Error(err)
  return out.trim()
}
