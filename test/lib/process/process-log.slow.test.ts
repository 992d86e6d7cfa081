import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryDirectory } from '../../support/cli.ts'

const processLog = new URL('../../../lib/process/process-log.ts', import.meta.url).href

/** The lines of a process that starts this many workers, and of these; 1: it starts none. */
function linesWith(workers: number, directory: string): Record<string, unknown>[] {
  // Workers run the file of their primary.
  const file = join(directory, 'main.mjs')
  const script = `import cluster from 'node:cluster'
import { processLog, WORKER_STDIO } from '${processLog}'
if (cluster.isPrimary) cluster.setupPrimary({ stdio: WORKER_STDIO })
if (cluster.isPrimary && ${workers} > 1) for (let i = 0; i < ${workers}; i++) cluster.fork()
const { log, flush } = processLog({ log: { level: 'info', format: 'json' }, workers: ${workers} })
log.info('here')
flush()
cluster.worker?.disconnect()`
  writeFileSync(file, script)
  const { stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Record<string, unknown>)
}

describe('process-log', () => {
  const directory = temporaryDirectory()

  it('names the process where there are several', () => {
    const lines = linesWith(2, directory())
    expect(lines.map(({ worker }) => worker)).have.members([0, 1, 2])
  })

  it('names none where there is one', () => {
    const lines = linesWith(1, directory())
    expect(lines).lengthOf(1)
    expect(lines[0]).not.have.property('worker')
  })
})
