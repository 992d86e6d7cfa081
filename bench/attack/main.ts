/** `npm run bench:attack`: one account attacks gateways with heaps of different sizes while another one uses them. */
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type Attack, attacks } from './attacks.ts'
import { type BackendPorts, type Figures, Gateway, KEYS } from './gateway.ts'
import { type Probed, probeUntil } from './probe.ts'

const USAGE = `Usage: npm run bench:attack -- [OPTION]…

  --heap MB,…     heap of each gateway; default: that of this machine (default: 512,1024,default)
  --scale N       part of the connections of each attack (default: 1)
  --only TEXT     attacks whose name contains this
  --rest SECONDS  most time after each attack in which memory may go back (default: 60)

Writes a table for docs/BENCHMARKS.md for each heap, in three to six minutes where nothing else runs.
`

/** After this time memory is back if it is at most so far above that of the idle process. */
const LEAST_REST_S = 5
const BACK_MB = 300

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      heap: { type: 'string', default: '512,1024,default' },
      scale: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      rest: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  })
  const heaps = values.heap.split(',').map(heap => (heap === 'default' ? null : Number(heap)))
  const [scale, rest] = [Number(values.scale), Number(values.rest)]
  if (values.help || !heaps.every(heap => heap === null || heap > 0) || !(scale > 0) || !(rest >= 0)) {
    process.stderr.write(USAGE)
    return values.help ? 0 : 2
  }
  const ports = { paced: await backend(false), flooding: await backend(true) }
  let survived = true
  for (const heap of heaps) {
    if (!(await attackAll(heap, ports, { scale, rest, only: values.only }))) survived = false
  }
  return survived ? 0 : 1
}

interface Options {
  readonly scale: number
  readonly rest: number
  readonly only: string
}

/** Attacks one gateway after the other ways. Returns whether it is alive. */
async function attackAll(heap: number | null, ports: BackendPorts, { scale, rest, only }: Options): Promise<boolean> {
  const load = loadavg()[0]!.toFixed(1)
  const gateway = await Gateway.start(heap, ports)
  const quiet = await probeUntil(sleep(5000), gateway.port, KEYS.other, ports.paced)
  const idle = gateway.rssMb()
  const size = heap === null ? 'of the default size' : `of ${heap} MB`
  write(
    `Heap ${size}, scale ${scale}, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${availableParallelism()} cores, load average ${load}:\n`,
  )
  row([
    'Attack',
    'responses',
    'chats',
    'p50, p99 of chats',
    'longest gap, and straight from the backend',
    'longest block',
    'peak heap, of its limit',
    'RSS: idle, peak, after',
  ])
  row(['-', '-', '-:', '-:', '-:', '-:', '-:', '-:'])
  row(['none', '', ...pace(quiet), '', '', `${mb(idle)} MB`])
  for (const [at, attack] of attacks(scale).entries()) {
    if (!attack.name.includes(only) || !gateway.alive) continue
    const wasBack = gateway.rssMb() <= idle + BACK_MB
    const { statuses, probed, peak } = await underAttack(gateway, ports.paced, at, scale)
    const rested = gateway.alive ? await restOf(gateway, idle + BACK_MB, wasBack ? rest : LEAST_REST_S) : 0
    row([
      `${attack.name}, ${nameOf(attack)}`,
      statuses,
      ...pace(probed),
      `${peak.blockedMs.toFixed(0)} ms`,
      `${mb(peak.heapMb)} MB, ${(peak.heapShare * 100).toFixed(0)} %`,
      gateway.alive ? `${mb(idle)}, ${mb(peak.rssMb)}, ${mb(gateway.rssMb())} MB after ${rested} s` : '**ended**',
    ])
  }
  write('')
  const { alive } = gateway
  await gateway.stop()
  return alive
}

const nameOf = ({ connections, body, deaf }: Attack) =>
  deaf ? `${connections}` : `${connections} × ${(body.length / 1e6).toFixed(1)} MB`

async function underAttack(gateway: Gateway, backendPort: number, attack: number, scale: number) {
  const order = { port: gateway.port, key: KEYS.attacker, attack, scale }
  const attacker = new Worker(new URL('./attacker.ts', import.meta.url), { workerData: order })
  // Its bodies are made: that would take the probe's time.
  await first(attacker)
  const running = first<Record<string, number>>(attacker)
  attacker.postMessage(null)
  const peaks = peaksUntil(running, gateway)
  const probed = await probeUntil(running, gateway.port, KEYS.other, backendPort)
  const statuses = Object.entries(await running).map(([status, count]) => `${count} × ${status}`)
  return { statuses: statuses.join(', '), probed, peak: await peaks }
}

/** Waits until the process has given memory back, for `most` seconds at most. Returns how many it was. */
async function restOf(gateway: Gateway, backMb: number, most: number): Promise<number> {
  let waited = 0
  while (waited < most && gateway.alive && (waited < LEAST_REST_S || gateway.rssMb() > backMb)) {
    await sleep(1000)
    waited++
  }
  return waited
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

const mb = (value: number) => value.toFixed(0)

const pace = ({ chats, failed, p50, p99, gap, directGap }: Probed) => [
  failed === 0 ? `${chats}` : `${chats}, **${failed} failed**`,
  `${p50.toFixed(0)}, ${p99.toFixed(0)} ms`,
  `${gap.toFixed(0)}, ${directGap.toFixed(0)} ms`,
]

function write(line: string): void {
  process.stdout.write(`${line}\n`)
}

function row(cells: readonly string[]): void {
  write(`| ${cells.join(' | ')} |`)
}

process.exit(await main())
