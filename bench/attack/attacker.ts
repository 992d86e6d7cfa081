/**
 * A thread that runs one attack: reports that its bodies are ready, and begins at a message. It sends as fast as the
 * gateway reads, and reports how each connection ended.
 */
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { attacks } from './attacks.ts'

interface Order {
  readonly port: number
  readonly key: string
  readonly attack: number
  readonly scale: number
}

/** Then what is still open is given up: the attack has lasted long enough, and the next one is to come. */
const MOST_MS = 35_000

const { port, key, attack, scale } = workerData as Order
const { connections, body, withheld, deaf, holdMs } = attacks(scale)[attack]!
const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: attack\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
const sent = body.subarray(0, body.length - withheld)

/** Status of each response; `open`: none until the end. */
const statuses = new Map<string, number>()
const sockets: net.Socket[] = []

function connect(): Promise<void> {
  return new Promise(resolve => {
    let status = 'open'
    let isOver = false
    const socket = net.connect(port, '127.0.0.1')
    sockets.push(socket)
    const over = (by: string) => {
      if (isOver) return
      isOver = true
      const last = status === 'open' ? by : status
      statuses.set(last, (statuses.get(last) ?? 0) + 1)
      resolve()
    }
    socket.on('error', () => over('reset'))
    socket.on('close', () => over('closed'))
    if (deaf) socket.pause()
    else
      socket.on('data', data => {
        if (status !== 'open') return
        status = data.toString('latin1', 9, 12)
        socket.destroy()
        over(status)
      })
    socket.write(head)
    socket.write(sent)
    if (holdMs > 0) void sleep(holdMs).then(() => over('open'))
  })
}

const told = once(parentPort!, 'message')
parentPort!.postMessage(null)
await told
await Promise.race([
  Promise.all(Array.from({ length: connections }, connect)),
  sleep(MOST_MS, undefined, { ref: false }),
])
const unanswered = connections - [...statuses.values()].reduce((sum, count) => sum + count, 0)
if (unanswered > 0) statuses.set('open', (statuses.get('open') ?? 0) + unanswered)
for (const socket of sockets) socket.destroy()
parentPort!.postMessage(Object.fromEntries(statuses))
