/** A real llama-server with a tiny model of random weights, for optional tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './gateway.ts'
import { freePort } from './programs.ts'
import { tinyGguf } from './tiny-gguf.ts'

/** Context window of each of its two slots, in tokens. */
export const WINDOW = 8192

export interface LlamaServer {
  /** Without the version prefix. */
  readonly url: string
  /** Number of slots that generate. */
  busy(): Promise<number>
  /** Kills the process. */
  kill(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the program on a free port, with one thread, and waits for its model. `template`: a chat template (Jinja) that
 * replaces that of the model.
 */
export async function startLlamaServer(program: string, template?: string): Promise<LlamaServer> {
  const dir = mkdtempSync(join(tmpdir(), 'sluiceway-llama-'))
  const model = join(dir, 'tiny.gguf')
  writeFileSync(model, tinyGguf())
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const options = `--host 127.0.0.1 --port ${port} --alias tiny --jinja -t 1 -tb 1 -np 2 -c ${2 * WINDOW}`
  const more: string[] = []
  if (template !== undefined) {
    const file = join(dir, 'template.jinja')
    writeFileSync(file, template)
    more.push('--chat-template-file', file)
  }
  const child = spawn(program, ['-m', model, ...options.split(' '), ...more], { stdio: 'ignore' })
  const kill = () => killed(child)
  try {
    await eventually(() => isHealthy(url, child), 'llama-server', 30_000)
  } catch (error) {
    await kill()
    throw error
  }
  return {
    url,
    async busy() {
      const slots = (await (await fetch(`${url}/slots`)).json()) as { is_processing: boolean }[]
      return slots.filter(slot => slot.is_processing).length
    },
    kill,
    async close() {
      await kill()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function isHealthy(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`llama-server ended with ${child.exitCode}`)
  return await fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
