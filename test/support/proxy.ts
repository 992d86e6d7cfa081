/** A TCP relay that simulates a failing network. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface FaultyProxy {
  readonly port: number
  /** Breaks every connection and refuses new ones. */
  cut(): void
  /** Keeps connections open and passes nothing on. Data is passed on at the end. */
  freeze(): void
  /** Passes on the data of clients, and holds back the data of the server. */
  mute(): void
  mend(): void
  close(): Promise<void>
}

export async function faultyProxy(targetPort: number): Promise<FaultyProxy> {
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  let state: 'well' | 'cut' | 'frozen' = 'well'
  const server = createServer(client => {
    if (state === 'cut') return void client.destroy()
    const upstream = connect(targetPort, '127.0.0.1')
    upstreams.add(upstream)
    upstream.on('close', () => upstreams.delete(upstream))
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', bytes => to.write(bytes))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    if (state === 'frozen') for (const socket of [client, upstream]) socket.pause()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut'
      for (const socket of sockets) socket.destroy()
    },
    freeze() {
      state = 'frozen'
      for (const socket of sockets) socket.pause()
    },
    mute() {
      for (const socket of upstreams) socket.pause()
    },
    mend() {
      state = 'well'
      for (const socket of sockets) socket.resume()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
