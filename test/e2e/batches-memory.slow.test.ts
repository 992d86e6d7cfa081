/** The memory of a process that runs a large batch: it does not grow with the file or its lines. */
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { batchLine, createBatch, findBatch } from '../support/batch-client.ts'
import { Cli, temporaryDirectory } from '../support/cli.ts'
import { configFile, eventually } from '../support/gateway.ts'

const MEGABYTE = 1024 * 1024
const WARM_LINES = 1000
const LINES = 4000
/** 80 MB in all lines: a file that is held is found by the resident memory. */
const PADDING = 'word '.repeat(4000)
/** 1 KB a line: what is held of each line is found by the heap. */
const MAX_HEAP_GROWTH = 4 * MEGABYTE
const MAX_RESIDENT_GROWTH = 50 * MEGABYTE

/** Prints what is reachable. */
const PRELOAD = `process.on('SIGUSR2', () => {
  gc(); gc()
  const { heapUsed, external } = process.memoryUsage()
  console.log('reachable ' + ++process.reachable + ' ' + (heapUsed + external))
})
process.reachable = 0`

const ANSWER = JSON.stringify({
  ...{ id: 'x', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 900, completion_tokens: 2, total_tokens: 902 },
})

describe('memory of batches', function () {
  this.timeout(240_000)
  const directory = temporaryDirectory()
  before(function () {
    if (process.platform !== 'linux') this.skip()
  })

  it('does not grow with the input file, its lines or their results', async () => {
    const backend = http.createServer((req, res) => {
      req.resume().on('end', () => res.setHeader('content-type', 'application/json').end(ANSWER))
    })
    await new Promise<void>(resolve => backend.listen(0, '127.0.0.1', resolve))
    const backends = [`http://127.0.0.1:${(backend.address() as AddressInfo).port}/v1`]
    const file = join(directory(), 'config.json')
    const options = { backends, more: { batches: {}, store: `sqlite:${join(directory(), 'store.db')}` } }
    writeFileSync(file, JSON.stringify({ ...configFile(directory(), options), log: { level: 'error' } }))
    const preload = `data:text/javascript,${encodeURIComponent(PRELOAD)}`
    const env = { NODE_OPTIONS: `--expose-gc --max-semi-space-size=8 --import ${preload}` }
    const gateway = new Cli(['serve', '--config', file], { env })
    const { pid } = gateway.child
    const url = (await gateway.match(/Gateway +(\S+)\/v1/))[1]!

    const resident = () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
    let asked = 0
    const reachable = async () => {
      process.kill(pid!, 'SIGUSR2')
      return Number((await gateway.match(new RegExp(`reachable ${++asked} (\\d+)`)))[1])
    }
    const run = async (lines: number) => {
      let most = 0
      const id = await createBatch(
        url,
        Array.from({ length: lines }, (_, i) => batchLine(`r${i}`, padded(i))),
      )
      const isDone = async () => {
        await sleep(500)
        most = Math.max(most, resident())
        const { status, request_counts } = await findBatch(url, id)
        if (status === 'completed') expect(request_counts.completed).equal(lines)
        return status === 'completed'
      }
      await eventually(isDone, 'the end', 200_000)
      return most
    }
    try {
      const residentBefore = await run(WARM_LINES)
      const before = await reachable()
      const most = await run(LINES)
      expect((await reachable()) - before, 'heap and buffers').below(MAX_HEAP_GROWTH)
      expect(most - residentBefore, 'resident memory').below(MAX_RESIDENT_GROWTH)
    } finally {
      gateway.child.kill('SIGKILL')
      await gateway.ended
      backend.closeAllConnections()
      backend.close()
    }
  })
})

const padded = (i: number) => ({ messages: [{ role: 'user', content: `${i} ${PADDING}` }] })
