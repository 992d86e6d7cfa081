/** A port that neither accepts nor refuses connections, because its backlog is full. */
import net from 'node:net'
import { Worker } from 'node:worker_threads'

export interface FullPort {
  readonly port: number
  close(): Promise<void>
}

/** A thread listens and then blocks, so that the kernel accepts no connection once the backlog is full. */
const LISTEN_AND_STOP = `
const { parentPort } = require('node:worker_threads')
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
})
`

export async function fullPort(): Promise<FullPort> {
  const worker = new Worker(LISTEN_AND_STOP, { eval: true })
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const fillers: net.Socket[] = []
  do {
    fillers.push(net.connect(port, '127.0.0.1').on('error', () => {}))
    if (fillers.length > 100) throw new Error('the queue does not fill')
  } while (await opensWithin(fillers.at(-1)!, 150))
  return {
    port,
    async close() {
      for (const filler of fillers) filler.destroy()
      await worker.terminate()
    },
  }
}

function opensWithin(socket: net.Socket, ms: number): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), ms)
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
