/** A thread with a backend: streams an event every 20 ms, or endlessly at the reader's pace; else replies at once. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** Its streams never pause. */
const { floods } = workerData as { readonly floods: boolean }

const event = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
const REPLY = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})
const PACED = event('x')
const FLOOD = event('x'.repeat(4000))

http
  .createServer((req, res) => {
    let start = ''
    req.on('data', (piece: Buffer) => {
      if (start.length < 400) start += piece.toString('latin1', 0, 400)
    })
    req.on('end', () => {
      if (!start.includes('"stream":true')) {
        res.setHeader('content-type', 'application/json')
        return res.end(REPLY)
      }
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      if (floods) {
        const more = () => {
          while (!res.destroyed && res.write(FLOOD));
        }
        res.on('drain', more)
        return more()
      }
      const timer = setInterval(() => res.write(PACED), 20)
      res.on('close', () => clearInterval(timer))
    })
  })
  .listen(0, '127.0.0.1', function (this: http.Server) {
    parentPort!.postMessage((this.address() as AddressInfo).port)
  })
