/** `npm run bench:attack`: one account attacks gateways with heaps of different sizes while another one uses them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { attacks } from './attacks.ts'
import { type Figures, Gateway, KEYS } from './gateway.ts'
import { probeUntil } from './probe.ts'

const USAGE = `Usage: npm run bench:attack -- [OPTION]…

  --heap MB,…     heap of each gateway; 0: the default of this machine (default: 512,1024,0)
  --scale N       part of the connections of each attack (default: 1)
  --only TEXT     attacks whose name contains this
  --rest SECONDS  time after each attack in which memory may go back (default: 60)
`

const START =
  '| heap | attack | responses | alive | chats | failed | p50 | p99 | longest gap | longest block | peak heap | of its limit | idle RSS | peak RSS | RSS after |'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      heap: { type: 'string', default: '512,1024,0' },
      scale: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      rest: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  })
  const heaps = values.heap.split(',').map(Number)
  const [scale, rest] = [Number(values.scale), Number(values.rest)]
  if (values.help || !heaps.every(heap => heap >= 0) || !(scale > 0) || !(rest >= 0)) {
    process.stderr.write(USAGE)
    return values.help ? 0 : 2
  }
  const [paced, flooding] = [await backend(false), await backend(true)]
  process.stdout.write(`${START}\n${'| - '.repeat(START.split('|').length - 2)}|\n`)
  const names = attacks(scale).map(({ name }) => name)
  let survived = true
  for (const heap of heaps) {
    const gateway = await Gateway.start(heap === 0 ? null : heap, { paced, flooding })
    const row = (cells: readonly (string | number)[]) =>
      process.stdout.write(`| ${[heap === 0 ? 'default' : heap, ...cells].join(' | ')} |\n`)
    const quiet = await probeUntil(sleep(5000), gateway.port, KEYS.other)
    const idle = gateway.rssMb()
    row([
      'none',
      '',
      'yes',
      quiet.chats,
      quiet.failed,
      ms(quiet.p50),
      ms(quiet.p99),
      ms(quiet.gap),
      '',
      '',
      '',
      mb(idle),
      '',
      '',
    ])
    for (const [attack, name] of names.entries()) {
      if (!name.includes(values.only) || !gateway.alive) continue
      const order = { port: gateway.port, key: KEYS.attacker, attack, scale }
      const running = first<Record<string, number>>(
        new Worker(new URL('./attacker.ts', import.meta.url), { workerData: order }),
      )
      const peaks = peaksUntil(running, gateway)
      const probed = await probeUntil(running, gateway.port, KEYS.other)
      const statuses = Object.entries(await running).map(([status, count]) => `${count} × ${status}`)
      const { heapMb, heapShare, blockedMs, rssMb } = await peaks
      await sleep(rest * 1000)
      if (!gateway.alive) survived = false
      const { chats, failed, p50, p99, gap } = probed
      const after = gateway.alive ? mb(gateway.rssMb()) : ''
      row([
        name,
        statuses.join(', '),
        gateway.alive ? 'yes' : 'NO',
        chats,
        failed,
        ms(p50),
        ms(p99),
        ms(gap),
        ms(blockedMs),
        mb(heapMb),
        `${(heapShare * 100).toFixed(0)} %`,
        mb(idle),
        mb(rssMb),
        after,
      ])
    }
    await gateway.stop()
  }
  return survived ? 0 : 1
}

/** Starts a backend and returns its port. */
function backend(floods: boolean): Promise<number> {
  return first(new Worker(new URL('./backend.ts', import.meta.url), { workerData: { floods } }))
}

/** The first message of a thread. */
function first<T>(worker: Worker): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function peaksUntil(over: Promise<unknown>, gateway: Gateway): Promise<Figures> {
  let isOver = false
  void over.finally(() => {
    isOver = true
  })
  const peak = { heapMb: 0, heapShare: 0, blockedMs: 0, rssMb: 0 }
  while (!isOver && gateway.alive) {
    const figures = await gateway.figures()
    if (figures !== undefined)
      for (const name of ['heapMb', 'heapShare', 'blockedMs', 'rssMb'] as const)
        peak[name] = Math.max(peak[name], figures[name])
    await sleep(200)
  }
  return peak
}

const ms = (value: number) => `${value.toFixed(0)} ms`
const mb = (value: number) => `${value.toFixed(0)} MB`

process.exit(await main())
