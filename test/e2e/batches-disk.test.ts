/** Batches whose disk is full: they wait for space, and go on. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { batchLine, createBatch, findBatch, resultLines, uploadFile } from '../support/batch-client.ts'
import { temporaryDirectory } from '../support/cli.ts'
import { eventually, KEY, steady } from '../support/gateway.ts'
import { type GatewayProcess, startProcess } from '../support/processes.ts'
import { freePort, useSmallDisk } from '../support/programs.ts'

const MEGABYTE = 1024 * 1024
const LINES = 300
/** All results take 2.5 MB as parts, and the same again as an output file. */
const TEXT = 'x'.repeat(8192)
/** Longer than a batch waits that could not be ended. */
const QUIET_MS = 7000
const ids = Array.from({ length: LINES }, (_, i) => `r${i}`)

describe('batches on a full disk', () => {
  const directory = temporaryDirectory()
  const smallDisk = useSmallDisk(6)
  let backend: ScriptedBackend
  let gateway: GatewayProcess
  let admin = ''

  beforeEach(async () => {
    backend = await scriptedBackend(reply(TEXT))
    const port = await freePort()
    admin = `http://127.0.0.1:${port}`
    const files = join(directory(), 'files')
    mkdirSync(files)
    const more = { batches: {}, files: { path: files }, admin: { host: '127.0.0.1', port } }
    gateway = await startProcess(directory(), 'a', { backends: [backend.url], more }, { within: smallDisk(files) })
  })
  afterEach(async () => {
    await gateway?.kill()
    await backend?.close()
  })

  const isPaused = async () => {
    const text = await (await fetch(`${admin}/metrics`)).text()
    return /^sluiceway_batch_paused\{reason="disk_full"\} 1$/m.test(text)
  }
  const stateOf = async (id: string) => {
    await sleep(200)
    return (await findBatch(gateway.url, id)).status
  }

  /** Runs a batch beside a file of this size, which is removed when the disk has been full for some time. */
  async function run(filler: number, expected: string): Promise<void> {
    const file = await uploadFile(gateway.url, ' '.repeat(filler))
    const id = await createBatch(
      gateway.url,
      ids.map(one => batchLine(one)),
    )
    await eventually(isPaused, 'a pause')
    // Lines that were sent before the pause may still arrive.
    const length = await steady(() => backend.requests.length, 1000)
    await sleep(QUIET_MS)
    expect(backend.requests.length, 'no line is sent').equal(length)
    expect(await stateOf(id)).equal(expected)
    expect(await isPaused()).equal(true)

    const headers = { authorization: `Bearer ${KEY}` }
    expect((await fetch(`${gateway.url}/v1/files/${file}`, { method: 'DELETE', headers })).status).equal(200)
    await eventually(async () => (await stateOf(id)) === 'completed', 'the end')
    await eventually(async () => !(await isPaused()), 'the end of the pause')
    const batch = await findBatch(gateway.url, id)
    expect(batch.request_counts).deep.equal({ total: LINES, completed: LINES, failed: 0 })
    const output = (await resultLines(gateway.url, batch.output_file_id))!
    expect(output.map(line => line.custom_id).toSorted()).deep.equal(ids.toSorted())
    expect(backend.requests.length, 'no line is repeated').equal(LINES)
    const { out } = await gateway.stop()
    const lines = out.split('\n').filter(line => line.includes('"level":50') || line.includes('"error"'))
    expect(lines, out).length(1)
    expect(lines[0]).contain('results of batches cannot be written: no line is sent until they can').contain('ENOSPC')
  }

  it('send nothing while results cannot be written', () => run(4.5 * MEGABYTE, 'in_progress'))

  it('send nothing while results cannot be published', () => run(2 * MEGABYTE, 'finalizing'))
})
