/**
 * A rollout like that of Kubernetes (deploy/kubernetes): a new pod becomes ready, an old one gets SIGTERM. The nodes
 * notice it a moment later, so a draining pod still gets connections. A TCP load balancer simulates the Service.
 */
import { connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { temporaryDirectory } from '../support/cli.ts'
import { eventually } from '../support/gateway.ts'
import { HeldStreams, SteadyClients } from '../support/held-streams.ts'
import { type GatewayProcess, startProcess } from '../support/processes.ts'
import { freePort } from '../support/programs.ts'

const STREAMS = 200
/** Time until the nodes notice that a pod ends, and time that it continues to accept. The shipped file has more. */
const NOTICE_MS = 2000
const DRAIN_DELAY_SECONDS = 4

interface Pod {
  readonly port: number
  readonly process: GatewayProcess
}

/** Passes connections to the pods in turn. */
function service(pods: readonly Pod[]): Server {
  let next = 0
  return createServer(client => {
    const pod = connect(pods[next++ % pods.length]!.port, '127.0.0.1')
    client.pipe(pod).pipe(client)
    for (const [one, other] of [
      [client, pod],
      [pod, client],
    ] as const) {
      one.on('error', () => other.resetAndDestroy())
      one.on('close', () => other.destroy())
    }
  })
}

describe('a rollout on Kubernetes', () => {
  const directory = temporaryDirectory()
  let streams: HeldStreams
  let balancer: Server
  /** Pods to which the Service sends connections. */
  let endpoints: Pod[] = []
  const started: Pod[] = []

  beforeEach(async () => {
    streams = await HeldStreams.start()
  })

  afterEach(async () => {
    balancer.close()
    for (const { process } of started.splice(0)) await process.kill()
    await streams.close()
  })

  async function startPod(): Promise<Pod> {
    const [port, adminPort] = [await freePort(), await freePort()]
    const process = await startProcess(directory(), `pod-${started.length}`, {
      backends: [streams.backend.url],
      more: {
        listen: { host: '127.0.0.1', port },
        admin: { host: '127.0.0.1', port: adminPort },
        drain_delay_seconds: DRAIN_DELAY_SECONDS,
        drain_seconds: 60,
      },
    })
    const pod = { port, process }
    started.push(pod)
    const isReady = async () => (await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status === 200
    await eventually(isReady, 'a ready pod')
    return pod
  }

  it('refuses no connection and breaks no stream', async () => {
    const old = [await startPod(), await startPod()]
    endpoints = [...old]
    balancer = service(endpoints).listen(0, '127.0.0.1')
    await eventually(() => balancer.listening)
    const { port } = balancer.address() as { port: number }
    await streams.begin(port, STREAMS)
    const clients = new SteadyClients(port)
    const ending: Promise<unknown>[] = []
    for (const pod of old) {
      endpoints.push(await startPod())
      ending.push(pod.process.stop())
      await sleep(NOTICE_MS)
      endpoints.splice(endpoints.indexOf(pod), 1)
      await clients.servedMore(50, 'at the new pods')
    }
    expect(await streams.release()).equal(STREAMS)
    await Promise.all(ending)
    await clients.servedMore(20, 'after the old pods have ended')
    await clients.stop()
    expect(clients.failures).deep.equal([])
  })
})
